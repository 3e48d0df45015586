// expect-finding: never ends 16
// expect-text: have not started, because only 1 at a time fit on the GPU
// advice: (ADVISED) do not wait for a block that may not be running
// A barrier of the whole grid, with more blocks than there is room for: those that run wait for those that do not.
#include <gpusim/check.h>

__global__ void meet(unsigned* arrived) {
  if (threadIdx.x == 0) {
#ifdef ADVISED
    // It waits for those that came before it.
    const unsigned before = atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < before) {
    }
#else
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
#endif
  }
}

int main() {
  unsigned* arrived;
  cudaMalloc(&arrived, sizeof(unsigned));
  cudaMemset(arrived, 0, sizeof(unsigned));
#ifdef FIXED
  gpusim::set_turns({{}, 4});
#else
  gpusim::set_turns({{}, 1});
#endif
  meet<<<4, 64>>>(arrived);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(arrived);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
