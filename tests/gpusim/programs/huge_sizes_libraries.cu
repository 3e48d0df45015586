// needs: libopenblas.so.0 libblas.so.3
// options: -lcublas -lcurand -lnccl
// expect: cuBLAS: a step of 2^31, m and lda of 2^31, a batch far away: 9 of 9 fail
// expect: cuBLAS: no such side, no such diagonal: CUBLAS_STATUS_INVALID_VALUE CUBLAS_STATUS_INVALID_VALUE
// expect: cuRAND: 4 of 4 fail
// expect: NCCL: 10 of 10 are invalid arguments
// expect-error: cublasZgemm: A is of more than 2^64 bytes at 0x
// expect-error: gpusim: ncclAllGather of rank 0: the buffer to send is of more than 2^64 bytes
// expect-error: gpusim: ncclCommInitRank: there cannot be 2147483647 ranks, but 16 GPUs at most
//
// Sizes whose products wrap round, given to libraries: each is refused or a fault, none is taken for what is left of it.
#include <cublas_v2.h>
#include <curand.h>
#include <nccl.h>

#include <climits>
#include <cstdint>
#include <cstdio>

constexpr size_t kHalf = size_t(1) << 63, kRoot = size_t(1) << 32;

// A call that reads beyond its operand is a fault of the GPU, which is new for the next.
template <class Call> bool fails(Call call) {
  cudaDeviceReset();
  cublasHandle_t handle;
  cublasCreate(&handle);
  void* memory;
  cudaMalloc(&memory, 256);
  const bool failed = call(handle, memory) != CUBLAS_STATUS_SUCCESS;
  cudaDeviceSynchronize();
  cudaDeviceReset();
  cudaGetLastError();
  return failed;
}

template <class T, class Gemm> int products(Gemm gemm) {
  const T one = {};
  const auto square = [&](int m, int n, int k, int lda, int ldb, int ldc) {
    return fails([&](cublasHandle_t h, void* at) {
      T* const A = static_cast<T*>(at);
      return gemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, A, lda, A, ldb, &one, A, ldc);
    });
  };
  return square(INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX) + square(1, 1, INT_MAX, INT_MAX, INT_MAX, 1) +
         square(-1, INT_MIN, 1, INT_MIN, 1, 1);
}

void blas() {
  int failed = products<float>(cublasSgemm) + products<cuDoubleComplex>(cublasZgemm);
  const float one = 1;
  failed += fails([&](cublasHandle_t h, void* at) { return cublasSaxpy(h, 3, &one, (float*)at, INT_MIN, (float*)at, 1); });
  failed += fails([&](cublasHandle_t h, void* at) {
    float* const A = static_cast<float*>(at);
    return cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, A, 1, LLONG_MAX / 2, A, 1, 0, &one, A, 1, 0, 4);
  });
  failed += fails([&](cublasHandle_t h, void* at) {
    return cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, INT_MAX, INT_MAX, INT_MAX, &one, at, CUDA_R_32F, INT_MAX, at, CUDA_R_32F,
                        INT_MAX, &one, at, CUDA_R_32F, INT_MAX, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
  std::printf("cuBLAS: a step of 2^31, m and lda of 2^31, a batch far away: %d of 9 fail\n", failed);
  cublasHandle_t handle;
  cublasCreate(&handle);
  float* A;
  cudaMalloc(&A, 256);
  std::printf("cuBLAS: no such side, no such diagonal: %s %s\n",
              cublasGetStatusName(cublasSsymm(handle, cublasSideMode_t(7), CUBLAS_FILL_MODE_LOWER, 4, 4, &one, A, 4, A, 4, &one, A, 4)),
              cublasGetStatusName(cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, cublasDiagType_t(7), 4, A, 4, A, 1)));
}

void random_numbers() {
  int failed = 0;
  for (const size_t count : {kHalf, SIZE_MAX / 4 + 2, SIZE_MAX / 8 + 2, kRoot * 4}) {
    curandGenerator_t generator;
    double* memory;
    cudaMalloc(&memory, 256);
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    failed += curandGenerateUniformDouble(generator, memory, count) != CURAND_STATUS_SUCCESS;
    cudaDeviceSynchronize();
    cudaDeviceReset();
    cudaGetLastError();
  }
  std::printf("cuRAND: %d of 4 fail\n", failed);
}

void collectives() {
  ncclComm_t comm, others[2];
  float* memory;
  cudaMalloc(&memory, 256);
  ncclCommInitAll(&comm, 1, nullptr);
  int refused = 0;
  for (const size_t count : {kHalf, SIZE_MAX, SIZE_MAX / 4 + 2, kRoot}) {
    refused += ncclAllReduce(memory, memory, count, ncclFloat, ncclSum, comm, nullptr) == ncclInvalidArgument;
    refused += ncclAllGather(memory, memory, count, ncclDouble, comm, nullptr) == ncclInvalidArgument;
  }
  ncclUniqueId id;
  ncclGetUniqueId(&id);
  refused += ncclCommInitAll(others, INT_MAX, nullptr) == ncclInvalidArgument;
  refused += ncclCommInitRank(others, INT_MAX, id, 0) == ncclInvalidArgument;
  std::printf("NCCL: %d of 10 are invalid arguments\n", refused);
}

int main() {
  blas();
  random_numbers();
  collectives();
}
// SPDX-License-Identifier: MIT
