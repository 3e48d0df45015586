// expect-finding: part of a warp 19
// expect-text: all lanes of the warp must execute it together
// advice: all lanes of the warp must execute it together
// A product of matrices belongs to the whole warp: half of it has left.
#include <mma.h>

using namespace nvcuda;

__global__ void square(const half* a, float* out) {
#ifndef FIXED
  if (threadIdx.x >= 16) return;
#endif
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, a, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

int main() {
  half* a;
  float* out;
  cudaMalloc(&a, 256 * sizeof(half));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(half));
  square<<<1, 32>>>(a, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
