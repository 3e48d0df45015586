// Launches every kernel of the calibration set once and prints their names, in order. common/measure.py runs it
// under ncu; by hand: nvcc -std=c++17 calibration.cu (or simcc, whose program takes half a minute).
#include "calibration_launch.cuh"

int main() {
  calibration::for_each_case(calibration::kFull,
                             [](const std::string& name, const std::function<void()>& launch) {
                               launch();
                               calibration::require(cudaGetLastError(), name);
                               calibration::require(cudaDeviceSynchronize(), name);
                               std::printf("%s\n", name.c_str());
                             });
}
// SPDX-License-Identifier: MIT
