// expect: complex, 15 numbers, 3 at a time: right, and back
// expect: complex, 64 numbers: right, and back
// expect: complex, 31 numbers in place: right, and back
// expect: double, 4 x 6: right, and back
// expect: double, 3 x 4 x 5: right, and back
// expect: real, 16 numbers, 2 at a time: right, and back
// expect: real, 9 numbers: right, and back
// expect: real, 4 x 6: right, and back
// expect: real, 3 x 2 x 5 of double: right, and back
// expect: real in place, 4 x 6: right, and back
// expect: columns of a matrix: right
// expect: types one by one: 0 0, 10 -2 -2 -2, half 16
// expect: errors: 8 8 3 1 1 4 4 1
// expect: version 11000, parts 11 0 0
// expect-error: cuFFT: the output is of 512 bytes, which are not all in device memory
// expect: too short: 6, an illegal memory access was encountered
// needs: libfftw3.so.3
//
// cuFFT against sums that are written down as the manual has them.
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using Complex = std::complex<double>;

template <class T>
T* managed(size_t count) {
  T* p;
  cudaMallocManaged(&p, count * sizeof(T));
  return p;
}

// The transform of x, which is nx · ny · nz numbers.
std::vector<Complex> dft(const std::vector<Complex>& x, int nx, int ny, int nz, int sign) {
  std::vector<Complex> sums(x.size());
  const auto at = [&](int i, int j, int k) { return (size_t(i) * ny + j) * nz + k; };
  for (int a = 0; a < nx; ++a)
    for (int b = 0; b < ny; ++b)
      for (int c = 0; c < nz; ++c)
        for (int i = 0; i < nx; ++i)
          for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
              sums[at(a, b, c)] += x[at(i, j, k)] * std::polar(1.0, sign * 2 * M_PI *
                                                                        (double(a) * i / nx + double(b) * j / ny +
                                                                         double(c) * k / nz));
  return sums;
}
double value(int i) { return (i * 37 % 23) / 4.0 - 2; }

template <class T>
struct Kind;
template <>
struct Kind<float> {
  using C = cufftComplex;
  static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static constexpr double tolerance = 1e-4;
  static cufftResult go(cufftHandle p, C* in, C* out, int sign) { return cufftExecC2C(p, in, out, sign); }
  static cufftResult go(cufftHandle p, float* in, C* out) { return cufftExecR2C(p, in, out); }
  static cufftResult go(cufftHandle p, C* in, float* out) { return cufftExecC2R(p, in, out); }
};
template <>
struct Kind<double> {
  using C = cufftDoubleComplex;
  static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static constexpr double tolerance = 1e-11;
  static cufftResult go(cufftHandle p, C* in, C* out, int sign) { return cufftExecZ2Z(p, in, out, sign); }
  static cufftResult go(cufftHandle p, double* in, C* out) { return cufftExecD2Z(p, in, out); }
  static cufftResult go(cufftHandle p, C* in, double* out) { return cufftExecZ2D(p, in, out); }
};

cufftHandle plan_of(int nx, int ny, int nz, cufftType type, int batch) {
  cufftHandle plan = 0;
  if (nx > 1) cufftPlan3d(&plan, nx, ny, nz, type);
  else if (ny > 1) cufftPlan2d(&plan, ny, nz, type);
  else cufftPlan1d(&plan, nz, type, batch);
  return plan;
}
void say(const char* what, bool right, bool back) {
  std::printf("%s: %s, %s\n", what, right ? "right" : "WRONG", back ? "and back" : "NOT BACK");
}

template <class T>
void complex_numbers(const char* what, int nx, int ny, int nz, int batch, bool in_place = false) {
  using K = Kind<T>;
  const int n = nx * ny * nz;
  auto *in = managed<typename K::C>(n * batch), *out = in_place ? in : managed<typename K::C>(n * batch);
  for (int i = 0; i < n * batch; ++i) in[i].x = T(value(i)), in[i].y = T(value(i + 5));
  const cufftHandle plan = plan_of(nx, ny, nz, K::c2c, batch);
  bool right = K::go(plan, in, out, CUFFT_FORWARD) == CUFFT_SUCCESS;
  for (int b = 0; b < batch; ++b) {
    std::vector<Complex> x(n);
    for (int i = 0; i < n; ++i) x[i] = {value(b * n + i), value(b * n + i + 5)};
    const auto want = dft(x, nx, ny, nz, -1);
    for (int i = 0; i < n; ++i)
      right = right && std::abs(want[i] - Complex(out[b * n + i].x, out[b * n + i].y)) < K::tolerance * n;
  }
  bool back = K::go(plan, out, in, CUFFT_INVERSE) == CUFFT_SUCCESS;
  for (int i = 0; i < n * batch; ++i)
    back = back && std::fabs(in[i].x - n * value(i)) < K::tolerance * n * n && std::fabs(in[i].y - n * value(i + 5)) < K::tolerance * n * n;
  say(what, right, back);
  cufftDestroy(plan);
  cudaFree(in);
  if (!in_place) cudaFree(out);
}

