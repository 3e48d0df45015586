// wrong: a pair of loads of 64 bits, of parameters of 32
// contract: [{"kernel": "k", "block": [256], "parameters": {"size": {"rows": "int", "columns": "int", "c": "int", "d": "int"}, "out": "float[rows]"}, "where": ["0 <= rows <= 2**10", "0 <= columns <= 2**10", "grid == 16"]}]
#include <cuda_runtime.h>

struct Size {
  int rows, columns, c, d;
};
__global__ void k(Size size, float* out) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  long long rows, columns;
  asm("ld.param.v2.u64 {%0, %1}, [_Z1k4SizePf_param_0];" : "=l"(rows), "=l"(columns));
  if (first < rows) out[first] = 1.0f;
}
// SPDX-License-Identifier: MIT
