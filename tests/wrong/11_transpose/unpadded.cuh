// rejected: right, but it has 992 bank conflicts a block
// The padded kernel forgot its padding. A column of 32 x 32 floats lies in one bank: 31 conflicts for each
// of 32 loads.
#pragma once

#define transpose_padded solved_transpose_padded
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_padded

template <typename T> __global__ void transpose_padded(const T* in, T* out, int rows, int columns) {
  through_tile<Plain>(in, out, rows, columns);
}
