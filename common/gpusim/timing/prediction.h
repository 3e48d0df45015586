// How long a launch would take on a GPU, and why.
#pragma once

#include <string>
#include <vector>

#include "timing/launch_record.h"
#include "timing/multiprocessor.h"

namespace gpusim::timing {

struct Prediction {
  std::string machine;     // "NVIDIA H200"
  double nanoseconds = 0;  // between two events around the launch, in a stream that is busy; 0: not predicted
  double launch_nanoseconds = 0;  // of these, what an empty kernel takes
  double memory_bytes = 0;        // that the memory reads and writes
  Occupancy occupancy;
  std::string bottleneck;  // a sentence
  std::vector<std::string> not_modelled;
  std::vector<double> share;  // by pc: of the time of all warps, 0 … 1
};

Prediction predict(const Machine&, LaunchRecord);

}  // namespace gpusim::timing
