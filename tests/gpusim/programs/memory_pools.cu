// expect: threshold 0, then 1048576
// expect: reuse flags 1 1 1, then 0
// expect: used 1, after the end 0
// expect: 0 of 1000 wrong, from a pool of one's own 0 of 1000 wrong
// expect: freed twice: cudaErrorInvalidValue
//
// Memory in the order of a stream: cudaMallocAsync and pools.
#include <cstdio>

__global__ void fill(int* values, int n, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = first + i;
}

int main() {
  constexpr int n = 1000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemPool_t pool, current;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaDeviceGetMemPool(&current, 0);
  if (pool != current) std::printf("the device uses another pool\n");
  unsigned long long before = 7, threshold = 1 << 20, after = 0, used = 0, used_after = 0;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &before);
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &after);
  std::printf("threshold %llu, then %llu\n", before, after);
  int events = 0, opportunistic = 0, internal = 0, no = 0, changed = 7;
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &events);
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &opportunistic);
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &internal);
  cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &no);
  cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &changed);
  std::printf("reuse flags %d %d %d, then %d\n", events, opportunistic, internal, changed);

  int host[2][n], *values, *own;
  cudaMallocAsync(&values, sizeof host[0], stream);
  fill<<<4, 256, 0, stream>>>(values, n, 3);
  cudaMemcpyAsync(host[0], values, sizeof host[0], cudaMemcpyDeviceToHost, stream);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaFreeAsync(values, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used_after);
  cudaMemPoolTrimTo(pool, 0);
  std::printf("used %d, after the end %llu\n", used >= sizeof host[0], used_after);

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t made;
  cudaMemPoolCreate(&made, &properties);
  cudaMallocFromPoolAsync((void**)&own, sizeof host[1], made, stream);
  fill<<<4, 256, 0, stream>>>(own, n, 5);
  cudaMemcpyAsync(host[1], own, sizeof host[1], cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(own, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolDestroy(made);
  int wrong[2] = {};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < n; ++i) wrong[k] += host[k][i] != i + 3 + 2 * k;
  std::printf("%d of %d wrong, from a pool of one's own %d of %d wrong\n", wrong[0], n, wrong[1], n);
  std::printf("freed twice: %s\n", cudaGetErrorName(cudaFreeAsync(values, stream)));
}
// SPDX-License-Identifier: MIT
