// needs: libomp.so.5 libomp-14.so.5
// options: -Xcompiler -fopenmp
// expect: 4 threads, each its stream: 0 1 2 3
// expect: sum 499500
// OpenMP in host code: threads that launch kernels at the same time, and a reduction.
#include <omp.h>

#include <cstdio>

__global__ void set(int* to, int value) { *to = value; }

int main() {
  int* results;
  cudaMallocManaged(&results, 4 * sizeof(int));
  int threads = 0;
#pragma omp parallel num_threads(4)
  {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    set<<<1, 1, 0, stream>>>(results + omp_get_thread_num(), omp_get_thread_num());
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
#pragma omp atomic
    ++threads;
  }
  std::printf("%d threads, each its stream: %d %d %d %d\n", threads, results[0], results[1], results[2], results[3]);
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  std::printf("sum %ld\n", sum);
}
// SPDX-License-Identifier: MIT
