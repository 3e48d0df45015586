// expect: 65 functions of one float, 0 wrong
// expect: 42 functions of one double, 0 wrong
// expect: sincos 1, modf 3 0.25, frexp 0.8125 3, remquo -0.75 2
// expect: functions of several arguments: 0 wrong
#include <cmath>
#include <cstdio>

// name, device expression in x, host expression in double x, relative error allowed in units of 2^-23
#define SHARED_FUNCTIONS(F)                                                                                 \
  F(exp(x), std::exp(x), 4)                                                                                 \
  F(exp2(x), std::exp2(x), 4) F(exp10(x), std::pow(10.0, x), 8) F(expm1(x), std::expm1(x), 4) F(            \
      log(x), std::log(x), 4) F(log2(x), std::log2(x), 4) F(log10(x), std::log10(x), 4)                     \
      F(log1p(x), std::log1p(x), 4) F(sin(x), std::sin(x), 4) F(cos(x), std::cos(x), 4) F(                  \
          tan(x), std::tan(x), 8) F(asin(x / 2), std::asin(x / 2), 4) F(acos(x / 2), std::acos(x / 2), 4)   \
          F(atan(x), std::atan(x), 4) F(sinh(x), std::sinh(x), 4) F(cosh(x), std::cosh(x), 4) F(            \
              tanh(x), std::tanh(x), 4) F(asinh(x), std::asinh(x), 4) F(acosh(x + 1), std::acosh(x + 1), 8) \
              F(atanh(x / 2), std::atanh(x / 2), 4) F(sqrt(x), std::sqrt(x), 1)                             \
                  F(rsqrt(x), 1 / std::sqrt(x), 4) F(cbrt(x), std::cbrt(x), 4) F(                           \
                      rcbrt(x), 1 / std::cbrt(x), 4) F(erf(x), std::erf(x), 4) F(erfc(x), std::erfc(x), 16) \
                      F(tgamma(x), std::tgamma(x), 16) F(lgamma(x + 3), std::lgamma(x + 3), 16)             \
                          F(floor(x * 3), std::floor(x * 3), 0) F(ceil(x * 3), std::ceil(x * 3), 0)         \
                              F(trunc(-x * 3), std::trunc(-x * 3), 0) F(round(x * 2), std::round(x * 2), 0) \
                                  F(rint(x * 2), std::rint(x * 2), 0)                                       \
                                      F(nearbyint(x * 2), std::nearbyint(x * 2), 0) F(fabs(-x), x, 0)       \
                                          F(logb(x * 9), std::logb(x * 9), 0)                               \
                                              F(sinpi(x / 4), std::sin(M_PI* x / 4), 4)                     \
                                                  F(cospi(x / 4), std::cos(M_PI* x / 4), 4)                 \
                                                      F(lround(x * 2), std::lround(x * 2), 0)               \
                                                          F(lrint(x * 2), std::lrint(x * 2), 0)             \
                                                              F(ilogb(x * 9), std::ilogb(x * 9), 0)         \
                                                                  F(isnan(x) + isinf(x) + 2 * isfinite(x) + \
                                                                        4 * signbit(-x),                    \
                                                                    6, 0)
#define FLOAT_FUNCTIONS(F)                                                                                   \
  F(__expf(x), std::exp(x), 64)                                                                              \
  F(__exp10f(x), std::pow(10.0, x), 64) F(__logf(x), std::log(x), 64) F(__log2f(x), std::log2(x), 64)        \
      F(__log10f(x), std::log10(x), 64) F(__sinf(x), std::sin(x), 64) F(__cosf(x), std::cos(x), 64) F(       \
          __tanf(x), std::tan(x), 64) F(__powf(x, 2.5f), std::pow(x, 2.5), 64) F(__fdividef(x, 3), x / 3, 4) \
          F(__frcp_rn(x), 1 / x, 1) F(__fsqrt_rn(x), std::sqrt(x), 1) F(__frsqrt_rn(x), 1 / std::sqrt(x), 1) \
              F(__saturatef(x - 0.5f), std::fmin(1, std::fmax(0, x - 0.5)), 1) F(__fadd_rz(x, 1), x + 1, 2)  \
                  F(__fmul_ru(x, 3), x * 3, 2) F(__fmaf_rd(x, 2, 1), x * 2 + 1, 2)                           \
                      F(__fdiv_rn(x, 7), x / 7, 1) F(std::sqrt(x), std::sqrt(x), 1) F(std::abs(-x), x, 0)    \
                          F(std::max(x, 0.7f), std::fmax(x, 0.7f), 0)                                        \
                              F(fminf(x, 0.7f), std::fmin(x, 0.7f), 0) F(expf(x), std::exp(x), 4)

