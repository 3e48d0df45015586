// Launches by <<<…>>>: where in the program they stand.
#pragma once

namespace gpusim::runtime {

struct StubCall {
  void* from = nullptr;  // the place of the <<<…>>>; null: the program calls cudaLaunchKernel itself
  bool is_configured =
      true;  // false: a kernel is called like a function, by a pointer for example, and `from` is in its host stub
};

// Of the host stub that has called cudaLaunchKernel; none when asked again.
StubCall take_stub_call();

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
