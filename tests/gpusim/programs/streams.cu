// expect: 20 chunks through 2 streams, 0 wrong, time is not negative
#include <cstdio>

#define CHECK(call)                                                                  \
  do {                                                                               \
    const cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                      \
      std::printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorString(error), \
                  cudaGetErrorName(error));                                          \
      return 1;                                                                      \
    }                                                                                \
  } while (0)

__global__ void average(const int* a, const int* b, int* c, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) c[i] = (a[i] + b[i]) / 2;
}

int main() {
  const int chunk = 1024, chunks = 20, n = chunk * chunks;
  int *a, *b, *c, *d_a[2], *d_b[2], *d_c[2];
  CHECK(cudaHostAlloc((void**)&a, n * sizeof(int), cudaHostAllocDefault));
  CHECK(cudaMallocHost(&b, n * sizeof(int)));
  CHECK(cudaMallocHost((void**)&c, n * sizeof(int)));
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 3 * i;
  cudaStream_t stream[2];
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaMalloc(&d_a[s], chunk * sizeof(int)));
    CHECK(cudaMallocAsync(&d_b[s], chunk * sizeof(int), stream[s]));
    CHECK(cudaMalloc(&d_c[s], chunk * sizeof(int)));
  }
  CHECK(cudaEventRecord(start));
  for (int k = 0; k < chunks; ++k) {
    const int s = k % 2, at = k * chunk;
    CHECK(cudaMemcpyAsync(d_a[s], a + at, chunk * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
    CHECK(cudaMemcpyAsync(d_b[s], b + at, chunk * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
    average<<<chunk / 256, 256, 0, stream[s]>>>(d_a[s], d_b[s], d_c[s], chunk);
    CHECK(cudaMemcpyAsync(c + at, d_c[s], chunk * sizeof(int), cudaMemcpyDeviceToHost, stream[s]));
  }
  for (int s = 0; s < 2; ++s) CHECK(cudaStreamSynchronize(stream[s]));
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != 2 * i;
  std::printf("%d chunks through 2 streams, %d wrong, time is %s\n", chunks, wrong,
              milliseconds >= 0 ? "not negative" : "negative");
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaFree(d_a[s]));
    CHECK(cudaFreeAsync(d_b[s], stream[s]));
    CHECK(cudaFree(d_c[s]));
    CHECK(cudaStreamDestroy(stream[s]));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
