// What a cudaArray_t stands for.
#pragma once

#include <algorithm>

#include "base/base.h"
#include "cuda_runtime_api.h"
#include "texture_types.h"

// Elements lie row by row and slice by slice in device memory. (A GPU orders them in a way of its own.)
struct cudaArray {
  gpusim::u64 address;
  cudaChannelFormatDesc format;
  cudaExtent extent;  // 0: a dimension that it has not
  unsigned int flags;
  std::size_t row_bytes;

  std::size_t rows() const { return std::max<std::size_t>(1, extent.height); }
  std::size_t slices() const { return std::max<std::size_t>(1, extent.depth); }
  std::size_t slice_bytes() const { return row_bytes * rows(); }
  std::size_t element_bytes() const { return row_bytes / extent.width; }
};

namespace gpusim::runtime {

// Is it one that the program has?
bool is_array(cudaArray_const_t);

// Of an element; 0: there is no such format.
u32 channels_of(const cudaChannelFormatDesc&);

}  // namespace gpusim::runtime
