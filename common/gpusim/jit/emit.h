// Writes the native code of a function as C++, in the words of jit/steps.h.
//
// The function becomes one function of C++: its instructions in their order, those that may be jumped to with a label, and at
// branches where lanes may part (jit/parting.h) both ways once more, for some of the lanes. What an instruction does is not
// written here: each is a constant, to which the interpreter's own binding gives the function that executes it
// (lanes/lane_ops.cpp), and the compiler puts that in its place.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"

namespace gpusim {

struct Function;
struct LoadedModule;

struct NativeText {
  std::string text;            // of a file, which exports kNativeName as a NativeFunction
  std::vector<bool> is_entry;  // NativeCode::is_entry
  std::vector<u32> segments;   // NativeCode::segments
};

inline constexpr char kNativeName[] = "gpusim_native";

NativeText native_text(const LoadedModule&, const Function&);

}  // namespace gpusim
