// The launches of homework_signals.cuh.
#pragma once

#include "homework_signals.cuh"

#include <cmath>
#include <cstdlib>

namespace outside {

inline void picture_rows() {
  {
    constexpr int kPixels = 1920 * 1080;
    const Filled<unsigned> in(kPixels, scrambled), out(kPixels);
    row("blur_rgba",
        [&] { blur_rgba<<<dim3(120, 68), dim3(16, 16)>>>(in.as<uchar4>(), out.as<uchar4>(), 1920, 1080); });
    const Filled<unsigned char> curve(256, [](std::size_t k) { return k * k / 255; });
    row("apply_curve",
        [&] { apply_curve<<<264, 256>>>(in.as<uchar4>(), curve, out.as<uchar4>(), kPixels / 4); });
  }
  {
    constexpr int kSide = 2048;
    const Filled<float> gx(kSide * kSide, [](std::size_t k) { return fraction(k) - 0.5f; }),
        out(kSide * kSide);
    const Filled<float> gy(kSide * kSide, [](std::size_t k) { return fraction(k + 77) - 0.5f; });
    const dim3 threads(16, 16);
    row("thin_edges", [&] { thin_edges<<<dim3(128, 128), threads>>>(gx, gy, out, kSide, kSide); });
    row("corner_response 512", [&] { corner_response<<<dim3(32, 32), threads>>>(gx, out, 512, 512); });
    row("corner_response 2048", [&] { corner_response<<<dim3(128, 128), threads>>>(gx, out, kSide, kSide); });
    row("cosine_transform", [&] { cosine_transform<<<dim3(256, 256), dim3(8, 8)>>>(gx, out, kSide); });
  }
  {
    constexpr int kPoints = 1 << 15, kDistances = 3072;
    const auto point = [](std::size_t k) {
      return make_short2(short(scrambled(2 * k) % 1024), short(scrambled(2 * k + 1) % 1024));
    };
    const Filled<short2> points(kPoints, point);
    const auto turn = [](std::size_t k) {
      return make_float2(float(std::cos(k * 0.017453292)), float(std::sin(k * 0.017453292)));
    };
    const Filled<float2> turns(180, turn);
    const Filled<unsigned> votes(180 * kDistances);
    row("hough_lines",
        [&] { hough_lines<<<kPoints / 128, 128>>>(points, turns, votes, kPoints, kDistances); });
  }
}

inline void signal_rows() {
  picture_rows();
  constexpr int kCount = 1 << 22;
  const Filled<float> in(2 * kCount, [](std::size_t k) { return fraction(k) - 0.5f; }), out(2 * kCount);
  Taps taps;
  for (int k = 0; k < 63; ++k) taps.at[k] = (32 - std::abs(k - 31)) / 1024.0f;
  row("fir_filter 2^16", [&] { fir_filter<<<256, 256>>>(in, out, taps, 1 << 16); });
  row("fir_filter 2^22", [&] { fir_filter<<<kCount / 256, 256>>>(in, out, taps, kCount); });
  row("fft_1024", [&] { fft_1024<<<kCount / 1024, 256>>>(in.as<float2>(), out.as<float2>()); });
  row("haar_levels", [&] { haar_levels<<<2 * kCount / 1024, 512>>>(in, out); });
  row("biquad_channels", [&] { biquad_channels<<<32, 128>>>(in, out, 4096, 1024); });
  row("correlate_lags", [&] { correlate_lags<<<512, 128>>>(in, out, 1 << 16); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
