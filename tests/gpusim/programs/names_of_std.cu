// expect: 5 3 2
// A program may call its variables what std has, as long as it includes nothing that declares that: cuda_runtime.h does not.
#include <iostream>
using namespace std;

int array[10];
__device__ int list = 3;
const int function = 2;

__global__ void fill(int* values) { values[threadIdx.x] = int(threadIdx.x); }
__noinline__ __device__ int read_list() { return list; }
__global__ void get(int* value) { *value = read_list(); }

int main() {
  int *values, of_device;
  cudaMalloc(&values, sizeof array);
  fill<<<1, 10>>>(values);
  cudaMemcpy(array, values, sizeof array, cudaMemcpyDeviceToHost);
  get<<<1, 1>>>(values);
  cudaMemcpy(&of_device, values, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  cout << array[5] << ' ' << of_device << ' ' << ::function << '\n';
}
// SPDX-License-Identifier: MIT
