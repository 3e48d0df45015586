// expect: int: sum 499500, largest 999
// expect: double: sum 249750, largest 499.5
#include <algorithm>
#include <iostream>
#include <vector>

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Largest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return std::max(a, b);
  }
};

template <int kBlock, class T, class Combine>
__global__ void reduce(const T* in, T* out, int n, T nothing, Combine combine) {
  __shared__ T tile[kBlock];
  T value = nothing;
  for (int i = threadIdx.x; i < n; i += kBlock) value = combine(value, in[i]);
  tile[threadIdx.x] = value;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) tile[threadIdx.x] = combine(tile[threadIdx.x], tile[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = tile[0];
}

template <class T, class Combine>
T reduce_on_device(const std::vector<T>& values, Combine combine) {
  T *d_in, *d_out, result;
  cudaMalloc(&d_in, values.size() * sizeof(T));
  cudaMalloc(&d_out, sizeof(T));
  cudaMemcpy(d_in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  reduce<128><<<1, 128>>>(d_in, d_out, int(values.size()), T(0), combine);
  cudaMemcpy(&result, d_out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return result;
}

template <class T>
void show(const char* type, T factor) {
  std::vector<T> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i * factor);
  std::cout << type << ": sum " << reduce_on_device(values, Sum()) << ", largest "
            << reduce_on_device(values, Largest()) << "\n";
}

int main() {
  show("int", 1);
  show("double", 0.5);
}
// SPDX-License-Identifier: MIT
