// The device that this build runs on: the simulated GPU or a real one.
#pragma once

#include <string>

namespace harness {

// Exit statuses of programs and tests.
inline constexpr int kExitFailed = 1;     // a wrong result, a CUDA error, no GPU
inline constexpr int kExitBadOption = 2;  // the command line
inline constexpr int kExitSkipped = 77;   // Meson's status for a test that could not run here

struct DeviceInfo {
  std::string name;  // "Simulated GPU", "NVIDIA H200"
  bool simulated = false;
  std::string cuda;  // version of the CUDA runtime, "13.0"; empty when simulated
};

// Known when the program is built. True: the device counts, and has no times. False: it has times and no
// counters.
bool is_simulated();

DeviceInfo device_info();

// Ends the process with one line on stderr if there is no GPU. Programs exit with kExitFailed; a test's main
// calls require_gpu(kExitSkipped). On the simulated GPU it always returns.
void require_gpu(int exit_status = kExitFailed);

}  // namespace harness
// SPDX-License-Identifier: MIT
