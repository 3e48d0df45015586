// expect: turned: 0 4 8 1 5 9 2 6 10 3 7 11
// expect: clamped 0 11, zero 0, 4 bytes a step
// expect: outside: unspecified launch failure
// expect-error: surface access at byte 16 of row 0, slice 0, beyond the array (x counts bytes)
// Surface objects: arrays that kernels write. x counts bytes.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int value;
  surf2Dread(&value, from, threadIdx.x * sizeof(int), threadIdx.y);
  surf2Dwrite(value, to, threadIdx.y * sizeof(int), threadIdx.x);
}
__global__ void edges(cudaSurfaceObject_t from, int* out) {
  out[0] = surf2Dread<int>(from, -400, -7, cudaBoundaryModeClamp);
  out[1] = surf2Dread<int>(from, 400, 7, cudaBoundaryModeClamp);
  out[2] = surf2Dread<int>(from, 400, 7, cudaBoundaryModeZero);
}
__global__ void outside(cudaSurfaceObject_t to) { surf2Dwrite(1, to, 16, 0); }

cudaSurfaceObject_t surface(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object;
  cudaCreateSurfaceObject(&object, &resource);
  return object;
}

int main() {
  int numbers[12], turned[12];
  for (int i = 0; i < 12; ++i) numbers[i] = i;
  const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
  cudaArray_t wide, high;
  cudaMallocArray(&wide, &ints, 4, 3, cudaArraySurfaceLoadStore);
  cudaMallocArray(&high, &ints, 3, 4, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(wide, 0, 0, numbers, 16, 16, 3, cudaMemcpyHostToDevice);
  const cudaSurfaceObject_t from = surface(wide), to = surface(high);
  turn<<<1, dim3(4, 3)>>>(from, to);
  cudaMemcpy2DFromArray(turned, 12, high, 0, 0, 12, 4, cudaMemcpyDeviceToHost);
  std::printf("turned:");
  for (int value : turned) std::printf(" %d", value);
  int* out;
  cudaMallocManaged(&out, 3 * sizeof(int));
  edges<<<1, 1>>>(from, out);
  cudaDeviceSynchronize();
  std::printf("\nclamped %d %d, zero %d, %d bytes a step\n", out[0], out[1], out[2], int(sizeof(int)));
  outside<<<1, 1>>>(from);
  std::printf("outside: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
