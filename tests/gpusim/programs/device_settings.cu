// expect: banks of 4 bytes, cache preference 2
// expect: flags 4, priority -1, device 0, default stream 0 0
// expect: bus id finds device 0, another: invalid device ordinal
// expect: peer: invalid device ordinal, can access 0
// expect: copy from 0 to 0: no error, to 1: invalid device ordinal
// expect: kernel settings: no error, no error, 164 KiB of shared memory are 4 blocks of 40960 bytes
// expect: blocks 2 2, grid 216, block 1024
// expect: pinned flags 2: no error, of the device: invalid argument
// expect: refused: invalid argument, invalid argument, invalid argument
// expect: launches of kernels: 2 deep, 2048 pending, then 5 deep: no error
// options: -std=c++17
//
// Settings and questions of the runtime API that old and careful programs know.
#include <cstdio>

__global__ void kernel(int* p) { *p = 1; }
const char* text(cudaError_t error) { return cudaGetErrorString(error); }

int main() {
  cudaSharedMemConfig config;
  cudaFuncCache preference;
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte);
  cudaDeviceGetSharedMemConfig(&config);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  cudaDeviceGetCacheConfig(&preference);
  std::printf("banks of %d bytes, cache preference %d\n", config == cudaSharedMemBankSizeFourByte ? 4 : 8, preference);

  unsigned flags = 0, of_default = 1;
  int priority = 0, device = 1, default_priority = 1;
  cudaStream_t stream;
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  cudaGetDeviceFlags(&flags);
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1);
  cudaStreamGetPriority(stream, &priority);
  cudaStreamGetDevice(stream, &device);
  cudaStreamGetFlags(0, &of_default);
  cudaStreamGetPriority(0, &default_priority);
  cudaStreamDestroy(stream);
  std::printf("flags %u, priority %d, device %d, default stream %u %d\n", flags, priority, device, of_default, default_priority);

  char bus[16];
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  device = 7;
  cudaDeviceGetByPCIBusId(&device, bus);
  std::printf("bus id finds device %d, another: %s\n", device, text(cudaDeviceGetByPCIBusId(&device, "0000:65:00.0")));

  int can = 7;
  cudaDeviceCanAccessPeer(&can, 0, 0);
  std::printf("peer: %s, can access %d\n", text(cudaDeviceEnablePeerAccess(1, 0)), can);

  int *a, *b;
  cudaMalloc(&a, 4);
  cudaMalloc(&b, 4);
  const cudaError_t peer = cudaMemcpyPeer(a, 0, b, 0, 4);
  std::printf("copy from 0 to 0: %s, to 1: %s\n", text(peer), text(cudaMemcpyPeer(a, 1, b, 0, 4)));

  size_t bytes = 0;
  const cudaError_t cache = cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared);
  const cudaError_t banks = cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeFourByte);
  cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 4, 128);
  std::printf("kernel settings: %s, %s, 164 KiB of shared memory are 4 blocks of %d bytes\n", text(cache), text(banks), int(bytes));

  int blocks = 0, with_flags = 0, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&with_flags, kernel, 1024, 0, cudaOccupancyDisableCachingOverride);
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel);
  std::printf("blocks %d %d, grid %d, block %d\n", blocks, with_flags, grid, block);

  int* pinned;
  cudaMallocHost(&pinned, 4);
  const cudaError_t pinned_error = cudaHostGetFlags(&flags, pinned);
  std::printf("pinned flags %u: %s, of the device: %s\n", flags, text(pinned_error), text(cudaHostGetFlags(&flags, a)));
  cudaFreeHost(pinned);

  std::printf("refused: %s, %s, %s\n", text(cudaDeviceGetSharedMemConfig(nullptr)), text(cudaSetDeviceFlags(256)),
              text(cudaFuncGetName(nullptr, kernel)));
  cudaFree(a);
  cudaFree(b);

  size_t depth = 0, pending = 0;
  cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
  cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
  std::printf("launches of kernels: %d deep, %d pending", int(depth), int(pending));
  const cudaError_t limit = cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 5);
  cudaDeviceGetLimit(&depth, cudaLimitDevRuntimeSyncDepth);
  std::printf(", then %d deep: %s\n", int(depth), text(limit));
}
// SPDX-License-Identifier: MIT
