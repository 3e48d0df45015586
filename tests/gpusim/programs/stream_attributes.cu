// expect: a window of 4096 bytes at the array, 0.5 of it; of the other stream 0, then 4096
// expect: policy 4, priority 0, wrong cudaErrorInvalidValue cudaErrorInvalidValue
// expect: sum 496
//
// What a program asks of the L2 cache and of waiting: it reads back what it has set, and its kernels run as without.
#include <cstdio>

__global__ void sum(const int* in, int* out) { atomicAdd(out, in[threadIdx.x]); }

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 4096);
  cudaMallocManaged(&out, sizeof *out);
  for (int i = 0; i < 32; ++i) in[i] = i;
  *out = 0;
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize)) return 1;
  cudaStreamAttrValue value = {}, read = {}, copied = {};
  value.accessPolicyWindow.base_ptr = in;
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  sum<<<1, 32, 0, stream>>>(in, out);
  cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &read);
  std::printf("a window of %zu bytes at %s, %g of it;", read.accessPolicyWindow.num_bytes,
              read.accessPolicyWindow.base_ptr == in ? "the array" : "?", read.accessPolicyWindow.hitRatio);
  cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &read);
  cudaStreamCopyAttributes(other, stream);
  cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &copied);
  std::printf(" of the other stream %zu, then %zu\n", read.accessPolicyWindow.num_bytes, copied.accessPolicyWindow.num_bytes);

  value.syncPolicy = cudaSyncPolicyBlockingSync;
  cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value);
  cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &read);
  std::printf("policy %d,", read.syncPolicy);
  cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &read);
  value.accessPolicyWindow = {in, 4096, 1.5f, cudaAccessPropertyPersisting, cudaAccessPropertyNormal};
  const cudaError_t share = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  value.accessPolicyWindow = {in, 4096, 1.0f, cudaAccessPropertyPersisting, cudaAccessPropertyPersisting};
  const cudaError_t miss = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
  std::printf(" priority %d, wrong %s %s\n", read.priority, cudaGetErrorName(share), cudaGetErrorName(miss));

  cudaCtxResetPersistingL2Cache();
  cudaDeviceSynchronize();
  std::printf("sum %d\n", *out);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(in);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
