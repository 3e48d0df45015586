// expect-finding: never written warning
// expect-text: a copy to the host reads 256 bytes, of which 128 were never written; the first is at offset 128
// advice: initialise it
// advice: (ADVISED) copy only the part that is used
// The host fills half of an array and copies all of it back.
#include <cuda_runtime.h>

int main() {
  int host[64] = {}, *data;
  cudaMalloc(&data, sizeof host);
#ifdef FIXED
  cudaMemset(data, 0, sizeof host);
#endif
  cudaMemcpy(data, host, sizeof host / 2, cudaMemcpyHostToDevice);
#ifdef ADVISED
  cudaMemcpy(host, data, sizeof host / 2, cudaMemcpyDeviceToHost);
#else
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
#endif
  cudaFree(data);
  return host[0];
}
// SPDX-License-Identifier: MIT
