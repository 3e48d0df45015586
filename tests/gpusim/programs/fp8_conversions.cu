// options: -std=c++17
// expect: host 0, 0 of 256 numbers change when they go to float and back
// expect: device 0, 0
// expect: e4m3: 1 0x38, 448 0x7e, -448 0xfe, 2^-6 0x08, 2^-9 0x01, 2^-10 0x00, 1.5 2^-9 0x02, 2.5 2^-9 0x02
// expect: e4m3: 1.0625 0x38, 1.1875 0x3a, 464 0x7e, 464+ 0x7e/0x7f, 1e9 0x7e/0x7f, inf 0x7e/0x7f, nan 0x7f
// expect: e5m2: 1 0x3c, 57344 0x7b, 2^-14 0x04, 2^-16 0x01, 2^-17 0x00, 1.125 0x3c, 1.375 0x3e
// expect: e5m2: 61439 0x7b/0x7b, 61440 0x7b/0x7c, -inf 0xfb/0xfc, nan is one 1
// expect: one rounding 0x39 of double, 0x38 of float
// expect: integers -4 288 255 0 0 127 7, false true
// expect: pair 0xc03c 1 -2, four 0x4c4a4844 6
// Floats of 8 bits: values derived by hand from their layout, sign exponent fraction (e4m3: bias 7, e5m2: bias 15).
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>

// How many of the 256 patterns are not themselves after a way by float, half and bfloat16. (Infinities saturate, and NaN loses its sign.)
template <class Fp8> __host__ __device__ int changed() {
  int count = 0;
  for (int bits = 0; bits < 256; ++bits) {
    Fp8 number;
    number.__x = (unsigned char)bits;
    const float wide = float(number);
    if (wide - wide != 0) continue;
    count += Fp8(wide).__x != bits || Fp8(double(wide)).__x != bits;
    count += Fp8(__half(number)).__x != bits || Fp8(__nv_bfloat16(number)).__x != bits;
  }
  return count;
}
__global__ void on_device(int* out) {
  out[0] = changed<__nv_fp8_e4m3>();
  out[1] = changed<__nv_fp8_e5m2>();
}

unsigned e4m3(float a, __nv_saturation_t s = __NV_SATFINITE) { return __nv_cvt_float_to_fp8(a, s, __NV_E4M3); }
unsigned e5m2(float a, __nv_saturation_t s = __NV_SATFINITE) { return __nv_cvt_float_to_fp8(a, s, __NV_E5M2); }

int main() {
  std::printf("host %d, %d of 256 numbers change when they go to float and back\n", changed<__nv_fp8_e4m3>(), changed<__nv_fp8_e5m2>());
  int* out;
  cudaMallocManaged(&out, 2 * sizeof(int));
  on_device<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("device %d, %d\n", out[0], out[1]);
  std::printf("e4m3: 1 0x%02x, 448 0x%02x, -448 0x%02x, 2^-6 0x%02x, 2^-9 0x%02x, 2^-10 0x%02x, 1.5 2^-9 0x%02x, 2.5 2^-9 0x%02x\n",
              e4m3(1), e4m3(448), e4m3(-448), e4m3(0x1p-6f), e4m3(0x1p-9f), e4m3(0x1p-10f), e4m3(1.5f * 0x1p-9f), e4m3(2.5f * 0x1p-9f));
  const float beyond = std::nextafterf(464, 500);
  std::printf("e4m3: 1.0625 0x%02x, 1.1875 0x%02x, 464 0x%02x, 464+ 0x%02x/0x%02x, 1e9 0x%02x/0x%02x, inf 0x%02x/0x%02x, nan 0x%02x\n",
              e4m3(1.0625f), e4m3(1.1875f), e4m3(464, __NV_NOSAT), e4m3(beyond), e4m3(beyond, __NV_NOSAT), e4m3(1e9f),
              e4m3(1e9f, __NV_NOSAT), e4m3(INFINITY), e4m3(INFINITY, __NV_NOSAT), e4m3(NAN));
  std::printf("e5m2: 1 0x%02x, 57344 0x%02x, 2^-14 0x%02x, 2^-16 0x%02x, 2^-17 0x%02x, 1.125 0x%02x, 1.375 0x%02x\n", e5m2(1),
              e5m2(57344), e5m2(0x1p-14f), e5m2(0x1p-16f), e5m2(0x1p-17f), e5m2(1.125f), e5m2(1.375f));
  __nv_fp8_e5m2 none(NAN);
  std::printf("e5m2: 61439 0x%02x/0x%02x, 61440 0x%02x/0x%02x, -inf 0x%02x/0x%02x, nan is one %d\n", e5m2(61439),
              e5m2(61439, __NV_NOSAT), e5m2(61440), e5m2(61440, __NV_NOSAT), e5m2(-INFINITY), e5m2(-INFINITY, __NV_NOSAT),
              float(none) != float(none));
  const double over_half = 1.0625 + 0x1p-40;  // as a float it is the tie, which goes down
  std::printf("one rounding 0x%02x of double, 0x%02x of float\n", __nv_fp8_e4m3(over_half).__x, __nv_fp8_e4m3(float(over_half)).__x);
  __nv_fp8_e4m3 nothing(NAN), large(300.0f), minus(-3.7f);
  std::printf("integers %d %d %d %d %d %d %d, %s %s\n", int(__nv_fp8_e5m2(-4.2f)), int(__nv_fp8_e4m3(288)),
              int((unsigned char)large), int((unsigned char)minus), int(nothing), int((signed char)large), int(__nv_fp8_e4m3(7u)),
              bool(__nv_fp8_e4m3(0)) ? "true" : "false", bool(minus) ? "true" : "false");
  const __nv_fp8x2_e5m2 pair(make_float2(1, -2));
  const __nv_fp8x4_e4m3 four(make_float4(3, 4, 5, 6));
  std::printf("pair 0x%04x %g %g, four 0x%08x %g\n", pair.__x, float2(pair).x, float2(pair).y, four.__x, float4(four).w);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
