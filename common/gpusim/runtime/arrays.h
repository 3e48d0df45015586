// The array behind a cudaArray_t.
#pragma once

#include <algorithm>

#include "base/base.h"
#include "cuda_runtime_api.h"
#include "texture_types.h"

// Its elements lie row by row and slice by slice in device memory. (A GPU uses an order that is not
// documented.)
struct cudaArray {
  gpusim::u64 address;
  cudaChannelFormatDesc format;
  cudaExtent extent;  // 0: the array does not have this dimension
  unsigned int flags;
  std::size_t row_bytes;

  std::size_t rows() const { return std::max<std::size_t>(1, extent.height); }
  std::size_t slices() const { return std::max<std::size_t>(1, extent.depth); }
  std::size_t slice_bytes() const { return row_bytes * rows(); }
  std::size_t element_bytes() const { return row_bytes / extent.width; }
};

namespace gpusim::runtime {

// Whether the program has made this array and not freed it.
bool is_array(cudaArray_const_t);

// Bytes of an element; 0 if there is no such format.
u32 channels_of(const cudaChannelFormatDesc&);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
