// Kernels of other kinds than the tutorial's, for the time model to be held against: nobody looked at their times while it was
// made. One source for both sides: nvcc's program measures, simcc's predicts.
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/outside.cu -o outside && ./outside > outside_h200.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/outside.cu -o outside && GPUSIM_MACHINE=h200 ./outside
//
// An argument names the kernels that are run: those in whose name it stands.
#include "arithmetic.cuh"
#include "memory.cuh"
#include "program.cuh"
#include "shared.cuh"

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] {
    outside::memory_rows();
    outside::shared_rows();
    outside::arithmetic_rows();
  });
}
// SPDX-License-Identifier: MIT
