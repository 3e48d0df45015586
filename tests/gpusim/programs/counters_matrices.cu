// expect: copy_4                    1 requests    4 sectors   1 wavefronts   0 conflicts
// expect: copy_8                    1 requests    8 sectors   1 wavefronts   0 conflicts
// expect: copy_16                   1 requests   16 sectors   1 wavefronts   0 conflicts
// expect: copy_16_cg                1 requests   16 sectors   1 wavefronts   0 conflicts
// expect: copy_4_stride_2           1 requests    8 sectors   1 wavefronts   0 conflicts
// expect: copy_4_stride_16          1 requests   32 sectors   1 wavefronts   0 conflicts
// expect: copy_16_stride_2          1 requests   32 sectors   1 wavefronts   0 conflicts
// expect: copy_16_cg_stride_2       1 requests   32 sectors   1 wavefronts   0 conflicts
// expect: ldmatrix_x1              33 requests  132 sectors   1 wavefronts   0 conflicts
// expect: ldmatrix_x2              33 requests  132 sectors   2 wavefronts   0 conflicts
// expect: ldmatrix_x4              33 requests  132 sectors   4 wavefronts   0 conflicts
// expect: ldmatrix_x4_rows_of_128  33 requests  132 sectors  32 wavefronts  28 conflicts
// expect: ldmatrix_x4_rows_of_112  33 requests  132 sectors   4 wavefronts   0 conflicts
// expect: ldmatrix_x4_rows_of_80   33 requests  132 sectors   4 wavefronts   0 conflicts
// expect: half2_load                1 requests    4 sectors   0 wavefronts   0 conflicts
// expect: wmma_global               8 requests   64 sectors   0 wavefronts   0 conflicts
// expect-error: GPUSIM_CHECK=all
// options: -std=c++17
//
// Copies into shared memory, rows of matrices and halves, by one warp: what is expected is what ncu counts of them on an H100
// (CUDA 13.0): loads of global memory, a copy's among them, and what loads of shared memory take, ldmatrix among them.
#include <cstdio>

#include <cuda_fp16.h>
#include <gpusim/report.h>
#include <mma.h>

__device__ unsigned at(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

#define COPY(name, mode, bytes, index)                                                                  \
  __global__ void name(const char* in, int* out) {                                                      \
    __shared__ __align__(16) char tile[32 * 16 * 4];                                                    \
    const int t = threadIdx.x;                                                                          \
    asm volatile("cp.async." mode ".shared.global [%0], [%1], " #bytes ";"                              \
                 ::"r"(at(tile + bytes * (index))), "l"(in + bytes * (index))                           \
                 : "memory");                                                                           \
    asm volatile("cp.async.wait_all;" ::: "memory");                                                    \
    __syncwarp();                                                                                       \
    out[t] = *reinterpret_cast<int*>(tile + 4 * t);                                                     \
  }
COPY(copy_4, "ca", 4, t)
COPY(copy_8, "ca", 8, t)
COPY(copy_16, "ca", 16, t)
COPY(copy_16_cg, "cg", 16, t)
COPY(copy_4_stride_2, "ca", 4, 2 * t)
COPY(copy_4_stride_16, "ca", 4, 16 * t)
COPY(copy_16_stride_2, "ca", 16, 2 * t)
COPY(copy_16_cg_stride_2, "cg", 16, 2 * t)

// Matrices whose rows begin so many bytes apart.
template <int kMatrices, int kStep>
__global__ void rows(const int* in, int* out) {
  __shared__ __align__(16) char tile[32 * 16 * 8 + 128];
  const int t = threadIdx.x;
  for (int i = t; i < int(sizeof tile) / 4; i += 32) reinterpret_cast<int*>(tile)[i] = in[i];
  __syncwarp();
  const unsigned row = at(tile + t % (8 * kMatrices) * kStep);
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (kMatrices == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(row));
  if (kMatrices == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(row));
  if (kMatrices == 4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));
  out[t] = a ^ b ^ c ^ d;
}
__global__ void half2_load(const half2* in, half2* out) { out[threadIdx.x] = __hadd2(in[threadIdx.x], in[threadIdx.x]); }
__global__ void wmma_global(const half* a, float* out) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a + 256, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}

template <class Kernel, class In, class Out>
void show(const char* name, Kernel kernel, In* in, Out* out) {
  kernel<<<1, 32>>>(in, out);
  const gpusim::Counters& counted = gpusim::last_report().total;
  std::printf("%-24s%3d requests %4d sectors %3d wavefronts %3d conflicts\n", name, int(counted.global.load.requests),
              int(counted.global.load.sectors), int(counted.shared.load.wavefronts), int(counted.shared.load.bank_conflicts()));
}

int main() {
  gpusim::enable_reports();
  char* in;
  int* out;
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1 << 12);
  cudaMemset(in, 0, 1 << 16);
#define SHOW(kernel) show(#kernel, kernel, in, out)
  SHOW(copy_4);
  SHOW(copy_8);
  SHOW(copy_16);
  SHOW(copy_16_cg);
  SHOW(copy_4_stride_2);
  SHOW(copy_4_stride_16);
  SHOW(copy_16_stride_2);
  SHOW(copy_16_cg_stride_2);
  int* const words = reinterpret_cast<int*>(in);
  show("ldmatrix_x1", rows<1, 16>, words, out);
  show("ldmatrix_x2", rows<2, 16>, words, out);
  show("ldmatrix_x4", rows<4, 16>, words, out);
  show("ldmatrix_x4_rows_of_128", rows<4, 128>, words, out);
  show("ldmatrix_x4_rows_of_112", rows<4, 112>, words, out);
  show("ldmatrix_x4_rows_of_80", rows<4, 80>, words, out);
  show("half2_load", half2_load, reinterpret_cast<half2*>(in), reinterpret_cast<half2*>(out));
  show("wmma_global", wmma_global, reinterpret_cast<half*>(in), reinterpret_cast<float*>(out));
  cudaFree(in);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
