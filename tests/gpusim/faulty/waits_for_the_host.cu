// expect-finding: never ends 11
// expect-text: the launching host thread continues only when the kernel has ended
// advice: write before the launch
// advice: (ADVISED) from another host thread
// A kernel waits for a flag that the host sets behind the launch.
#include <cuda_runtime.h>

#include <thread>

__global__ void wait_for_flag(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 1;
}

int main() {
  int *flag, *out;
  cudaMallocHost(&flag, sizeof *flag);
  cudaMalloc(&out, sizeof *out);
  volatile int* const host_flag = flag;
  *host_flag = 0;
#ifdef FIXED
  *host_flag = 1;
#elif defined ADVISED
  std::thread other([=] { *host_flag = 1; });
#endif
  wait_for_flag<<<1, 1>>>(flag, out);
#ifdef ADVISED
  other.join();
#elif !defined FIXED
  *host_flag = 1;
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  cudaFreeHost(flag);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
