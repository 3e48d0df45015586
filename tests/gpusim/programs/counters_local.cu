// expect: constant_index   0 loads  0 stores of local memory
// expect: computed_index   1 loads  4 stores of local memory
// An array of a thread's own: in registers while the compiler knows every index, else in local memory.
#include <cstdio>

#include <gpusim/report.h>

__device__ float in[128], out[32];

// ANCHOR: kernels
__global__ void constant_index() {
  const float mine[4] = {in[threadIdx.x], in[threadIdx.x + 32], in[threadIdx.x + 64], in[threadIdx.x + 96]};
  out[threadIdx.x] = mine[3];  // element 3, whatever happens: a register has a name, and this is it
}
__global__ void computed_index(int k) {
  const float mine[4] = {in[threadIdx.x], in[threadIdx.x + 32], in[threadIdx.x + 64], in[threadIdx.x + 96]};
  out[threadIdx.x] = mine[k];  // which one is known at run time only: the array needs addresses
}
// ANCHOR_END: kernels

void show(const char* kernel) {
  const gpusim::LocalCounters& local = gpusim::last_report().total.local;
  std::printf("%-16s %d loads  %d stores of local memory\n", kernel, int(local.load.requests),
              int(local.store.requests));
}

int main() {
  gpusim::enable_reports();
  constant_index<<<1, 32>>>();
  show("constant_index");
  computed_index<<<1, 32>>>(3);
  show("computed_index");
}
// SPDX-License-Identifier: MIT
