// needs: cub/version.cuh thrust/version.h
// expect: block: sum 8128, last of the scan 8001, warp sums 496 1520 2544 3568
// expect: sorted in a block: 0 1 2 125 126 127
// expect: device: sum 300000, largest 6
// expect: scan: 1 3 300000
// expect: histogram: 14285 14286 14286 14286 14286 14286 14285
// expect: selected 28570, no error
// CUB on the simulated GPU: collective operations of warps, blocks and the device.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

constexpr int kThreads = 128;

__global__ void collective(int* out, int* sorted) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads>;
  using Warp = cub::WarpReduce<int>;
  using Sort = cub::BlockRadixSort<int, kThreads, 1>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Warp::TempStorage warps[kThreads / 32];
  __shared__ typename Sort::TempStorage sort;
  const int x = threadIdx.x;
  const int sum = Reduce(reduce).Sum(x);
  if (x == 0) out[0] = sum;
  int before;
  Scan(scan).ExclusiveSum(x, before);
  if (x == kThreads - 1) out[1] = before;
  const int of_warp = Warp(warps[x / 32]).Sum(x);
  if (x % 32 == 0) out[2 + x / 32] = of_warp;
  int key[1] = {(x * 77) % kThreads};
  Sort(sort).Sort(key);
  sorted[x] = key[0];
}

struct IsZeroOrSix {
  __host__ __device__ bool operator()(int x) const { return x == 0 || x == 6; }
};

// Asks for the size of the temporary storage, then does it.
template <class Operation> void twice(Operation operation) {
  void* storage = nullptr;
  size_t bytes = 0;
  operation(storage, bytes);
  cudaMalloc(&storage, bytes);
  operation(storage, bytes);
  cudaFree(storage);
}

int main() {
  int *out, *sorted;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&sorted, kThreads * sizeof(int));
  collective<<<1, kThreads>>>(out, sorted);
  cudaDeviceSynchronize();
  std::printf("block: sum %d, last of the scan %d, warp sums %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
  std::printf("sorted in a block: %d %d %d %d %d %d\n", sorted[0], sorted[1], sorted[2], sorted[125], sorted[126], sorted[127]);

  const int n = 100000;
  int *in, *to;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&to, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = (i + 1) % 7;
  twice([&](void* s, size_t& b) { cub::DeviceReduce::Sum(s, b, in, out, n); });
  twice([&](void* s, size_t& b) { cub::DeviceReduce::Max(s, b, in, out + 1, n); });
  cudaDeviceSynchronize();
  std::printf("device: sum %d, largest %d\n", out[0], out[1]);
  twice([&](void* s, size_t& b) { cub::DeviceScan::InclusiveSum(s, b, in, to, n); });
  cudaDeviceSynchronize();
  std::printf("scan: %d %d %d\n", to[0], to[1], to[n - 1]);
  twice([&](void* s, size_t& b) { cub::DeviceHistogram::HistogramEven(s, b, in, out, 8, 0, 7, n); });
  cudaDeviceSynchronize();
  std::printf("histogram:");
  for (int i = 0; i < 7; ++i) std::printf(" %d", out[i]);
  twice([&](void* s, size_t& b) { cub::DeviceSelect::If(s, b, in, to, out, n, IsZeroOrSix()); });
  cudaDeviceSynchronize();
  std::printf("\nselected %d, %s\n", out[0], cudaGetErrorString(cudaGetLastError()));
}
// SPDX-License-Identifier: MIT
