// The launches of homework_reductions.cuh.
#pragma once

#include "homework_reductions.cuh"

namespace outside {

inline void reduce_strided_row(const char* name, int count) {
  const Filled<int> in(count, [](std::size_t k) { return scrambled(k) % 100; }), out(count / 256);
  row(name, [&] { reduce_strided<<<count / 256, 256>>>(in, out); });
}

inline void reduction_rows() {
  reduce_strided_row("reduce_strided 2^17", 1 << 17);
  reduce_strided_row("reduce_strided 2^24", 1 << 24);
  {
    constexpr int kCount = 1 << 24;
    const Filled<double> in(kCount, fraction), out(1024);
    row("reduce_double<256>", [&] { reduce_double<256><<<1024, 256>>>(in, out, kCount); });
    row("reduce_double<512> 2^20", [&] { reduce_double<512><<<256, 512>>>(in, out, 1 << 20); });
  }
  {
    constexpr int kCount = 1 << 25;
    const Filled<int> in(kCount, scrambled), result(2);
    row("smallest_and_largest",
        [&] { smallest_and_largest<<<528, 256>>>(in.as<int4>(), result, kCount / 4); });
  }
  {
    constexpr int kCount = 1 << 20;
    const Filled<float> in(kCount, fraction), partial(256), out(1);
    const Filled<unsigned> arrived(1);
    row("sum_last_block", [&] { sum_last_block<<<256, 256>>>(in, partial, arrived, out, kCount); });
  }
  {
    constexpr int kSide = 4096;
    const Filled<float> in(kSide * kSide, fraction);
    const Filled<double> sums(kSide);
    row("column_sums", [&] { column_sums<<<dim3(kSide / 32, kSide / 256), dim3(32, 8)>>>(in, sums, kSide); });
  }
}

inline void scan_rows() {
  constexpr int kCount = 1 << 23;
  const Filled<float> in(kCount, fraction), out(kCount);
  row("scan_brent_kung", [&] { scan_brent_kung<<<kCount / 2048, 1024>>>(in, out); });
  const Filled<unsigned char> heads(kCount, [](std::size_t k) { return scrambled(k) % 7 == 0; });
  row("scan_segments", [&] { scan_segments<<<kCount / 256, 256>>>(in, heads, out); });
  row("scan_coarse 2^18", [&] { scan_coarse<<<256, 128>>>(in.as<unsigned>(), out.as<unsigned>()); });
  row("scan_coarse 2^23",
      [&] { scan_coarse<<<kCount / 1024, 128>>>(in.as<unsigned>(), out.as<unsigned>()); });
}

inline void atomic_rows() {
  constexpr int kKeys = 1 << 22;
  const Filled<unsigned> keys(kKeys, scrambled), counts(16);
  row("count_by_votes", [&] { count_by_votes<<<264, 256>>>(keys, counts, kKeys); });
  {
    constexpr unsigned kCells = 1 << 20;
    const auto arrival = [](std::size_t k) {
      return make_uint2(scrambled(2 * k) % kCells, scrambled(2 * k + 1));
    };
    const Filled<uint2> arrivals(kKeys, arrival);
    const Filled<unsigned> cells(kCells);
    row("raise_cells", [&] { raise_cells<<<kKeys / 256, 256>>>(arrivals, cells, kKeys); });
  }
  {
    constexpr int kUsed = 1 << 20;
    constexpr unsigned kLast = (1u << 18) - 1;
    const Filled<unsigned> words((kLast + 1) / 4);
    row("count_saturating", [&] { count_saturating<<<kUsed / 256, 256>>>(keys, words, kUsed, kLast); });
  }
  {
    constexpr int kUsed = 1 << 18;
    constexpr unsigned kLast = (1u << 14) - 1;
    const Filled<double> sums(kLast + 1);
    row("add_double_by_cas", [&] { add_double_by_cas<<<kUsed / 256, 256>>>(keys, sums, kUsed, kLast); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
