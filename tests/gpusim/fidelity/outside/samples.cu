// More kernels for the time model to be held against, of kinds that public collections of samples have: images, matrices, layers
// of networks, sums, sorts, searches, graphs, random numbers. What the model said was written down and published before
// anybody measured them (common/gpusim/timing/unseen/samples_h200.json and samples_h100.json name that commit).
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/samples.cu -o samples && ./samples > samples_h200.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/samples.cu -o samples && GPUSIM_MACHINE=h200 ./samples
#include "program.cuh"
#include "samples_images.cuh"
#include "samples_matrices.cuh"
#include "samples_sequences.cuh"

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] {
    outside::image_rows();
    outside::matrix_rows();
    outside::sequence_rows();
  });
}
// SPDX-License-Identifier: MIT
