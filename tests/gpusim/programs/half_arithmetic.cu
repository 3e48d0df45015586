// expect: host   3.5 0.333252 2047 65504 inf nan, 1 2 -3
// expect: pairs  4 6, 3 8, 0.333252 0.5, fma 5 14
// expect: equal 1 1 0 0, pair 1 0, mask 0x0000ffff, NaN 0 1
// expect: min -1 max 2, abs 1 neg -2, NaN 2 nan
// expect: once: fma 0.000487804 mul and add 0
// expect: exp 7.39062 sqrt 1.41406 sin 0.90918 log2 1 rcp 0.5 tanh 0.963867
// expect: rounded 1 1 1.00098 1.00098, to int 2 2 1 2
// expect: device 3.5 0.333252 2047 65504 inf nan, 1 2 -3
// expect: warp sum 496, pair 496 32, through shared memory 31
// expect: atomic 64, pair 32 64, sum of 2048 ones 2048
// expect: host and device agree: 0 of 65536 differ
// options: -std=c++17 -ffp-contract=off
//
// cuda_fp16.h: types, conversions, operators and functions, on the host and on the device.
#include <cuda_fp16.h>

#include <cstdio>

struct Results {
  float value[9];
};
__host__ __device__ Results arithmetic() {
  const half a = __float2half(1.5f), b = half(2), one(1);
  const half third = one / half(3), largest = __ushort_as_half(0x7bff);
  return {{float(a + b), __half2float(third), float(half(2047) + one + one - one), float(largest), float(largest + largest),
           float(__hsub(largest + largest, largest + largest)), float(one), float(a * b - one), float(-(a * b))}};
}
void print(const char* where, const Results& r) {
  std::printf("%s", where);
  for (int i = 0; i < 9; ++i) std::printf("%s%g", i == 6 ? ", " : " ", r.value[i] != r.value[i] ? __builtin_nanf("") : r.value[i]);
  std::printf("\n");
}

__device__ half sum;
__device__ half2 sums;
__device__ half ones;
__device__ unsigned differ;

__global__ void on_device(Results* r, const half2* in) {
  *r = arithmetic();
  half2 a = in[0], b = in[1];
  const half2 s = a + b, p = a * b, q = __h2div(a, b), f = __hfma2(a, b, __half2half2(half(2)) * a);
  printf("pairs  %g %g, %g %g, %g %g, fma %g %g\n", __low2float(s), __high2float(s), __low2float(p), __high2float(p) ,
         __low2float(q), __high2float(q), __low2float(f), __high2float(f) + 2);
  const half one(1.0f), two = __int2half_rn(2), nan = __ushort_as_half(0x7e00), minus = -one;
  const half2 e = __heq2(a, __floats2half2_rn(1, 3));
  printf("equal %d %d %d %d, pair %g %g, mask 0x%08x, NaN %d %d\n", one == one, one < two, one > two, one == two, __low2float(e),
         __high2float(e), __heq2_mask(a, __floats2half2_rn(1, 3)), __heq(nan, nan), __hneu(nan, nan));
  printf("min %g max %g, abs %g neg %g, NaN %g %s\n", float(__hmin(minus, two)), float(__hmax(minus, two)), float(__habs(minus)),
         float(-two), float(__hmax(two, nan)), __hisnan(__hmax_nan(two, nan)) ? "nan" : "number");
  const half x = __ushort_as_half(0x3c01), y = __ushort_as_half(0x3bff);  // 1 + 2^-10, 1 - 2^-11
  printf("once: fma %g mul and add %g\n", float(__hfma(x, y, -one)), float(__hadd(__hmul(x, y), -one)));
  printf("exp %g sqrt %g sin %g log2 %g rcp %g tanh %g\n", float(hexp(two)), float(hsqrt(two)), float(hsin(two)), float(hlog2(two)),
         float(hrcp(two)), float(htanh(two)));
  const float between = 1.0f + 0x1p-11f;
  printf("rounded %g %g %g %g, to int %d %d %d %d\n", float(__float2half_rn(between)), float(__float2half_rz(between)),
         float(__float2half_ru(between)), float(__float2half_rn(between + 0x1p-20f)), __half2int_rn(half(1.5f)), __half2int_ru(half(1.5f)),
         __half2int_rd(half(1.5f)), __half2int_rn(half(2.5f)));
}

__global__ void lanes() {
  __shared__ half tile[32];
  half value(int(threadIdx.x));
  half2 pair(value, half(1));
  tile[threadIdx.x] = value;
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, distance);
    pair = __hadd2(pair, __shfl_down_sync(0xffffffff, pair, distance));
  }
  __syncwarp();
  if (threadIdx.x == 0)
    printf("warp sum %g, pair %g %g, through shared memory %g\n", float(value), __low2float(pair), __high2float(pair), float(tile[31]));
  atomicAdd(&sum, half(2));
  atomicAdd(&sums, half2(half(1), half(2)));
  for (int i = 0; i < 65; ++i) atomicAdd(&ones, half(1));
}

// Every half to float and back, and doubled, against what the host gave.
__global__ void compare(const unsigned short* doubled) {
  const unsigned short bits = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);
  const half h = __ushort_as_half(bits);
  const unsigned short back = __half_as_ushort(__float2half(__half2float(h)));
  const bool is_nan = __hisnan(h);
  if ((!is_nan && back != bits) || __half_as_ushort(h + h) != doubled[bits]) atomicAdd(&differ, 1u);
}

int main() {
  print("host  ", arithmetic());
  Results *d, r;
  half2 pairs[2] = {__floats2half2_rn(1, 2), __floats2half2_rn(3, 4)}, *in;
  cudaMalloc(&d, sizeof r);
  cudaMalloc(&in, sizeof pairs);
  cudaMemcpy(in, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  on_device<<<1, 1>>>(d, in);
  cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost);
  print("device", r);
  lanes<<<1, 32>>>();
  half total, of_ones;
  half2 of_pairs;
  cudaMemcpyFromSymbol(&total, sum, sizeof total);
  cudaMemcpyFromSymbol(&of_pairs, sums, sizeof of_pairs);
  cudaMemcpyFromSymbol(&of_ones, ones, sizeof of_ones);
  std::printf("atomic %g, pair %g %g, sum of 2048 ones %g\n", float(total), __low2float(of_pairs), __high2float(of_pairs), float(of_ones));
  unsigned short* doubled;
  cudaMallocManaged(&doubled, 65536 * sizeof *doubled);
  for (unsigned i = 0; i < 65536; ++i) {
    const half h = __ushort_as_half((unsigned short)i);
    doubled[i] = __half_as_ushort(h + h);
  }
  compare<<<256, 256>>>(doubled);
  unsigned wrong;
  cudaMemcpyFromSymbol(&wrong, differ, sizeof wrong);
  std::printf("host and device agree: %u of 65536 differ\n", wrong);
}
// SPDX-License-Identifier: MIT
