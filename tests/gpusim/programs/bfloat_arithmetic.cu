// expect: host   3.5 0.333984 255 3.38953e+38 inf, 1 2 -3
// expect: pairs  4 6, -2 -2, 3 8, fma 5 10
// expect: equal 1 0, NaN 0 1, min -1 max 2 abs 1
// expect: once: fma -6.10352e-05 mul and add 0
// expect: exp 7.375 sqrt 1.41406 tanh 0.964844, rounded 1 1.00781 1 1.00781, to int 2 1 -2
// expect: device 3.5 0.333984 255 3.38953e+38 inf, 1 2 -3
// expect: warp sum 496, atomic 64, pair 32 64
// expect: double 1.00781, float of double 1
// expect: host and device agree: 0 of 65536 differ
// options: -std=c++17 -ffp-contract=off
//
// cuda_bf16.h: types, conversions, operators and functions, on the host and on the device.
#include <cuda_bf16.h>

#include <cstdio>

typedef __nv_bfloat16 bf16;

struct Results {
  float value[8];
};
__host__ __device__ Results arithmetic() {
  const bf16 a = __float2bfloat16(1.5f), b = bf16(2), one(1);
  const bf16 largest = __ushort_as_bfloat16(0x7f7f);
  return {{float(a + b), __bfloat162float(one / bf16(3)), float(bf16(255) + one + one - one), float(largest), float(largest + largest),
           float(one), float(a * b - one), float(-(a * b))}};
}
void print(const char* where, const Results& r) {
  std::printf("%s", where);
  for (int i = 0; i < 8; ++i) std::printf("%s%g", i == 5 ? ", " : " ", r.value[i]);
  std::printf("\n");
}

__device__ bf16 sum;
__device__ __nv_bfloat162 sums;
__device__ unsigned differ;

__global__ void on_device(Results* r, const __nv_bfloat162* in) {
  *r = arithmetic();
  const __nv_bfloat162 a = in[0], b = in[1], s = a + b, d = a - b, p = a * b;
  const __nv_bfloat162 f = __hfma2(a, b, __floats2bfloat162_rn(2, 2));
  printf("pairs  %g %g, %g %g, %g %g, fma %g %g\n", __low2float(s), __high2float(s), __low2float(d), __high2float(d), __low2float(p),
         __high2float(p), __low2float(f), __high2float(f));
  const bf16 one(1.0f), two(2), nan = __ushort_as_bfloat16(0x7fc0), minus = -one;
  printf("equal %d %d, NaN %d %d, min %g max %g abs %g\n", one == one, one == two, __heq(nan, nan), __hneu(nan, nan),
         float(__hmin(minus, two)), float(__hmax(minus, two)), float(__habs(minus)));
  const bf16 x = __ushort_as_bfloat16(0x3f81), y = __ushort_as_bfloat16(0x3f7e);  // 1 + 2^-7, 1 - 2^-7
  printf("once: fma %g mul and add %g\n", float(__hfma(x, y, -one)), float(__hadd(__hmul(x, y), -one)));
  const float between = 1 + 0x1p-8f;
  printf("exp %g sqrt %g tanh %g, rounded %g %g %g %g, to int %d %d %d\n", float(hexp(two)), float(hsqrt(two)), float(htanh(two)),
         float(__float2bfloat16_rn(between)), float(__float2bfloat16_ru(between)), float(__float2bfloat16_rd(between)),
         float(__float2bfloat16_rn(between + 0x1p-20f)), __bfloat162int_rn(bf16(1.5f)), __bfloat162int_rz(bf16(1.5f)),
         __bfloat162int_rd(bf16(-1.5f)));
}

__global__ void lanes(double* doubles) {
  bf16 value(int(threadIdx.x));
  float total = value;
  for (int distance = 16; distance > 0; distance /= 2) total += float(__shfl_down_sync(0xffffffff, bf16(total), distance));
  if (threadIdx.x == 0) *doubles = total;
  atomicAdd(&sum, bf16(2));
  atomicAdd(&sums, __nv_bfloat162(bf16(1), bf16(2)));
  if (threadIdx.x == 0) doubles[1] = float(__double2bfloat16(doubles[2])), doubles[2] = float(__float2bfloat16(float(doubles[2])));
}

__global__ void compare(const unsigned short* doubled) {
  const unsigned short bits = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);
  const bf16 h = __ushort_as_bfloat16(bits);
  const unsigned short back = __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(h)));
  if ((!__hisnan(h) && back != bits) || __bfloat16_as_ushort(h + h) != doubled[bits]) atomicAdd(&differ, 1u);
}

int main() {
  print("host  ", arithmetic());
  Results *d, r;
  __nv_bfloat162 pairs[2] = {__floats2bfloat162_rn(1, 2), __floats2bfloat162_rn(3, 4)}, *in;
  cudaMalloc(&d, sizeof r);
  cudaMalloc(&in, sizeof pairs);
  cudaMemcpy(in, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  on_device<<<1, 1>>>(d, in);
  cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost);
  print("device", r);
  double* doubles;
  cudaMallocManaged(&doubles, 3 * sizeof *doubles);
  doubles[2] = 1 + 0x1p-8 + 0x1p-40;  // as a float it is 1 + 2^-8, in the middle
  lanes<<<1, 32>>>(doubles);
  bf16 total;
  __nv_bfloat162 of_pairs;
  cudaMemcpyFromSymbol(&total, sum, sizeof total);
  cudaMemcpyFromSymbol(&of_pairs, sums, sizeof of_pairs);
  std::printf("warp sum %g, atomic %g, pair %g %g\n", doubles[0], float(total), __low2float(of_pairs), __high2float(of_pairs));
  std::printf("double %g, float of double %g\n", doubles[1], doubles[2]);
  unsigned short* doubled;
  cudaMallocManaged(&doubled, 65536 * sizeof *doubled);
  for (unsigned i = 0; i < 65536; ++i) {
    const bf16 h = __ushort_as_bfloat16((unsigned short)i);
    doubled[i] = __bfloat16_as_ushort(h + h);
  }
  compare<<<256, 256>>>(doubled);
  unsigned wrong;
  cudaMemcpyFromSymbol(&wrong, differ, sizeof wrong);
  std::printf("host and device agree: %u of 65536 differ\n", wrong);
}
// SPDX-License-Identifier: MIT
