// The kernels of chapter 09 that move values from lane to lane, with all their parameters. The maps say where out[i]
// comes from, by arithmetic on i alone.
#pragma once

#include <kernels.cuh>

#include <string>
#include <vector>

#include "lane_checks.h"

namespace judge {

inline constexpr int kWidths[] = {32, 16, 8, 4, 2};

inline int group_start(int i, int width) { return i - i % width; }

// The kernels that take one parameter and a width.
struct Family {
  const char* name;
  const char* parameter;
  bool has_gap;
  void (*kernel)(const int* in, int* out, int parameter, int width);
  int least, most;  // of the parameter
  int (*source)(int i, int value, int width);
};

inline const Family kFamilies[] = {
    {"shuffle_broadcast", "source", false, shuffle_broadcast, 0, 31,
     [](int i, int source, int width) { return group_start(i, width) + source % width; }},
    {"shuffle_up", "distance", false, shuffle_up, 0, 31,
     [](int i, int distance, int width) { return i % width >= distance ? i - distance : i; }},
    {"shuffle_down", "distance", false, shuffle_down, 0, 31,
     [](int i, int distance, int width) { return i % width + distance < width ? i + distance : i; }},
    {"shuffle_xor", "mask", false, shuffle_xor, 0, 31,
     // A partner in a group below can be reached, one in a group above cannot.
     [](int i, int mask, int width) { return (i ^ mask) / width > i / width ? i : i ^ mask; }},
    {"shuffle_around", "offset", true, shuffle_around, -69, 69,
     [](int i, int offset, int width) {
       return group_start(i, width) + ((i + offset) % width + width) % width;
     }},
};
inline const Family& kAround = kFamilies[4];

inline LaneKernel in_family(const Family& f, int value, int width) {
  return {f.name + std::string(", ") + f.parameter + " " + std::to_string(value) + ", width " +
              std::to_string(width),
          1, f.has_gap, [&f, value, width](int i) { return f.source(i, value, width); },
          [&f, value, width](const int* d_in, int* d_out, int threads) {
            f.kernel<<<1, threads>>>(d_in, d_out, value, width);
          }};
}

inline LaneKernel first_lanes(int count) {
  return {"shuffle_first, count " + std::to_string(count), 1, false,
          [count](int i) { return i % 32 < count ? group_start(i, 32) + (i % 32 + 1) % count : i; },
          [count](const int* d_in, int* d_out, int threads) {
            shuffle_first<<<1, threads>>>(d_in, d_out, count);
          }};
}

inline LaneKernel xor_array(int mask) {
  return {"shuffle_xor_array, mask " + std::to_string(mask), kPerLane, true,
          [mask](int i) { return (i / kPerLane ^ mask) * kPerLane + i % kPerLane; },
          [mask](const int* d_in, int* d_out, int threads) {
            shuffle_xor_array<<<1, threads>>>(d_in, d_out, mask);
          }};
}

// shuffle_swap of these two elements.
struct Swap {
  int first, second;
  void (*launch)(const int* d_in, int* d_out, int threads, int mask);
};
template <int kFirst, int kSecond> void launch_swap(const int* d_in, int* d_out, int threads, int mask) {
  shuffle_swap<kFirst, kSecond><<<1, threads>>>(d_in, d_out, mask);
}
template <int kFirst, int kSecond>
inline constexpr Swap kSwap = {kFirst, kSecond, launch_swap<kFirst, kSecond>};

inline LaneKernel swap(const Swap& swap, int mask) {
  return {
      "shuffle_swap, elements " + std::to_string(swap.first) + " and " + std::to_string(swap.second) +
          ", mask " + std::to_string(mask),
      kPerLane, true,
      [swap, mask](int i) {
        const int thread = i / kPerLane, partner = thread ^ mask;
        const int mine = thread < partner ? swap.first : swap.second,
                  other = thread < partner ? swap.second : swap.first;
        return i % kPerLane == mine ? partner * kPerLane + other : i;
      },
      [swap, mask](const int* d_in, int* d_out, int threads) { swap.launch(d_in, d_out, threads, mask); }};
}

inline std::vector<LaneKernel> all_families() {
  std::vector<LaneKernel> all;
  for (const Family& f : kFamilies)
    for (int width : kWidths)
      for (int k = 0; k <= f.most - f.least; ++k) {  // from 2 on, which shows more at a glance than the least
        const int value = f.least + (2 - f.least + k) % (f.most - f.least + 1);
        all.push_back(in_family(f, value, width));
      }
  return all;
}

inline std::vector<LaneKernel> all_first_lanes() {
  std::vector<LaneKernel> all;
  for (int count = 1; count <= 32; ++count) all.push_back(first_lanes(count));
  return all;
}

inline std::vector<LaneKernel> all_xor_arrays() {
  std::vector<LaneKernel> all;
  for (int mask = 0; mask <= 31; ++mask) all.push_back(xor_array(mask));
  return all;
}

inline std::vector<LaneKernel> all_swaps() {
  std::vector<LaneKernel> all;
  for (int mask = 1; mask <= 31; ++mask)
    for (const Swap& elements : {kSwap<0, 3>, kSwap<1, 2>, kSwap<3, 1>, kSwap<2, 2>, kSwap<2, 0>})
      all.push_back(swap(elements, mask));
  return all;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