#define DEVICE(device, host, ulps) out[k++] = (device);
#define HOST(device, host, ulps) wrong += is_wrong(h_out[k++], (host), ulps * unit);
#define COUNT(device, host, ulps) +1
constexpr int kDouble = 0 SHARED_FUNCTIONS(COUNT), kFloat = kDouble FLOAT_FUNCTIONS(COUNT), kMore = 17;

__global__ void of_float(float x, float* out) {
  int k = 0;
  SHARED_FUNCTIONS(DEVICE)
  FLOAT_FUNCTIONS(DEVICE)
}
__global__ void of_double(double x, double* out) {
  int k = 0;
  SHARED_FUNCTIONS(DEVICE)
}

#define SEVERAL(F)                                                                                          \
  F(pow(x, y), std::pow(x, y), 4)                                                                           \
  F(atan2(x, -y), std::atan2(x, -y), 4) F(hypot(x, y), std::hypot(x, y), 4)                                 \
      F(fmod(y, x), std::fmod(y, x), 4) F(remainder(y, x), std::remainder(y, x), 4) F(fdim(y, x), y - x, 4) \
          F(copysign(x, -y), -x, 0) F(fmax(x, y), y, 0) F(fmin(x, y), x, 0) F(fma(x, y, 1.0), x* y + 1, 1)  \
              F(ldexp(x, 5), x * 32, 0) F(scalbn(x, -2), x / 4, 0)                                          \
                  F(nextafter(x, y), std::nextafter(x, y), 0)                                               \
                      F(norm3d(x, y, 1.0), std::sqrt(x* x + y * y + 1), 4)                                  \
                          F(rhypot(x, y), 1 / std::hypot(x, y), 4) F(min(x, y), x, 0) F(max(2, 3), 3, 0)

__global__ void of_several(double x, double y, double* out, double* s, double* whole) {
  int k = 0, exponent = 0, quotient = 0;
  SEVERAL(DEVICE)
  double c;
  sincos(x, s, &c);
  const double one = *s * *s + c * c, fraction = modf(3.25, whole), mantissa = frexp(6.5, &exponent);
  const double rest = remquo(5.25, 3.0, &quotient);
  printf("sincos %g, modf %g %g, frexp %g %d, remquo %g %d\n", one, *whole, fraction, mantissa, exponent,
         rest, quotient);
}

static int is_wrong(double got, double expected, double tolerance) {
  return !(std::fabs(got - expected) <= tolerance * std::fabs(expected));
}

int main() {
  float* h_out_f;
  double* h_out_d;
  cudaMallocManaged(&h_out_f, kFloat * sizeof(float));
  cudaMallocManaged(&h_out_d, (kDouble + kMore + 2) * sizeof(double));
  int wrong = 0;
  for (const float x_f : {0.3f, 0.8f, 1.7f}) {
    const double x = x_f;
    of_float<<<1, 1>>>(x_f, h_out_f);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    int k = 0;
    const double unit = 0x1p-23;
    const float* h_out = h_out_f;
    SHARED_FUNCTIONS(HOST)
    FLOAT_FUNCTIONS(HOST)
  }
  std::printf("%d functions of one float, %d wrong\n", kFloat, wrong);
  const double* h_out = h_out_d;
  const double unit = 0x1p-50;
  wrong = 0;
  for (const double x : {0.3, 0.8, 1.7}) {
    of_double<<<1, 1>>>(x, h_out_d);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    int k = 0;
    SHARED_FUNCTIONS(HOST)
  }
  std::printf("%d functions of one double, %d wrong\n", kDouble, wrong);
  const double x = 1.25, y = 3.5;
  wrong = 0;
  of_several<<<1, 1>>>(x, y, h_out_d, h_out_d + kMore, h_out_d + kMore + 1);
  const cudaError_t error = cudaDeviceSynchronize();
  int k = 0;
  SEVERAL(HOST)
  std::printf("functions of several arguments: %d wrong\n", wrong);
  cudaFree(h_out_f);
  cudaFree(h_out_d);
  return error;
}
// SPDX-License-Identifier: MIT
