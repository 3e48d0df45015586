// expect: managed memory: 7
// expect: mapped memory: 7
// expect: no other thread to set it: the launch timed out and was terminated
// expect-error: It reads memory that the host can write
#include <chrono>
#include <cstdio>
#include <thread>

// A kernel may wait for what another thread of the host stores meanwhile.
__global__ void wait_for(volatile int* flag, int* out) {
  while (*flag == 0) {}
  *out = 7;
}

static void set_late(volatile int* flag) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  *flag = 1;
}

int main() {
  int *managed, *mapped, *out;
  cudaMallocManaged(&managed, sizeof(int));
  cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped);
  cudaMallocManaged(&out, sizeof(int));
  for (int* const flag : {managed, mapped}) {
    *flag = *out = 0;
    std::thread setter(set_late, flag);
    wait_for<<<1, 1>>>(flag, out);
    cudaDeviceSynchronize();
    setter.join();
    std::printf("%s memory: %d\n", flag == managed ? "managed" : "mapped", *out);
  }
  *managed = 0;
  wait_for<<<1, 1>>>(managed, out);
  std::printf("no other thread to set it: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
