// Checks of kernels that move values from lane to lane, against a map of who gets whose, made on the host.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace judge {

// A kernel for one block of whole warps, each of whose threads reads and writes `per_lane` consecutive ints: out[i] must
// become in[source(i)], for all i in 0 … threads * per_lane - 1.
struct LaneKernel {
  std::string name;  // for messages, with its parameters: "shuffle_up, distance 2, width 16"
  int per_lane;
  bool has_gap;  // the starter's version moves nothing: out[i] = in[i]
  std::function<int(int i)> source;
  std::function<void(const int* d_in, int* d_out, int threads)> launch;
};

// Every value comes from where the map says; nothing else is written or read; the input stays. In every schedule (of many
// sets of parameters, in others than the first only of some), in blocks of one warp and of many. Of a kernel as shipped one finding is enough, whatever its parameters.
void check_lanes(const std::vector<LaneKernel>& kernels);

// The kernel makes exactly `shuffles` shuffles a warp, and moves nothing through shared or local memory.
void check_lane_counts(const LaneKernel& kernel, int shuffles);

}  // namespace judge
// SPDX-License-Identifier: MIT
