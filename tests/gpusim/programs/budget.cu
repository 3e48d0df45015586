// expect: loop: stopped after 100000 warp instructions: does this loop end? (GPUSIM_BUDGET=N allows more)
// expect: no loop: stopped after 1000 warp instructions, when 125 of 1000 blocks had ended (GPUSIM_BUDGET=N allows more)
// expect: enough for each warp: no error
//
// A launch that takes too long is stopped. Only where a loop goes on and on one is asked whether it ends.
#include <cstdio>
#include <string>

#include <gpusim/check.h>
#include <gpusim/report.h>

__global__ void endless(int* out, int step) {
  for (int k = 0; k < 10; k += step) atomicAdd(out, 1);
}
__global__ void no_loop(int* out) { out[blockIdx.x] = 1; }

void show(const char* name) {
  const cudaError_t error = cudaDeviceSynchronize();
  std::string what = gpusim::last_fault();
  what = what.substr(what.find(": ") + 2);
  std::printf("%s: %s\n", name, error ? what.substr(0, what.rfind(" (")).c_str() : "no error");
}

int main() {
  int* out;
  cudaMalloc(&out, 1000 * sizeof(int));
  cudaMemset(out, 0, 1000 * sizeof(int));
  gpusim::set_instruction_budget(100000);
  endless<<<1, 32>>>(out, 0);
  show("loop");
  cudaDeviceReset();
  cudaMalloc(&out, 1000 * sizeof(int));
  gpusim::set_instruction_budget(1000);
  no_loop<<<1000, 32>>>(out);
  show("no loop");
  cudaDeviceReset();
  cudaMalloc(&out, 1000 * sizeof(int));
  gpusim::set_instruction_budget(1000, 100);
  no_loop<<<1000, 32>>>(out);
  show("enough for each warp");
}
// SPDX-License-Identifier: MIT
