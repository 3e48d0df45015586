// expect-finding: race 12 warning
// expect-text: both store the same value, so the result does not depend on which comes last
// advice: use an atomic
// Blocks that find a negative number store the same flag. The result is right as long as all of them store the same.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void any_negative(const int* in, int* out) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] < 0)
#ifndef FIXED
    *out = 1;
#else
    atomicExch(out, 1);
#endif
}

int main() {
  int host[128], *in, *out, result = 0;
  for (int i = 0; i < 128; ++i) host[i] = -i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  any_negative<<<2, 64>>>(in, out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(in);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
