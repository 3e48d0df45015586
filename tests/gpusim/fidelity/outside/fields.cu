// Kernels of several fields, written by somebody who did not know the time model: images, physics, prices,
// sequences, ciphers, codes, matrices, graphs, layers, learning, orders, geometry and sums. The model is held
// against them.
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/fields.cu -o fields && ./fields > fields_h200.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/fields.cu -o fields && GPUSIM_MACHINE=h200 ./fields
#include "fields_ciphers.cuh"
#include "fields_codes.cuh"
#include "fields_geometry.cuh"
#include "fields_graphs.cuh"
#include "fields_images.cuh"
#include "fields_layers.cuh"
#include "fields_learning.cuh"
#include "fields_matrices.cuh"
#include "fields_orders.cuh"
#include "fields_physics.cuh"
#include "fields_prices.cuh"
#include "fields_sequences.cuh"
#include "fields_sums.cuh"
#include "program.cuh"

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] {
    outside::field_image_rows();
    outside::field_physics_rows();
    outside::field_price_rows();
    outside::field_sequence_rows();
    outside::field_cipher_rows();
    outside::field_code_rows();
    outside::field_matrix_rows();
    outside::field_graph_rows();
    outside::field_layer_rows();
    outside::field_learning_rows();
    outside::field_order_rows();
    outside::field_geometry_rows();
    outside::field_sum_rows();
  });
}
// SPDX-License-Identifier: MIT
