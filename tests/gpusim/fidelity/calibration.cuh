// The calibration set: kernels whose memory counters follow from nothing but where the lanes of a warp reach.
// ncu counts them on a GPU (common/measure.py), fidelity_calibration.cu counts them on the simulated one.
#pragma once

#include <cuda_runtime.h>

namespace calibration {

constexpr int kLanes = 32;
constexpr int kRepeats = 64;     // times that a warp makes its store, and then its load
constexpr int kElements = 1024;  // that a lane may reach; 16 bytes each at most
constexpr int kLocalElements = 32;
constexpr int kOff = -1;

__constant__ int element_of_lane[kLanes];  // or kOff

template <class T> __device__ void fill(T& v, int x) { v = T(x); }
__device__ inline void fill(int2& v, int x) { v = make_int2(x, x); }
__device__ inline void fill(int4& v, int x) { v = make_int4(x, x, x, x); }
template <class T> __device__ int sum(T v) { return v; }
__device__ inline int sum(int2 v) { return v.x + v.y; }
__device__ inline int sum(int4 v) { return v.x + v.y + v.z + v.w; }

// Every store and every load of a lane has the same address, but no compiler knows: `zero`, and what is loaded,
// is 0, and moves the next address. So none is dropped, merged, narrowed or answered from a register.
template <class T> __device__ int store_and_load(char* memory, int element, int zero) {
  int at = element * int(sizeof(T));
#pragma unroll 1  // else clang splits some of the vectors
  for (int i = 0; i < kRepeats; ++i, at += zero) fill(*reinterpret_cast<T*>(memory + at), zero);
#pragma unroll 1
  for (int i = 0; i < kRepeats; ++i) at += sum(*reinterpret_cast<T*>(memory + at));
  return at;
}

// Blocks of one warp. results[32 * blockIdx.x + lane] is written once, by the lanes that are on.
template <class T> __global__ void shared_access(int zero, char*, int* results) {
  __shared__ __align__(16) char memory[kElements * sizeof(T)];
  const int element = element_of_lane[threadIdx.x];
  if (element != kOff) results[blockIdx.x * kLanes + threadIdx.x] = store_and_load<T>(memory, element, zero);
}
template <class T> __global__ void global_access(int zero, char* memory, int* results) {
  const int element = element_of_lane[threadIdx.x];
  char* mine = memory + blockIdx.x * (kElements * sizeof(T));
  if (element != kOff) results[blockIdx.x * kLanes + threadIdx.x] = store_and_load<T>(mine, element, zero);
}
template <class T> __global__ void local_access(int zero, char*, int* results) {
  __align__(16) char memory[kLocalElements * sizeof(T)];
  const int element = element_of_lane[threadIdx.x];
  if (element != kOff) results[blockIdx.x * kLanes + threadIdx.x] = store_and_load<T>(memory, element, zero);
}
// Without a use of its result atomicAdd is a red, with one an atom.
__global__ void global_red(int zero, char* memory, int*) {
  const int element = element_of_lane[threadIdx.x];
  int* mine = reinterpret_cast<int*>(memory) + blockIdx.x * kElements;
  if (element == kOff) return;
  for (int i = 0; i < kRepeats; ++i) atomicAdd(mine + element + i * zero, zero);
}
__global__ void global_atom(int zero, char* memory, int* results) {
  const int element = element_of_lane[threadIdx.x];
  int* mine = reinterpret_cast<int*>(memory) + blockIdx.x * kElements;
  int at = element;
  if (element == kOff) return;
  for (int i = 0; i < kRepeats; ++i) at += atomicAdd(mine + at, zero);
  results[blockIdx.x * kLanes + threadIdx.x] = at;
}

// The three transposes of rows x columns floats: a tile of 32 x 32 for each block of 32 x 8 threads.
enum class Tile { none, plain, padded };
template <Tile kTile> __global__ void transpose(const float* in, float* out, int rows, int columns) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if constexpr (kTile == Tile::none) {
    for (int j = 0; j < 32; j += 8) out[x * rows + y + j] = in[(y + j) * columns + x];
  } else {
    __shared__ float tile[32][kTile == Tile::padded ? 33 : 32];
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
    __syncthreads();
    const int to = blockIdx.x * 32 * rows + blockIdx.y * 32;
    for (int j = 0; j < 32; j += 8)
      out[to + (threadIdx.y + j) * rows + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

}  // namespace calibration
// SPDX-License-Identifier: MIT