template <class T>
void real_numbers(const char* what, int nx, int ny, int nz, int batch, bool in_place = false) {
  using K = Kind<T>;
  const int rows = nx * ny, half = nz / 2 + 1, n = rows * nz, row = in_place ? 2 * half : nz;
  T* in = managed<T>(size_t(rows) * row * batch);
  auto* out = in_place ? reinterpret_cast<typename K::C*>(in) : managed<typename K::C>(size_t(rows) * half * batch);
  for (int r = 0; r < rows * batch; ++r)
    for (int i = 0; i < nz; ++i) in[r * row + i] = T(value(r * nz + i));
  const cufftHandle there = plan_of(nx, ny, nz, K::r2c, batch), again = plan_of(nx, ny, nz, K::c2r, batch);
  bool right = K::go(there, in, out) == CUFFT_SUCCESS;
  for (int b = 0; b < batch; ++b) {
    std::vector<Complex> x(n);
    for (int i = 0; i < n; ++i) x[i] = value(b * n + i);
    const auto want = dft(x, nx, ny, nz, -1);
    for (int r = 0; r < rows; ++r)
      for (int k = 0; k < half; ++k) {
        const auto got = out[(b * rows + r) * half + k];
        right = right && std::abs(want[r * nz + k] - Complex(got.x, got.y)) < K::tolerance * n;
      }
  }
  bool back = K::go(again, out, in) == CUFFT_SUCCESS;
  for (int r = 0; r < rows * batch; ++r)
    for (int i = 0; i < nz; ++i) back = back && std::fabs(in[r * row + i] - n * value(r * nz + i)) < K::tolerance * n * n;
  say(what, right, back);
  cufftDestroy(there);
  cufftDestroy(again);
  cudaFree(in);
  if (!in_place) cudaFree(out);
}

// Each of the 5 columns of a matrix of 8 rows, in place.
void columns() {
  constexpr int kRows = 8, kColumns = 5;
  auto* a = managed<cufftComplex>(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) a[i] = make_cuComplex(float(value(i)), 0);
  int n[] = {kRows}, embed[] = {kRows};
  cufftHandle plan;
  cufftCreate(&plan);
  size_t work;
  cufftMakePlanMany(plan, 1, n, embed, kColumns, 1, embed, kColumns, 1, CUFFT_C2C, kColumns, &work);
  bool right = cufftExecC2C(plan, a, a, CUFFT_FORWARD) == CUFFT_SUCCESS && work == 0;
  for (int c = 0; c < kColumns; ++c) {
    std::vector<Complex> x(kRows);
    for (int r = 0; r < kRows; ++r) x[r] = value(r * kColumns + c);
    const auto want = dft(x, 1, 1, kRows, -1);
    for (int r = 0; r < kRows; ++r)
      right = right && std::abs(want[r] - Complex(a[r * kColumns + c].x, a[r * kColumns + c].y)) < 1e-3;
  }
  std::printf("columns of a matrix: %s\n", right ? "right" : "WRONG");
  cufftDestroy(plan);
  cudaFree(a);
}

// A plan by the types of both sides.
void by_types() {
  auto* out = managed<cufftComplex>(3);
  float* in = managed<float>(4);
  for (int i = 0; i < 4; ++i) in[i] = float(i + 1);
  long long n[] = {4};
  cufftHandle plan, half;
  cufftCreate(&plan);
  cufftCreate(&half);
  size_t work;
  const cufftResult made = cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 4, CUDA_R_32F, nullptr, 1, 3, CUDA_C_32F, 1, &work, CUDA_C_32F);
  const cufftResult done = cufftXtExec(plan, in, out, CUFFT_FORWARD);
  std::printf("types one by one: %d %d, %g %g %g %g, half %d\n", made, done, out[0].x, out[1].x, out[2].x, -out[1].y,
              cufftXtMakePlanMany(half, 1, n, nullptr, 1, 4, CUDA_C_16F, nullptr, 1, 4, CUDA_C_16F, 1, &work, CUDA_C_16F));
  cufftDestroy(plan);
  cufftDestroy(half);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  complex_numbers<float>("complex, 15 numbers, 3 at a time", 1, 1, 15, 3);
  complex_numbers<float>("complex, 64 numbers", 1, 1, 64, 1);
  complex_numbers<float>("complex, 31 numbers in place", 1, 1, 31, 1, true);
  complex_numbers<double>("double, 4 x 6", 1, 4, 6, 1);
  complex_numbers<double>("double, 3 x 4 x 5", 3, 4, 5, 1);
  real_numbers<float>("real, 16 numbers, 2 at a time", 1, 1, 16, 2);
  real_numbers<float>("real, 9 numbers", 1, 1, 9, 1);
  real_numbers<float>("real, 4 x 6", 1, 4, 6, 1);
  real_numbers<double>("real, 3 x 2 x 5 of double", 3, 2, 5, 1);
  real_numbers<float>("real in place, 4 x 6", 1, 4, 6, 1, true);
  columns();
  by_types();

  cufftHandle plan;
  auto* data = managed<cufftComplex>(64);
  std::printf("errors: %d %d %d", cufftPlan1d(&plan, 0, CUFFT_C2C, 1), cufftPlan1d(&plan, 8, CUFFT_C2C, 0),
              cufftPlan2d(&plan, 8, 8, cufftType(7)));
  std::printf(" %d %d", cufftDestroy(12345), cufftExecC2C(12345, data, data, CUFFT_FORWARD));
  cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
  std::printf(" %d %d", cufftExecC2C(plan, data, data, 0), cufftExecR2C(plan, (float*)data, data));
  std::printf(" %d\n", cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr));
  int version, parts[3];
  cufftGetVersion(&version);
  for (int i = 0; i < 3; ++i) cufftGetProperty(libraryPropertyType(i), &parts[i]);
  std::printf("version %d, parts %d %d %d\n", version, parts[0], parts[1], parts[2]);

  cufftComplex* small;
  cudaMalloc(&small, 256);
  const cufftResult result = cufftExecC2C(plan, data, small, CUFFT_FORWARD);
  std::printf("too short: %d, %s\n", result, cudaGetErrorString(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
