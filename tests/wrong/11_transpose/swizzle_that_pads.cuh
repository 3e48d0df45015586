// rejected: right, but transpose_swizzled takes
// The swizzled kernel is the padded one: no conflicts, and 128 bytes a tile that hold nothing.
#pragma once

#define transpose_swizzled solved_transpose_swizzled
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_swizzled

template <typename T> __global__ void transpose_swizzled(const T* in, T* out, int rows, int columns) {
  through_tile<Padded>(in, out, rows, columns);
}
