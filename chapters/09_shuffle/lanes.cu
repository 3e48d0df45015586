// Chapter 09, experiment: what each shuffle does, as a map. Every lane brings its own number, so the values
// that the kernel wrote say which lanes they came from.
#include <kernels.cuh>

#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "harness/harness.h"

namespace {

constexpr int kWarp = 32;
constexpr int kLanesShown = 8;  // in the maps of arrays

using Launch = std::function<void(const int* d_in, int* d_out)>;

// out[] of a warp whose in[] is 0, 1, 2, …: where each value came from.
std::vector<int> sources(int per_lane, const Launch& launch) {
  std::vector<int> numbers(kWarp * per_lane);
  std::iota(numbers.begin(), numbers.end(), 0);
  const harness::DeviceBuffer<int> d_in(numbers);
  harness::DeviceBuffer<int> d_out(numbers.size());
  launch(d_in.data(), d_out.data());
  CUDA_CHECK_LAUNCH();
  return d_out.download();
}

void print_row(const char* title, const std::vector<int>& numbers) {
  std::printf("%-9s", title);
  for (int number : numbers) std::printf("%3d", number);
  std::printf("\n");
}

void print_map(const char* what, const Launch& launch) {
  std::vector<int> lanes(kWarp);
  std::iota(lanes.begin(), lanes.end(), 0);
  std::printf("\n%s\n", what);
  print_row("lane", lanes);
  print_row("gets from", sources(1, launch));
}

// Rows are elements, columns are the first lanes. 5.2 means: this value was element 2 of lane 5.
void print_array_map(const char* what, const Launch& launch) {
  const std::vector<int> from = sources(kPerLane, launch);
  std::printf("\n%s\nlane    ", what);
  for (int lane = 0; lane < kLanesShown; ++lane) std::printf("%6d", lane);
  for (int k = 0; k < kPerLane; ++k) {
    std::printf("\nvalue[%d]", k);
    for (int lane = 0; lane < kLanesShown; ++lane) {
      const int source = from[lane * kPerLane + k];
      std::printf("%4d.%d", source / kPerLane, source % kPerLane);
    }
  }
  std::printf("\n");
}

struct Map {
  const char* what;
  void (*kernel)(const int* in, int* out, int parameter, int width);
  int parameter, width;
};

const Map kMaps[] = {
    {"broadcast: from lane 2 of each group of 32", shuffle_broadcast, 2, 32},
    {"broadcast: from lane 2 of each group of 8", shuffle_broadcast, 2, 8},
    {"up: from 2 lanes below; lanes 0 and 1 keep their own", shuffle_up, 2, 32},
    {"up, width 16: lanes 0, 1, 16 and 17 keep their own", shuffle_up, 2, 16},
    {"down: from 2 lanes above; lanes 30 and 31 keep their own", shuffle_down, 2, 32},
    {"down, width 8: the last 2 lanes of each group of 8 keep their own", shuffle_down, 2, 8},
    {"around, offset 2, width 16", shuffle_around, 2, 16},
    {"around, offset -2, width 16", shuffle_around, -2, 16},
    {"around, offset -2, width 32", shuffle_around, -2, 32},
    {"butterfly, mask 1: neighbours", shuffle_xor, 1, 32},
    {"butterfly, mask 16: half a warp apart", shuffle_xor, 16, 32},
    {"butterfly, mask 31: the warp in reverse", shuffle_xor, 31, 32},
    {"butterfly, mask 8, width 8: a partner in a group above is out of reach", shuffle_xor, 8, 8},
};

}  // namespace

int main(int argc, char** argv) {
  harness::parse_no_options(argc, argv, "09_shuffle.lanes", "prints who gets whose value in every shuffle");
  std::printf("Who gets whose value, on: %s\n", harness::device_info().name.c_str());
  for (const Map& map : kMaps)
    print_map(map.what, [&](const int* d_in, int* d_out) {
      map.kernel<<<1, kWarp>>>(d_in, d_out, map.parameter, map.width);
    });
  print_map("mask of lanes 0 to 19, which pass their values round; the others do not call",
            [](const int* d_in, int* d_out) { shuffle_first<<<1, kWarp>>>(d_in, d_out, 20); });
  print_array_map("butterfly of arrays, mask 1: each element goes to the same element of the partner",
                  [](const int* d_in, int* d_out) { shuffle_xor_array<<<1, kWarp>>>(d_in, d_out, 1); });
  print_array_map("swap, mask 1: element 0 of the lower lane and element 3 of the upper lane change places",
                  [](const int* d_in, int* d_out) { shuffle_swap<0, 3><<<1, kWarp>>>(d_in, d_out, 1); });
  return 0;
}
// SPDX-License-Identifier: MIT
