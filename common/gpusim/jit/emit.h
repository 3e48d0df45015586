// Writes a function's native code as C++ text that calls the steps of jit/steps.h.
//
// The function becomes one C++ function with its instructions in order and a label at each jump target. Where lanes may diverge
// (jit/divergence.h), both ways are written a second time, for some of the lanes. The text does not say what an instruction computes:
// each instruction is a constant, from which the compiler selects and inlines the interpreter's own function (lanes/lane_ops.cpp).
#pragma once

#include <string>
#include <vector>

#include "base/base.h"

namespace gpusim {

struct Function;
struct LoadedModule;

struct NativeText {
  std::string text;            // a translation unit that exports kNativeName as a NativeFunction
  std::vector<bool> is_entry;  // NativeCode::is_entry
  std::vector<u32> segments;   // NativeCode::segments
};

inline constexpr char kNativeName[] = "gpusim_native";

NativeText native_text(const LoadedModule&, const Function&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
