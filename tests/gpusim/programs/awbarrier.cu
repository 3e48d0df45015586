// expect: arrive and wait: 0 of 256 wrong
// expect: by parity: 0 of 8 wrong
// expect: pending: 3 2, then 2 arrivals make a phase: 1
// expect: copies arrive: sum 32640, again 98176
// expect: by class: 0 of 128 wrong, dropped 48, at most 1048575
// expect: pipeline of arrays: 7 8 9 0, 3 5
//
// Barriers in shared memory by the functions of cuda_awbarrier_primitives.h and by the class of cuda_awbarrier.h, and
// copies that arrive at them.
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

#include <cstdio>

__global__ void reverse(int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[256];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  values[t] = t;
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  const int own = 1000 * t;  // work that needs nobody else
  while (!__mbarrier_test_wait(&barrier, token)) {}
  out[t] = own + values[255 - t];
}

__global__ void phases(int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[2][64];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  values[0][t] = t;
  __syncthreads();
  for (int phase = 0; phase < 8; ++phase) {
    if (t == 0) out[phase] = values[phase % 2][0];
    values[(phase + 1) % 2][t] = values[phase % 2][(t + 1) % 64];
    __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait_parity(&barrier, phase % 2)) {}
  }
}

// Of three arrivals the first is the last of its thread.
__global__ void pending(int* out) {
  __shared__ __mbarrier_t barrier;
  __mbarrier_init(&barrier, 3);
  out[0] = __mbarrier_token_pending_count(__mbarrier_arrive_and_drop(&barrier));
  out[1] = __mbarrier_token_pending_count(__mbarrier_arrive(&barrier));
  __mbarrier_arrive(&barrier);
  __mbarrier_arrive(&barrier);
  const __mbarrier_token_t last = __mbarrier_arrive(&barrier);
  out[2] = __mbarrier_test_wait(&barrier, last);
  __mbarrier_inval(&barrier);
}

__global__ void copied(const int* in, int* sums) {
  __shared__ __mbarrier_t barrier;
  __shared__ int tile[256];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    __pipeline_memcpy_async(&tile[t], &in[256 * round + t], sizeof(int));
    __pipeline_arrive_on(&barrier);
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {}
    atomicAdd(&sums[round], tile[255 - t]);
    __syncthreads();
  }
}

using nvcuda::experimental::awbarrier;

__global__ void by_class(int* out, int* dropped) {
  __shared__ awbarrier barrier;
  __shared__ int values[128];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  values[t] = t;
  awbarrier::arrival_token token = barrier.arrive();
  while (!barrier.timed_wait(token, 1000)) {}
  out[t] = values[127 - t];
  if (t >= 48) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  atomicAdd(dropped, 1);
  barrier.arrive_and_wait();  // of those that are left
}

__global__ void arrays(const int* in, int* out) {
  __shared__ __align__(16) int four[4];
  __shared__ __align__(8) int two[2];
  __shared__ awbarrier barrier;
  init(&barrier, 1);
  nvcuda::experimental::pipeline pipe;
  using nvcuda::experimental::segment;
  nvcuda::experimental::memcpy_async(segment<4>(four), segment<3>(in), pipe);
  const size_t first = pipe.commit();
  nvcuda::experimental::memcpy_async(two[0], in[3], pipe);
  nvcuda::experimental::memcpy_async(two[1], in[4], pipe);
  pipe.arrive_on(barrier);
  barrier.arrive_and_wait();
  pipe.commit();
  pipe.wait(first + 2);
  for (int i = 0; i < 4; ++i) out[i] = four[i];
  out[4] = two[0], out[5] = two[1];
}

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&in, 512 * sizeof(int));
  for (int i = 0; i < 512; ++i) in[i] = i;

  reverse<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < 256; ++t) wrong += out[t] != 1000 * t + 255 - t;
  std::printf("arrive and wait: %d of 256 wrong\n", wrong);

  phases<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 8; ++i) wrong += out[i] != i;
  std::printf("by parity: %d of 8 wrong\n", wrong);

  pending<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("pending: %d %d, then 2 arrivals make a phase: %d\n", out[0], out[1], out[2]);

  out[0] = out[1] = 0;
  copied<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("copies arrive: sum %d, again %d\n", out[0], out[1]);

  out[128] = 0;
  by_class<<<1, 128>>>(out, out + 128);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int t = 0; t < 128; ++t) wrong += out[t] != 127 - t;
  std::printf("by class: %d of 128 wrong, dropped %d, at most %u\n", wrong, out[128], awbarrier::max());

  in[0] = 7, in[1] = 8, in[2] = 9, in[3] = 3, in[4] = 5;
  arrays<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("pipeline of arrays: %d %d %d %d, %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
  cudaFree(out);
  cudaFree(in);
}
// SPDX-License-Identifier: MIT
