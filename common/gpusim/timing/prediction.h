// How long a launch would take on a GPU, and why.
#pragma once

#include <string>
#include <vector>

#include "timing/diagnosis.h"
#include "timing/launch_record.h"
#include "timing/multiprocessor.h"

namespace gpusim::timing {

struct Prediction {
  std::string machine;            // "NVIDIA H200"
  double nanoseconds = 0;         // between two events around the launch, in a busy stream; 0: not predicted
  double launch_nanoseconds = 0;  // the part of these that an empty kernel takes, too
  double memory_bytes = 0;        // read from and written to device memory
  Occupancy occupancy;
  std::string bottleneck;       // a sentence
  std::vector<Saving> savings;  // the largest first
  bool is_at_limit = false;
  std::vector<std::string> not_modelled;
  std::vector<double> share;  // by pc: its share of the time of all warps, 0 … 1
};

Prediction predict(const Machine&, LaunchRecord);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
