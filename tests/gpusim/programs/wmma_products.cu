// expect: half row col 16x16x16: 0 of 256 differ
// expect: half col row 16x16x16: 0 of 256 differ
// expect: half 32x8x16: 0 of 256 differ
// expect: half 8x32x16: 0 of 256 differ
// expect: half, sums of half: 0 of 256 differ
// expect: half, sums of half from float: 0 of 256 differ
// expect: bfloat 16x16x16: 0 of 256 differ
// expect: tf32 16x16x8: 0 of 256 differ
// expect: signed bytes: 0 of 256 differ
// expect: unsigned bytes 32x8x16: 0 of 256 differ
// expect: double 8x8x4: 0 of 64 differ
// expect: elements 16 16 8, scaled: 0 of 256 differ
//
// mma.h: every kind of fragment against the sums of the definition. All are exact.
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

template <class Layout>
constexpr bool kIsRow = false;
template <>
constexpr bool kIsRow<wmma::row_major> = true;

template <int M, int N, int K, class T, class La, class Lb, class C, class D, class S>
__global__ void product(const S* a, const S* b, const C* c, D* d, float scale) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, La> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, Lb> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd;
  wmma::fill_fragment(fd, D(0.0f));
  wmma::load_matrix_sync(fa, a, kIsRow<La> ? K : M);
  wmma::load_matrix_sync(fb, b, kIsRow<Lb> ? N : K);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  if (scale != 1)
    for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = S(float(fa.x[i]) * scale);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, M, wmma::mem_col_major);
}

template <int M, int N, int K, class T, class La, class Lb, class C, class D, class S = T>
void run(const char* name, float scale = 1) {
  S *a, *b;
  C* c;
  D* d;
  cudaMallocManaged(&a, M * K * sizeof *a);
  cudaMallocManaged(&b, K * N * sizeof *b);
  cudaMallocManaged(&c, M * N * sizeof *c);
  cudaMallocManaged(&d, M * N * sizeof *d);
  std::vector<float> wide_a(M * K), wide_b(K * N);
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k)
      a[kIsRow<La> ? i * K + k : k * M + i] = S(wide_a[i * K + k] = float((i * 7 + k * 5) % 11));
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j)
      b[kIsRow<Lb> ? k * N + j : j * K + k] = S(wide_b[k * N + j] = float((k * 3 + j * 13) % 7));
  for (int i = 0; i < M * N; ++i) c[i] = C(float(i % 5));
  product<M, N, K, T, La, Lb><<<1, 32>>>(a, b, c, d, scale);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = float((i * N + j) % 5);
      for (int k = 0; k < K; ++k) sum += wide_a[i * K + k] * scale * wide_b[k * N + j];
      wrong += float(d[j * M + i]) != sum;
    }
  std::printf("%s: %d of %d differ\n", name, wrong, M * N);
}

int main() {
  using row = wmma::row_major;
  using col = wmma::col_major;
  run<16, 16, 16, half, row, col, float, float>("half row col 16x16x16");
  run<16, 16, 16, half, col, row, float, float>("half col row 16x16x16");
  run<32, 8, 16, half, row, row, float, float>("half 32x8x16");
  run<8, 32, 16, half, row, row, float, float>("half 8x32x16");
  run<16, 16, 16, half, row, col, half, half>("half, sums of half");
  run<16, 16, 16, half, row, row, float, half>("half, sums of half from float");
  run<16, 16, 16, __nv_bfloat16, row, col, float, float>("bfloat 16x16x16");
  run<16, 16, 8, wmma::precision::tf32, row, row, float, float, float>("tf32 16x16x8");
  run<16, 16, 16, signed char, row, col, int, int>("signed bytes");
  run<32, 8, 16, unsigned char, col, row, int, int>("unsigned bytes 32x8x16");
  run<8, 8, 4, double, row, col, double, double>("double 8x8x4");
  const wmma::fragment<wmma::matrix_a, 16, 16, 16, half, row>* a = nullptr;
  const wmma::fragment<wmma::accumulator, 16, 16, 16, float>* c = nullptr;
  std::printf("elements %d %d %d, ", int(a->num_elements), int(wmma::fragment<wmma::matrix_b, 16, 16, 16, half, col>::num_elements),
              int(c->num_elements));
  run<16, 16, 16, half, row, col, float, float>("scaled", 0.5f);
}
// SPDX-License-Identifier: MIT
