// expect: c 2^10, product below it sum 1024 products 0.0009765625 = 1024.00098
// expect: c 2^10, product below it sum 1024 products 0.00048828125 = 1024.00049
// expect: c 2^10, product below it sum 1024 products 0.000244140625 = 1024.00024
// expect: c 2^10, product below it sum 1024 products 0.000122070312 = 1024.00012
// expect: c 2^10, product below it sum 1024 products 6.10351562e-05 = 1024
// expect: c 2^10, product below it sum 1024 products 3.05175781e-05 = 1024
// expect: c 2^10, product below it sum 1024 products 1.52587891e-05 = 1024
// expect: c 2^10, product below it sum 1024 products 7.62939453e-06 = 1024
// expect: c -2^10, product below it sum -1024 products 0.0009765625 = -1023.99902
// expect: c -2^10, product below it sum -1024 products 0.00048828125 = -1023.99951
// expect: c -2^10, product below it sum -1024 products 0.000244140625 = -1023.99976
// expect: c -2^10, product below it sum -1024 products 0.000122070312 = -1023.99988
// expect: c -2^10, product below it sum -1024 products 6.10351562e-05 = -1023.99994
// expect: c -2^10, product below it sum -1024 products 3.05175781e-05 = -1023.99994
// expect: c -2^10, product below it sum -1024 products 1.52587891e-05 = -1024
// expect: c -2^10, product below it sum -1024 products 7.62939453e-06 = -1024
// expect: products 2^10 and -2^10 sum 0 products 1024 0.0009765625 -1024 = 0.0009765625
// expect: products 2^10 and -2^10 sum 0 products 1024 0.00048828125 -1024 = 0.00048828125
// expect: products 2^10 and -2^10 sum 0 products 1024 0.000244140625 -1024 = 0.000244140625
// expect: products 2^10 and -2^10 sum 0 products 1024 0.000122070312 -1024 = 0.000122070312
// expect: products 2^10 and -2^10 sum 0 products 1024 6.10351562e-05 -1024 = 6.10351562e-05
// expect: products 2^10 and -2^10 sum 0 products 1024 3.05175781e-05 -1024 = 3.05175781e-05
// expect: products 2^10 and -2^10 sum 0 products 1024 1.52587891e-05 -1024 = 0
// expect: products 2^10 and -2^10 sum 0 products 1024 7.62939453e-06 -1024 = 0
// expect: 8 apart sum 0 products 1024 0.0009765625 0 0 0 0 0 0 -1024 = 0.0009765625
// expect: 8 apart sum 0 products 1024 0.00048828125 0 0 0 0 0 0 -1024 = 0.00048828125
// expect: 8 apart sum 0 products 1024 0.000244140625 0 0 0 0 0 0 -1024 = 0.000244140625
// expect: 8 apart sum 0 products 1024 0.000122070312 0 0 0 0 0 0 -1024 = 0.000122070312
// expect: 8 apart sum 0 products 1024 6.10351562e-05 0 0 0 0 0 0 -1024 = 6.10351562e-05
// expect: 8 apart sum 0 products 1024 3.05175781e-05 0 0 0 0 0 0 -1024 = 3.05175781e-05
// expect: 8 apart sum 0 products 1024 1.52587891e-05 0 0 0 0 0 0 -1024 = 0
// expect: 8 apart sum 0 products 1024 7.62939453e-06 0 0 0 0 0 0 -1024 = 0
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 = 1024
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 = 1024.00012
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 6.10351562e-05 = 1024.00012
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 = 1024.00024
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 = 1024.00024
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 = 1024.00037
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 = 1024.00037
// expect: c 2^10, n products of 2^-14 sum 1024 products 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 6.10351562e-05 = 1024.00049
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 = 1024
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 = 1024
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 3.05175781e-05 = 1024
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 = 1024.00012
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 = 1024.00012
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 = 1024.00012
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 = 1024.00012
// expect: c 2^10, n products of 2^-15 sum 1024 products 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 3.05175781e-05 = 1024.00024
// options: -std=c++17
//
// How many bits of small products a tensor core keeps beside a large term: what is expected was printed by a GPU of compute capability 9.0 (CUDA 13.0).
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdio>
#include <cmath>
using namespace nvcuda;

__global__ void run(const half* a, const half* b, const float* c, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, b, 16); wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
}

int main() {
  half *a, *b; float *c, *d;
  cudaMallocManaged(&a, 512); cudaMallocManaged(&b, 512); cudaMallocManaged(&c, 1024); cudaMallocManaged(&d, 1024);
  const auto ask = [&](const char* what, float sum, int n, const float* products) {
    for (int i = 0; i < 256; ++i) a[i] = b[i] = __float2half(0), c[i] = 0;
    for (int k = 0; k < n; ++k) { int e; const float m = std::frexp(products[k], &e); a[k] = __float2half(std::ldexp(m, e / 2)); b[k] = __float2half(std::ldexp(1.0f, e - e / 2)); }
    c[0] = sum;
    run<<<1, 32>>>(a, b, c, d); cudaDeviceSynchronize();
    std::printf("%s sum %.9g products", what, sum);
    for (int k = 0; k < n; ++k) std::printf(" %.9g", products[k]);
    std::printf(" = %.9g\n", d[0]);
  };
  for (int e = 20; e <= 27; ++e) { const float p[] = {std::ldexp(1.0f, -e + 10)}; ask("c 2^10, product below it", 1024, 1, p); }
  for (int e = 20; e <= 27; ++e) { const float p[] = {std::ldexp(1.0f, -e + 10)}; ask("c -2^10, product below it", -1024, 1, p); }
  for (int e = 20; e <= 27; ++e) { const float p[] = {1024, std::ldexp(1.0f, -e + 10), std::ldexp(-1.0f, 10)}; ask("products 2^10 and -2^10", 0, 3, p); }
  for (int e = 20; e <= 27; ++e) { const float p[] = {1024, std::ldexp(1.0f, -e + 10), 0, 0, 0, 0, 0, 0, -1024}; ask("8 apart", 0, 9, p); }
  for (int n = 1; n <= 8; ++n) { float p[8]; for (float& x : p) x = std::ldexp(1.0f, -24 + 10); ask("c 2^10, n products of 2^-14", 1024, n, p); }
  for (int n = 1; n <= 8; ++n) { float p[8]; for (float& x : p) x = std::ldexp(1.0f, -25 + 10); ask("c 2^10, n products of 2^-15", 1024, n, p); }
}
// SPDX-License-Identifier: MIT
