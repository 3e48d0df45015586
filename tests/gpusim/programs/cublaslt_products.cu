// needs: libopenblas.so.0 libblas.so.3
// options: -std=c++17 -lcublasLt
// expect: algorithms 1
// expect: product: 5 11 17 -1 -3 -5
// expect: transposed: 5 11 17 -1 -3 -5
// expect: by rows: 5 -1 11 -3 17 -5
// expect: plus 10: 15 21 27 9 7 5
// expect: scalars of the device: 10 22 34 -2 -6 -10
// expect: batch: 5 11 17 -1 -3 -5 2 4 6 1 3 5
// expect: relu: 5 11 17 0 0 0
// expect: bias: 6 13 -3 0 -1 -25
// expect: relu of bias: 6 13 0 0 0 0
// expect: half, bias of half: 6 13 -3 0 -1 -25
// expect: half, bias of float: CUBLAS_STATUS_INVALID_VALUE
// expect: a bias that nobody reads: CUBLAS_STATUS_INVALID_VALUE
// expect: gradients of biases: 3 7 11, 3 -1
// expect: of a plain B: CUBLAS_STATUS_NOT_SUPPORTED
// expect: gelu: 0.8412 -0.1588, of 1 -1
// expect: gelu of bias: 0.8412 -0.1588, of 1 -1
// expect: gradient of gelu: 2.1659 -0.1659, bias 2.0000
// expect: without a workspace: refused
// expect: shapes that do not fit: CUBLAS_STATUS_INVALID_VALUE
// expect: algorithms 0
// expect-error: cublasLtMatmul: epilogue BGRADA takes an A that is not transposed, and BGRADB a transposed B
// expect-error: cublasLtMatmul: an epilogue with BGRAD takes a workspace
// Products by cublasLtMatmul, with the layouts, types and epilogues that descriptors say. A (3 x 2) times B (2 x 2) by hand:
// (1 2; 3 4; 5 6) (1 -1; 2 0) = (5 -1; 11 -3; 17 -5).
#include <cublasLt.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

template <class T> T* on_device(const std::vector<float>& values) {
  std::vector<T> converted(values.size());
  for (size_t i = 0; i < values.size(); ++i) converted[i] = T(values[i]);
  T* pointer;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, converted.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}
template <class T> std::vector<float> on_host(const T* device, int count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::vector<float> converted;
  for (T value : values) converted.push_back(float(value));
  return converted;
}
template <class T> void show(const char* what, const T* device, int count, const char* format = " %g") {
  std::printf("%s", what);
  for (float value : on_host(device, count)) std::printf(format, value);
}

cublasLtHandle_t handle;

struct Matrix {
  const void* pointer;
  cublasLtMatrixLayout_t layout;
  Matrix(const void* pointer, int rows, int columns, int ld, cudaDataType type = CUDA_R_32F) : pointer(pointer) {
    cublasLtMatrixLayoutCreate(&layout, type, rows, columns, ld);
  }
  Matrix by_rows() {
    const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
    return *this;
  }
  Matrix batch(int count, int64_t offset) {
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset, sizeof offset);
    return *this;
  }
};

struct Product {
  cublasLtMatmulDesc_t description;
  float one = 1, zero = 0;
  const void *alpha = &one, *beta = &zero;
  void* workspace = nullptr;
  Product() { cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F); }
  ~Product() { cublasLtMatmulDescDestroy(description); }
  template <class T> Product& with(cublasLtMatmulDescAttributes_t attribute, T value) {
    if (cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value)) std::printf("attribute %d?\n", attribute);
    return *this;
  }
  Product& epilogue(cublasLtEpilogue_t value, const void* bias = nullptr, const void* aux = nullptr) {
    with(CUBLASLT_MATMUL_DESC_EPILOGUE, value).with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    return with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux).with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(8));
  }
  Product& with_workspace() {
    cudaMalloc(&workspace, 1 << 20);
    return *this;
  }
  int algorithms(Matrix A, Matrix B, Matrix C, Matrix D) {
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulPreferenceCreate(&preference);
    const size_t workspace = 1 << 20;
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace);
    cublasLtMatmulHeuristicResult_t result;
    int found = 0;
    cublasLtMatmulAlgoGetHeuristic(handle, description, A.layout, B.layout, C.layout, D.layout, preference, 1, &result, &found);
    cublasLtMatmulPreferenceDestroy(preference);
    return found;
  }
  cublasStatus_t run(Matrix A, Matrix B, Matrix C, Matrix D) {
    return cublasLtMatmul(handle, description, alpha, A.pointer, A.layout, B.pointer, B.layout, beta, C.pointer, C.layout,
                          const_cast<void*>(D.pointer), D.layout, nullptr, workspace, workspace ? 1 << 20 : 0, 0);
  }
  cublasStatus_t run(Matrix A, Matrix B, Matrix D) { return run(A, B, D, D); }
};

