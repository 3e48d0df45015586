#include "harness/evict.h"

#include <cuda_runtime.h>

#include "harness/check.h"

namespace harness {
namespace {

constexpr int kBlocks = 1024,
              kThreads = 256;  // enough to read at the memory's pace; any number reads everything

// The sum itself is not needed, but without a use the compiler would drop the loads.
__global__ void read_all(const uint4* memory, std::size_t count, unsigned* never_written) {
  unsigned sum = 0;
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 v = memory[i];
    sum |= v.x | v.y | v.z | v.w;
  }
  if (sum != 0) *never_written = sum;  // the memory holds zeros
}

}  // namespace

void evict_by_reading(const void* d_memory, std::size_t bytes) {
  const auto* values = static_cast<const uint4*>(d_memory);
  read_all<<<kBlocks, kThreads>>>(values, bytes / sizeof(uint4), const_cast<unsigned*>(&values->x));
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace harness
// SPDX-License-Identifier: MIT
