// expect-finding: race 18 warning
// expect-text: both store the same value, so the result does not depend on which comes last
// advice: let one thread store
// Warps that find a negative number store the same flag. The result is right as long as all of them store the same.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void any_negative(const int* in, int* out) {
  __shared__ int any;
#ifdef FIXED
  const int found = __syncthreads_or(in[threadIdx.x] < 0);
  if (threadIdx.x == 0) any = found != 0;
#else
  if (threadIdx.x == 0) any = 0;
  __syncthreads();

  if (in[threadIdx.x] < 0) any = 1;
#endif
  __syncthreads();
  if (threadIdx.x == 0) *out = any;
}

int main() {
  int host[128], *in, *out, result = 0;
  for (int i = 0; i < 128; ++i) host[i] = -i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof *out);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  any_negative<<<1, 128>>>(in, out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
