// expect: GPUs: 4, current 2, a pointer of GPU 2
// expect: GPU 9: cudaErrorInvalidDevice
// expect: peer access: 1 0, enabled, again: cudaErrorPeerAccessAlreadyEnabled, not mine: cudaErrorInvalidDevice
// expect: read from GPU 0 by GPU 2: 1000
// expect: copied 2 to 3 without access: 1000 3000
// expect: pinned memory is all GPUs': 7
// expect: a variable on each GPU: 10 11 12 13
// expect: GPU 0 to 2: 4 requests, 512 bytes
// expect: GPU 2 to 3: 1 requests, 512 bytes
// expect: disabled: cudaErrorIllegalAddress, GPU 0 is well: cudaSuccess
// expect-error: no peer access: reads in[0], which is memory of GPU 0, and GPU 2 has no access to it: call cudaDeviceEnablePeerAccess(0, 0) after cudaSetDevice(2) (add
//
// Several GPUs in a process: whose memory is whose, what crosses which link.
#include <cstdio>
#include <vector>

#include <gpusim/devices.h>
#include <gpusim/report.h>

constexpr int kCount = 128;

__device__ int counter;

__global__ void add(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1000; }
__global__ void put(int* out, int value) { *out = value; }
__global__ void set_counter(int value) { counter = value; }

int main() {
  gpusim::use_devices(4);
  int gpus = 0, current = 0;
  cudaGetDeviceCount(&gpus);
  int* data[4];
  for (int g = 0; g < gpus; ++g) {
    cudaSetDevice(g);
    cudaMalloc(&data[g], kCount * sizeof(int));
    cudaMemset(data[g], 0, kCount * sizeof(int));
    set_counter<<<1, 1>>>(10 + g);
  }
  cudaSetDevice(2);
  cudaGetDevice(&current);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, data[2]);
  std::printf("GPUs: %d, current %d, a pointer of GPU %d\n", gpus, current, attributes.device);
  std::printf("GPU 9: %s\n", cudaGetErrorName(cudaSetDevice(9)));
  cudaGetLastError();

  int yes = 0, self = 1;
  cudaDeviceCanAccessPeer(&yes, 2, 0);
  cudaDeviceCanAccessPeer(&self, 2, 2);
  const cudaError_t first = cudaDeviceEnablePeerAccess(0, 0), again = cudaDeviceEnablePeerAccess(0, 0),
                    mine = cudaDeviceEnablePeerAccess(2, 0);
  std::printf("peer access: %d %d, %s, again: %s, not mine: %s\n", yes, self, first ? "refused" : "enabled",
              cudaGetErrorName(again), cudaGetErrorName(mine));
  cudaGetLastError();

  gpusim::enable_reports();
  cudaDeviceSynchronize();
  add<<<1, kCount>>>(data[0], data[2]);
  int host = 0, other = 0;
  cudaMemcpy(&host, data[2], sizeof host, cudaMemcpyDeviceToHost);
  std::printf("read from GPU 0 by GPU 2: %d\n", host);
  cudaMemcpyPeer(data[3], 3, data[2], 2, kCount * sizeof(int));
  const auto links = gpusim::link_traffic();
  gpusim::enable_reports(false);
  cudaMemcpy(&host, data[3], sizeof host, cudaMemcpyDefault);
  cudaSetDevice(3);
  add<<<1, kCount>>>(data[3], data[3]);
  add<<<1, kCount>>>(data[3], data[3]);
  cudaMemcpy(&other, data[3], sizeof other, cudaMemcpyDefault);
  std::printf("copied 2 to 3 without access: %d %d\n", host, other);

  int* pinned;
  cudaSetDevice(1);
  cudaMallocHost(&pinned, sizeof(int));
  cudaSetDevice(3);
  put<<<1, 1>>>(pinned, 7);
  cudaDeviceSynchronize();
  std::printf("pinned memory is all GPUs': %d\n", *pinned);
  cudaFreeHost(pinned);

  std::printf("a variable on each GPU:");
  for (int g = 0; g < gpus; ++g) {
    cudaSetDevice(g);
    cudaMemcpyFromSymbol(&host, counter, sizeof host);
    std::printf(" %d", host);
  }
  std::printf("\n");
  for (const auto& link : links)
    std::printf("GPU %u to %u: %llu requests, %llu bytes\n", link.from, link.to,
                static_cast<unsigned long long>(link.requests), static_cast<unsigned long long>(link.bytes));

  cudaSetDevice(2);
  cudaDeviceDisablePeerAccess(0);
  add<<<1, kCount>>>(data[0], data[2]);
  const cudaError_t fault = cudaDeviceSynchronize();
  cudaSetDevice(0);
  std::printf("disabled: %s, GPU 0 is well: %s\n", cudaGetErrorName(fault),
              cudaGetErrorName(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
