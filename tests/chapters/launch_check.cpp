#include "launch_check.h"

#include <cuda_runtime.h>

#include <vector>

#include "judge.h"
#include "simulated.h"
#include "time_limit.h"

namespace judge {

void check_launch(const std::string& what) {
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  const std::vector<Finding> found = take_findings();
  std::string shown;
  for (const Finding& finding : found) shown += finding.shown + "\n";
  const std::string met_by = "met by " + what;
  if (status != cudaSuccess) {
    const std::string cause = last_fault(), error = cudaGetErrorName(status);
    shown = last_fault_quoted() + "\n" + shown + met_by;
    // Who was stopped may be right, given time: no fault is known of it.
    if (cause.find(": stopped after ") != std::string::npos)
      report({Kind::hazard, "unfinished: " + cause + "; " + met_by, shown});
    if (cause.empty()) report(Kind::fault, what + ": " + error + ": " + cudaGetErrorString(status));
    report({Kind::fault, cause + ": " + error + "; " + met_by, shown});
  }
  if (!found.empty()) report({Kind::hazard, found.front().message + "; " + met_by, shown + met_by});
  check_time(what);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
