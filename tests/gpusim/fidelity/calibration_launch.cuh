// The launches of the calibration set: every access with every pattern that is for it, and the transposes.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "calibration.cuh"
#include "calibration_patterns.h"

namespace calibration {

inline void require(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "calibration: %s: %s\n", what.c_str(), cudaGetErrorString(status));
  std::exit(1);
}

struct Size {
  int blocks;         // of the accesses; the counters of each are the same
  int rows, columns;  // of the transposed matrix
};
constexpr Size kFull = {1056, 4096, 8192};  // 8 blocks for each multiprocessor of an H200
constexpr Size kSmall = {2, 64, 32};        // for the simulated GPU: 2 blocks in every launch

// Called with a name ("shared 8 bytes, stride 4") and what launches that kernel.
using EachCase = std::function<void(const std::string& name, const std::function<void()>& launch)>;

using Kernel = void (*)(int zero, char* memory, int* results);

struct Access {
  const char* name;
  unsigned use;  // patterns with all of these
  Kernel kernel;
};

inline const Access kAccesses[] = {
    {"shared 4 bytes", kShared, shared_access<int>},
    {"shared 8 bytes", kShared, shared_access<int2>},
    {"shared 16 bytes", kShared, shared_access<int4>},
    {"shared 1 byte", kShared | kShort, shared_access<signed char>},
    {"shared 2 bytes", kShared | kShort, shared_access<short>},
    {"global 4 bytes", kGlobal, global_access<int>},
    {"global 8 bytes", kGlobal, global_access<int2>},
    {"global 16 bytes", kGlobal, global_access<int4>},
    {"global 1 byte", kGlobal | kShort, global_access<signed char>},
    {"global 2 bytes", kGlobal | kShort, global_access<short>},
    {"local 4 bytes", kLocal, local_access<int>},
    {"local 8 bytes", kLocal, local_access<int2>},
    {"local 16 bytes", kLocal, local_access<int4>},
    {"local 1 byte", kLocal | kShort, local_access<signed char>},
    {"local 2 bytes", kLocal | kShort, local_access<short>},
    {"global red", kGlobal | kShort, global_red},
    {"global atom", kGlobal | kShort, global_atom},
};

template <class T> T* allocate_zeros(std::size_t count) {
  void* d = nullptr;
  require(cudaMalloc(&d, count * sizeof(T)), "cudaMalloc");
  require(cudaMemset(d, 0, count * sizeof(T)), "cudaMemset");
  return static_cast<T*>(d);
}

inline void for_each_access(int blocks, const EachCase& each) {
  char* d_memory = allocate_zeros<char>(std::size_t(blocks) * kElements * sizeof(int4));
  int* d_results = allocate_zeros<int>(std::size_t(blocks) * kLanes);
  for (const Access& access : kAccesses) {
    for (const Pattern& pattern : kPatterns) {
      if ((pattern.use & access.use) != access.use) continue;
      int elements[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) elements[lane] = pattern.element(lane);
      require(cudaMemcpyToSymbol(element_of_lane, elements, sizeof elements), "cudaMemcpyToSymbol");
      each(std::string(access.name) + ", " + pattern.name,
           [&] { access.kernel<<<blocks, kLanes>>>(0, d_memory, d_results); });
    }
  }
  require(cudaFree(d_memory), "cudaFree");
  require(cudaFree(d_results), "cudaFree");
}

inline void for_each_transpose(const Size& size, const EachCase& each) {
  const int rows = size.rows, columns = size.columns;
  const std::size_t count = std::size_t(rows) * columns;
  float *d_in = allocate_zeros<float>(count), *d_out = allocate_zeros<float>(count);
  const dim3 grid(columns / 32, rows / 32), block(32, 8);
  each("transpose, naive", [&] { transpose<Tile::none><<<grid, block>>>(d_in, d_out, rows, columns); });
  each("transpose, tile", [&] { transpose<Tile::plain><<<grid, block>>>(d_in, d_out, rows, columns); });
  each("transpose, padded tile",
       [&] { transpose<Tile::padded><<<grid, block>>>(d_in, d_out, rows, columns); });
  require(cudaFree(d_in), "cudaFree");
  require(cudaFree(d_out), "cudaFree");
}

// `each` must launch, and wait, before it returns.
inline void for_each_case(const Size& size, const EachCase& each) {
  for_each_transpose(size, each);
  for_each_access(size.blocks, each);
}

}  // namespace calibration
// SPDX-License-Identifier: MIT
