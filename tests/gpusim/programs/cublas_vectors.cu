// needs: libopenblas.so.0 libblas.so.3
// options: -lcublas
// expect: x: 1 -2 3 -4
// expect: dot 30, asum 10, nrm2 5.47723, amax 4, amin 1
// expect: axpy: 12 16 36 32
// expect: scaled: 3 -6 9 -12
// expect: swapped: 12 16 36 32 3 -6 9 -12
// expect: every other one: 12 36
// expect: backwards: 36 12
// expect: dot on the device: 48
// expect: gemv: 9 12 15
// expect: gemv of the transposed: 14 32
// expect: ger: 2 2 2 4 4 4
// expect: rows 2 and 3 of a matrix: 2 3 5 6
// expect: version 1, stream kept 1, mode 1
// cuBLAS with vectors: results on the host and on the device, strides, copies to and from the device.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <class T> void show(const char* what, const T* device, int count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", what);
  for (T value : values) std::printf(" %g", double(value));
  std::printf("\n");
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float x_values[] = {1, -2, 3, -4}, y_values[] = {10, 20, 30, 40};
  float *x, *y;
  cudaMalloc(&x, sizeof x_values);
  cudaMalloc(&y, sizeof y_values);
  cublasSetVector(4, sizeof(float), x_values, 1, x, 1);
  cublasSetVector(4, sizeof(float), y_values, 1, y, 1);
  show("x", x, 4);

  float dot, asum, nrm2;
  int largest, smallest;
  cublasSdot(handle, 4, x, 1, x, 1, &dot);
  cublasSasum(handle, 4, x, 1, &asum);
  cublasSnrm2(handle, 4, x, 1, &nrm2);
  cublasIsamax(handle, 4, x, 1, &largest);
  cublasIsamin(handle, 4, x, 1, &smallest);
  std::printf("dot %g, asum %g, nrm2 %g, amax %d, amin %d\n", dot, asum, nrm2, largest, smallest);

  const float two = 2, three = 3, one = 1, zero = 0;
  cublasSaxpy(handle, 4, &two, x, 1, y, 1);
  show("axpy", y, 4);
  cublasSscal(handle, 4, &three, x, 1);
  show("scaled", x, 4);
  cublasSswap(handle, 4, x, 1, y, 1);
  std::vector<float> both(8);
  float* joined;
  cudaMalloc(&joined, 8 * sizeof(float));
  cublasScopy(handle, 4, x, 1, joined, 1);
  cublasScopy(handle, 4, y, 1, joined + 4, 1);
  show("swapped", joined, 8);
  cublasScopy(handle, 2, x, 2, y, 1);
  show("every other one", y, 2);
  cublasScopy(handle, 2, x, -2, y, 1);
  show("backwards", y, 2);

  float* result;
  cudaMalloc(&result, sizeof(float));
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSdot(handle, 2, y, 1, joined + 1, 2, result);  // 36 * 16 + 12 * 32, and then a smaller one
  cublasSdot(handle, 1, joined, 1, joined + 4, 1, result);
  float back = 0;
  cudaMemcpy(&back, result, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("dot on the device: %g\n", back + 12);
  cublasPointerMode_t mode;
  cublasGetPointerMode(handle, &mode);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);

  const float matrix[] = {1, 2, 3, 4, 5, 6};  // 3 x 2
  float *A, *v, *w;
  cudaMalloc(&A, sizeof matrix);
  cudaMalloc(&v, 3 * sizeof(float));
  cudaMalloc(&w, 3 * sizeof(float));
  cublasSetMatrix(3, 2, sizeof(float), matrix, 3, A, 3);
  const float factors[] = {1, 2, 3};
  cublasSetVector(3, sizeof(float), factors, 1, v, 1);
  cublasSgemv(handle, CUBLAS_OP_N, 3, 2, &one, A, 3, v, 1, &zero, w, 1);
  show("gemv", w, 3);
  cublasSgemv(handle, CUBLAS_OP_T, 3, 2, &one, A, 3, v, 1, &zero, w, 1);
  show("gemv of the transposed", w, 2);
  const float ones[] = {1, 1, 1};
  cublasSetVector(3, sizeof(float), ones, 1, w, 1);
  float* R;
  cudaMalloc(&R, 6 * sizeof(float));
  cudaMemset(R, 0, 6 * sizeof(float));
  cublasSger(handle, 3, 2, &two, w, 1, v, 1, R, 3);
  show("ger", R, 6);
  float part[4];
  cublasGetMatrix(2, 2, sizeof(float), A + 1, 3, part, 2);
  std::printf("rows 2 and 3 of a matrix: %g %g %g %g\n", part[0], part[1], part[2], part[3]);

  int version = 0;
  cublasGetVersion(handle, &version);
  cudaStream_t stream, kept;
  cudaStreamCreate(&stream);
  cublasSetStream(handle, stream);
  cublasGetStream(handle, &kept);
  std::printf("version %d, stream kept %d, mode %d\n", version > 0, kept == stream, int(mode));
  cublasDestroy(handle);
}
// SPDX-License-Identifier: MIT
