// Names an address by the array that it belongs to, as the kernel's source calls it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/launch_info.h"
#include "memory/memory.h"

namespace gpusim {

struct PointerParameter {
  std::string name;       // empty: not known
  std::string type;       // the element's, as "float"; empty: not known
  u32 element_bytes = 0;  // 0: not known
  bool is_const = false;
  u64 value = 0;
};
struct IntegerParameter {
  std::string name;  // empty: not known
  s64 value = 0;
};
// What the source calls each of the kernel's parameters; empty: not known.
std::vector<std::string> parameter_names(const LaunchInfo&);

// The parameters of integer types.
std::vector<IntegerParameter> integer_parameters(const LaunchInfo&);

// What an address in or near an allocation is counted from: a pointer that the kernel was given, or what the program calls the
// array; nothing if neither is known.
std::optional<PointerParameter> parameter_for(const LaunchInfo&, const Allocation&, u64 address, AccessKind);

// PTX only numbers parameters. Their types come from the mangled name, their names from the source file if it can be read.
std::vector<PointerParameter> pointer_parameters(const LaunchInfo&);

// "in[12]", "in[12] to in[15]", "*sum", "counter"; "4 bytes at offset 12 of an allocation of 1024 bytes" where nothing has a name,
// neither a parameter nor the array itself (gpusim/array_names.h).
std::string global_name(const LaunchInfo&, const Allocation&, u64 address, u32 bytes, AccessKind);

// For an address in front of or behind an allocation, "in[264], beyond the 264 floats of in". Empty where nothing has a
// name.
std::string outside_name(const LaunchInfo&, const Allocation&, u64 address, u32 bytes, AccessKind);

// "in" for memory that a parameter points to; else empty.
std::string array_name(const LaunchInfo&, const Allocation&, u64 address, AccessKind);

// "out[0], and out is a null pointer" for an address of the first bytes, where one pointer is null.
std::string null_name(const LaunchInfo&, u64 address, u32 bytes);

// "1 byte", "4 bytes"
std::string bytes_name(u64 bytes);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
