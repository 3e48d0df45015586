// Kernels as people write them to practise, to teach and to measure: layers of networks, filters of images,
// matrices, simulations, codes and searches, for the time model to be held against.
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/practice.cu -o practice && ./practice > practice_h100.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/practice.cu -o practice && GPUSIM_MACHINE=h100 ./practice
#include "practice_codes.cuh"
#include "practice_images.cuh"
#include "practice_integers.cuh"
#include "practice_layers.cuh"
#include "practice_matrices.cuh"
#include "practice_networks.cuh"
#include "practice_physics.cuh"
#include "program.cuh"

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] {
    outside::layer_rows();
    outside::network_rows();
    outside::byte_image_rows();
    outside::float_image_rows();
    outside::matrix_practice_rows();
    outside::physics_rows();
    outside::code_rows();
    outside::integer_rows();
  });
}
// SPDX-License-Identifier: MIT
