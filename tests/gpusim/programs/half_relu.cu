// options: -std=c++17 -arch=sm_80
// expect: half 0 2.5, pair 0 3, bfloat16 0 2.5, pair 0 3
// expect: NaN stays NaN: 1 1
// __hfma_relu and __hfma2_relu: a * b + c, and 0 in place of what is negative.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

__global__ void compute(float* out) {
  const __half one = __float2half(1), minus_two = __float2half(-2), half = __float2half(0.5f);
  out[0] = __half2float(__hfma_relu(one, minus_two, half));
  out[1] = __half2float(__hfma_relu(minus_two, __float2half(-1), half));
  const __half2 pair = __hfma2_relu(__halves2half2(one, minus_two), __halves2half2(minus_two, minus_two), __halves2half2(one, __float2half(-1)));
  out[2] = __low2float(pair), out[3] = __high2float(pair);
  const __nv_bfloat16 b1 = __float2bfloat16(1), bm2 = __float2bfloat16(-2), bh = __float2bfloat16(0.5f);
  out[4] = __bfloat162float(__hfma_relu(b1, bm2, bh));
  out[5] = __bfloat162float(__hfma_relu(bm2, __float2bfloat16(-1), bh));
  const __nv_bfloat162 both = __hfma2_relu(__halves2bfloat162(b1, bm2), __halves2bfloat162(bm2, bm2), __halves2bfloat162(b1, __float2bfloat16(-1)));
  out[6] = __low2float(both), out[7] = __high2float(both);
  out[8] = __hisnan(__hfma_relu(__ushort_as_half(0x7e00), one, one));
  out[9] = __hisnan(__hfma_relu(__ushort_as_bfloat16(0x7fc0), b1, b1));
}

int main() {
  float* out;
  cudaMallocManaged(&out, 10 * sizeof(float));
  compute<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("half %g %g, pair %g %g, bfloat16 %g %g, pair %g %g\n", out[0], out[1], out[2], out[3], out[4], out[5],
              out[6], out[7]);
  std::printf("NaN stays NaN: %g %g\n", out[8], out[9]);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
