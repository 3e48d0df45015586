// options: -std=c++17 -rdc=true -lcudadevrt
// expect: depth 1 has 4 threads
// expect: depth 2 has 2 threads
// expect: depth 3 has 1 threads
// expect: squares 0 1 4 9 16 25 36 49 
// expect: tree of 31: 31
// expect: converted 7 2.5 3
// expect: 1 no error, cudaErrorInvalidValue
// expect: in order 1 2 3 4, and 1
//
// Kernels that launch kernels.
#include <cstdio>

__global__ void nested(int threads, int depth) {
  if (threadIdx.x == 0) printf("depth %d has %d threads\n", depth, blockDim.x);
  if (threads == 1) return;
  if (threadIdx.x == 0) nested<<<1, threads / 2>>>(threads / 2, depth + 1);
}

__global__ void square(int* p) { p[threadIdx.x] *= p[threadIdx.x]; }
__global__ void squares(int* p) {
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x % 4 == 0) square<<<1, 4>>>(p + threadIdx.x);
}

template <int Children>
__global__ void tree(int* count, int depth) {
  atomicAdd(count, 1);
  if (depth > 0) tree<Children><<<Children, 1>>>(count, depth - 1);
}

__global__ void takes(double x, char c, long long n, double* out) {
  out[0] = c;
  out[1] = x;
  out[2] = n;
}
__global__ void converts(double* out) {
  const dim3 one(1);
  takes<<<one, 1, 0, 0>>>(2.5f, 7, 3, out);
}

__device__ int steps[4], step;
__device__ bool is_as_asked, remembered;
__device__ const char* text_of(cudaError_t error) { return cudaGetErrorString(error); }
__global__ void note(int number) { steps[step++] = number; }
__global__ void notes(int number) {
  note<<<1, 1>>>(number);
  note<<<1, 1>>>(number + 1);
}
__global__ void remember() { remembered = true; }
// Streams and events of kernels, their memory, and what comes after all that they launch.
__global__ void calls() {
  cudaStream_t one, other;
  cudaEvent_t done;
  int* memory = nullptr;
  is_as_asked = cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking) == cudaSuccess;
  is_as_asked &= cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess;
  is_as_asked &= cudaEventCreateWithFlags(&done, cudaEventDisableTiming) == cudaSuccess;
  is_as_asked &= cudaMalloc((void**)&memory, 4) == cudaSuccess;
  *memory = 4;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(*memory);
  note<<<1, 1, 0, one>>>(1);
  cudaEventRecord(done, one);
  cudaStreamWaitEvent(other, done, 0);
  notes<<<1, 1, 0, other>>>(2);
  remember<<<1, 1, 0, cudaStreamFireAndForget>>>();
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaEventDestroy(done);
  cudaFree(memory);
  printf("%d %s, %s\n", is_as_asked, text_of(cudaGetLastError()), cudaGetErrorName(cudaErrorInvalidValue));
}

int main() {
  int* p;
  double* d;
  cudaMallocManaged(&p, 8 * sizeof *p);
  cudaMallocManaged(&d, 3 * sizeof *d);
  nested<<<1, 4>>>(4, 1);
  cudaDeviceSynchronize();
  squares<<<1, 8>>>(p);
  cudaDeviceSynchronize();
  std::printf("squares ");
  for (int i = 0; i < 8; ++i) std::printf("%d ", p[i]);
  *p = 0;
  tree<2><<<1, 1>>>(p, 4);
  cudaDeviceSynchronize();
  std::printf("\ntree of 31: %d\n", *p);
  converts<<<1, 1>>>(d);
  cudaDeviceSynchronize();
  std::printf("converted %g %g %g\n", d[0], d[1], d[2]);
  int order[4];
  bool all;
  calls<<<1, 1>>>();
  cudaMemcpyFromSymbol(order, steps, sizeof order);
  cudaMemcpyFromSymbol(&all, remembered, sizeof all);
  std::printf("in order %d %d %d %d, and %d\n", order[0], order[1], order[2], order[3], all);
  cudaFree(p);
  cudaFree(d);
}
// SPDX-License-Identifier: MIT