int main() {
  cublasLtCreate(&handle);
  float *a = on_device<float>({1, 3, 5, 2, 4, 6}), *rows = on_device<float>({1, 2, 3, 4, 5, 6});
  float *b = on_device<float>({1, 2, -1, 0, 0, 1, 1, 0}), *tens = on_device<float>({10, 10, 10, 10, 10, 10});
  float *d = on_device<float>(std::vector<float>(12)), *bias = on_device<float>({1, 2, -20});
  const Matrix A(a, 3, 2, 3), B(b, 2, 2, 2), D(d, 3, 2, 3);
  std::printf("algorithms %d\n", Product().algorithms(A, B, D, D));
  Product().run(A, B, D);
  show("product:", d, 6);
  Product().with(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T).run(Matrix(rows, 2, 3, 2), B, D);
  show("\ntransposed:", d, 6);
  Product().run(Matrix(rows, 3, 2, 2).by_rows(), B, Matrix(d, 3, 2, 2).by_rows());
  show("\nby rows:", d, 6);
  Product plus;
  plus.beta = &plus.one;
  plus.run(A, B, Matrix(tens, 3, 2, 3), D);
  show("\nplus 10:", d, 6);
  Product of_device;
  of_device.alpha = on_device<float>({2}), of_device.beta = on_device<float>({0});
  of_device.with(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_DEVICE).run(A, B, D);
  show("\nscalars of the device:", d, 6);
  Product().run(Matrix(a, 3, 2, 3).batch(2, 0), Matrix(b, 2, 2, 2).batch(2, 4), Matrix(d, 3, 2, 3).batch(2, 6));
  show("\nbatch:", d, 12);
  Product().epilogue(CUBLASLT_EPILOGUE_RELU).run(A, B, D);
  show("\nrelu:", d, 6);
  Product().epilogue(CUBLASLT_EPILOGUE_BIAS, bias).run(A, B, D);
  show("\nbias:", d, 6);
  Product().epilogue(CUBLASLT_EPILOGUE_RELU_BIAS, bias).run(A, B, D);
  show("\nrelu of bias:", d, 6);
  __half *ha = on_device<__half>({1, 3, 5, 2, 4, 6}), *hb = on_device<__half>({1, 2, -1, 0}), *hd = on_device<__half>({0, 0, 0, 0, 0, 0});
  const Matrix halves(hd, 3, 2, 3, CUDA_R_16F);
  const Matrix halfA(ha, 3, 2, 3, CUDA_R_16F), halfB(hb, 2, 2, 2, CUDA_R_16F);
  Product().epilogue(CUBLASLT_EPILOGUE_BIAS, on_device<__half>({1, 2, -20})).run(halfA, halfB, halves);
  show("\nhalf, bias of half:", hd, 6);
  Product mixed;
  mixed.epilogue(CUBLASLT_EPILOGUE_BIAS, bias).with(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_32F);
  std::printf("\nhalf, bias of float: %s", cublasLtGetStatusName(mixed.run(halfA, halfB, halves)));
  Product unread;
  std::printf("\na bias that nobody reads: %s", cublasLtGetStatusName(unread.epilogue(CUBLASLT_EPILOGUE_DEFAULT, bias).run(A, B, D)));

  float *sums = on_device<float>({0, 0, 0}), *aux = on_device<float>(std::vector<float>(16));
  Product().epilogue(CUBLASLT_EPILOGUE_BGRADA, sums).run(A, B, D);
  show("\ngradients of biases:", sums, 3);
  float* transposed = on_device<float>({1, -1, 2, 0});
  Product().epilogue(CUBLASLT_EPILOGUE_BGRADB, sums).with(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_T).run(A, Matrix(transposed, 2, 2, 2), D);
  show(",", sums, 2);
  Product plain;
  std::printf("\nof a plain B: %s", cublasLtGetStatusName(plain.epilogue(CUBLASLT_EPILOGUE_BGRADB, sums).run(A, B, D)));
  float *x = on_device<float>({1}), *y = on_device<float>({1, -1}), *zeros = on_device<float>({0, -2}), *twos = on_device<float>({2, 2});
  const Matrix X(x, 1, 1, 1), pair(d, 1, 2, 1);
  Product().epilogue(CUBLASLT_EPILOGUE_GELU_AUX, nullptr, aux).run(X, Matrix(y, 1, 2, 1), pair);
  show("\ngelu:", d, 2, " %.4f"), show(", of", aux, 1), show("", aux + 8, 1);
  Product().epilogue(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, x, aux).run(X, Matrix(zeros, 1, 2, 1), pair);
  show("\ngelu of bias:", d, 2, " %.4f"), show(", of", aux, 1), show("", aux + 8, 1);
  Product().with_workspace().epilogue(CUBLASLT_EPILOGUE_DGELU_BGRAD, sums, aux).run(X, Matrix(twos, 1, 2, 1), pair);
  show("\ngradient of gelu:", d, 2, " %.4f"), show(", bias", sums, 1, " %.4f");
  Product bare;
  bare.epilogue(CUBLASLT_EPILOGUE_DGELU_BGRAD, sums, aux);  // a GPU's status depends on the rows
  std::printf("\nwithout a workspace: %s", bare.run(X, Matrix(twos, 1, 2, 1), pair) ? "refused" : "computed");
  std::printf("\nshapes that do not fit: %s\n", cublasLtGetStatusName(Product().run(A, A, D)));
  std::printf("algorithms %d\n", Product().algorithms(A, A, D, D));
  cublasLtDestroy(handle);
}
// SPDX-License-Identifier: MIT
