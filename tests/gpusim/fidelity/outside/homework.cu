// Kernels as courses, problem sets, benchmarks and public repositories have them: elements, norms, weights of
// few bits, products, small systems, reductions, orders, tables, letters, ciphers, prices, signals, graphs
// and simulations, for the time model to be held against.
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/homework.cu -o homework && ./homework > homework_h100.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/homework.cu -o homework && GPUSIM_MACHINE=h100 ./homework
#include "homework_algebra.cuh"
#include "homework_cipher_rows.cuh"
#include "homework_elements.cuh"
#include "homework_graphs.cuh"
#include "homework_letter_rows.cuh"
#include "homework_norms.cuh"
#include "homework_orders.cuh"
#include "homework_prices.cuh"
#include "homework_products.cuh"
#include "homework_quants.cuh"
#include "homework_reduction_rows.cuh"
#include "homework_signal_rows.cuh"
#include "homework_simulation_rows.cuh"
#include "homework_tables.cuh"
#include "program.cuh"

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] {
    outside::element_rows();
    outside::norm_rows();
    outside::quant_rows();
    outside::product_rows();
    outside::algebra_rows();
    outside::reduction_rows();
    outside::scan_rows();
    outside::atomic_rows();
    outside::order_rows();
    outside::table_rows();
    outside::letter_rows();
    outside::cipher_rows();
    outside::price_rows();
    outside::signal_rows();
    outside::graph_rows();
    outside::simulation_rows();
  });
}
// SPDX-License-Identifier: MIT
