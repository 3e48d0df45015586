// wrong: a pair of parameters that begins with the second
// contract: [{"kernel": "k", "block": [256], "parameters": {"size": {"rows": "int", "columns": "int", "more": "int"}, "out": "float[rows]"}, "where": ["0 <= rows <= 2**10", "0 <= columns <= 2**10", "grid == 16"]}]
#include <cuda_runtime.h>

struct Size {
  int rows, columns, more;
};
__global__ void k(Size size, float* out) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  int rows, columns;
  asm("ld.param.v2.u32 {%0, %1}, [_Z1k4SizePf_param_0+4];" : "=r"(rows), "=r"(columns));
  if (first < rows) out[first] = 1.0f;
}
// SPDX-License-Identifier: MIT
