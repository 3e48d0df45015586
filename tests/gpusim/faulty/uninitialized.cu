// expect-finding: uninitialized 17
// expect-finding: uninitialized 29
// expect-text: uninitialized: variable 'sum' is uninitialized when used here
// expect-text: uninitialized: variable 'x' is used uninitialized whenever 'if' condition is false
// What the compiler knows of variables without a value is a finding of the program, whatever it computes.
#include <cuda_runtime.h>

template <typename T>
__global__ void add_up(const T* in, T* out, int n) {
#ifdef FIXED
  T sum{};
#else
  T sum;
#endif
  for (int k = threadIdx.x; k < n; k += 32) {
    const T element = in[k];
    sum += element;
  }
  out[threadIdx.x] = sum;
}

// The compiler cannot know that n is 32.
__global__ void copy(const float* in, float* out, int n) {
  float x;
#ifdef FIXED
  x = 0.0f;
#endif
  // (where it goes wrong:)
  if (int(threadIdx.x) < n) x = in[threadIdx.x];
  out[threadIdx.x] = x;
}

// All of these have their values.
__global__ void right(const float* in, float* out, int n) {
  float from_both, in_the_loop, array[4], where_needed;
  if (n > 16) from_both = in[0];
  else from_both = in[1];
  for (int k = 0; k < 4; ++k) {
    in_the_loop = in[k];
    array[k] = in_the_loop;
  }
  if (n > 3) where_needed = in[3];
  __syncthreads();
  if (n > 3 && threadIdx.x == 0) out[1] = where_needed;
  if (threadIdx.x == 0) out[0] = from_both + in_the_loop + array[0] + array[3];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  add_up<float><<<1, 32>>>(in, out, 32);
  copy<<<1, 32>>>(in, out, 32);
  right<<<1, 32>>>(in, out, 32);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
