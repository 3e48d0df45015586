// right: the first lane of each warp writes if one of the warp's lanes votes for it
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[256 * grid]", "out": "float[8 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffff, in[i] > 0.0f);
  if (threadIdx.x % 32 == 0 && votes != 0) out[i / 32] = __popc(votes);
}
// SPDX-License-Identifier: MIT
