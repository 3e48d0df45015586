// right: the second pair of four parameters
// contract: [{"kernel": "k", "block": [256], "parameters": {"size": {"a": "int", "b": "int", "rows": "int", "columns": "int"}, "out": "float[rows + columns]"}, "where": ["0 <= rows <= 2**10", "0 <= columns <= 2**10", "grid == 16"]}]
#include <cuda_runtime.h>

struct Size {
  int a, b, rows, columns;
};
__global__ void k(Size size, float* out) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  int rows, columns;
  asm("ld.param.v2.u32 {%0, %1}, [_Z1k4SizePf_param_0+8];" : "=r"(rows), "=r"(columns));
  if (first < rows) out[first + columns] = 1.0f;
}
// SPDX-License-Identifier: MIT
