// FFTW, which computes cuFFT's transforms.
#pragma once

#include <complex>

namespace gpusim::libraries::fft {

using Complex = std::complex<double>;

// Loaded when a program first makes a plan, so programs without cuFFT run without the library.
struct Fftw {
  void* (*plan)(int rank, const int* n, Complex* in, Complex* out, int sign, unsigned flags) = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;

  Fftw();
};
const Fftw& fftw();
inline constexpr unsigned kEstimate = 1u << 6;  // FFTW_ESTIMATE: chooses a plan without timing any

}  // namespace gpusim::libraries::fft
// SPDX-License-Identifier: MIT
