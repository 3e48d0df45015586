// needs: libopenblas.so.0 libblas.so.3
// options: -lcublas
// expect: C: 22 28 49 64
// expect: transposed: 14 32 32 77
// expect: scaled and added: 45 57 99 129
// expect: batch 0: 1 2 3 4
// expect: batch 1: 10 12 14 16
// expect: batch 2: 27 30 33 36
// expect: pointers: 1 2 3 4 10 12 14 16
// expect: doubles: 22 28 49 64
// expect: complex: -1 3
// expect: triangle: 2 3 4
// expect: sum of matrices: 11 42 23 54
// expect: times a diagonal: 1 2 30 40
// expect: upper half of a square: 10 0 14 20
// cublasSgemm and its kin: matrices lie column by column.
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    cublasStatus_t status = (call);                                                         \
    if (status != CUBLAS_STATUS_SUCCESS) {                                                  \
      std::printf("%s:%d: %s\n", "cublas", __LINE__, cublasGetStatusString(status));        \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)

template <class T> T* on_device(const std::vector<T>& values) {
  T* pointer;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}
template <class T> void show(const char* what, const T* device, int count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", what);
  for (T value : values) std::printf(" %g", double(value));
  std::printf("\n");
}

int main() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  const float one = 1, zero = 0, two = 2;
  float* A = on_device<float>({1, 2, 3, 4, 5, 6});         // 2 x 3
  float* B = on_device<float>({1, 2, 3, 4, 5, 6});         // 3 x 2
  float* C = on_device<float>({0, 0, 0, 0});
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, A, 2, B, 3, &zero, C, 2));
  show("C", C, 4);
  float* D = on_device<float>({0, 0, 0, 0});
  CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 3, &one, B, 3, B, 3, &zero, D, 2));
  show("transposed", D, 4);
  float* E = on_device<float>({1, 1, 1, 1});
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &two, A, 2, B, 3, &one, E, 2));
  show("scaled and added", E, 4);

  // Three products of 2 x 2: 1, 2 and 3 times the unit matrix.
  float* units = on_device<float>({1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 3});
  float* squares = on_device<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  float* results = on_device<float>(std::vector<float>(12));
  CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, units, 2, 4, squares, 2, 4, &zero,
                                  results, 2, 4, 3));
  show("batch 0", results, 4);
  show("batch 1", results + 4, 4);
  show("batch 2", results + 8, 4);
  cudaMemset(results, 0, 8 * sizeof(float));
  float** left = on_device<float*>({units, units + 4});
  float** right = on_device<float*>({squares, squares + 4});
  float** out = on_device<float*>({results, results + 4});
  CHECK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, left, 2, right, 2, &zero, out, 2, 2));
  show("pointers", results, 8);

  const double done = 1, dzero = 0;
  double* dA = on_device<double>({1, 2, 3, 4, 5, 6});
  double* dC = on_device<double>({0, 0, 0, 0});
  CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &done, dA, 2, dA, 3, &dzero, dC, 2));
  show("doubles", dC, 4);

  const cuComplex cone = make_cuComplex(1, 0), czero = make_cuComplex(0, 0);
  cuComplex* z = on_device<cuComplex>({make_cuComplex(1, 1)});
  cuComplex* w = on_device<cuComplex>({make_cuComplex(1, 2)});
  cuComplex* product = on_device<cuComplex>({czero});
  CHECK(cublasCgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &cone, z, 1, w, 1, &czero, product, 1));
  show("complex", reinterpret_cast<float*>(product), 2);

  float* L = on_device<float>({1, 1, 1, 0, 1, 1, 0, 0, 1});
  float* b = on_device<float>({2, 5, 9});
  CHECK(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, 1, &one, L,
                    3, b, 3));
  show("triangle", b, 3);

  float* F = on_device<float>({1, 2, 3, 4});
  float* G = on_device<float>({10, 20, 40, 50});
  CHECK(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, &one, F, 2, &one, G, 2, C, 2));
  show("sum of matrices", C, 4);
  float* diagonal = on_device<float>({1, 10});
  CHECK(cublasSdgmm(handle, CUBLAS_SIDE_RIGHT, 2, 2, F, 2, diagonal, 1, C, 2));
  show("times a diagonal", C, 4);
  cudaMemset(C, 0, 4 * sizeof(float));
  CHECK(cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &one, F, 2, &zero, C, 2));
  show("upper half of a square", C, 4);
  CHECK(cublasDestroy(handle));
}
// SPDX-License-Identifier: MIT
