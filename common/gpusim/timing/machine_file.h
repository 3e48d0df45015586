// The file of a machine model: one that calibrate printed, or one that names a base and says what is different.
//
//   {"gpu": "NVIDIA H200", "fp32_add_latency": 4.2, …}                  calibrate: every constant, all measured
//   {"name": "NVIDIA L4", "base": "h100",                               derived
//    "published": {"multiprocessors": 58, …},                           numbers that somebody has printed
//    "derived": {"l2_load16_all_nanoseconds": 0.24, …},                 numbers that follow from such
//    "sources": {"multiprocessors": "NVIDIA L4 data sheet", …}}         of both: who says it, or how it follows
//
// A file with a base may have "measured", too: what calibrate measured of a GPU on which it could not measure all.
// One source may stand for several constants: "multiprocessors, l2_bytes": "…".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "timing/constants.h"
#include "timing/derived_constants.h"

namespace gpusim::timing {

struct MachineFile {
  std::string gpu;          // "NVIDIA L4"
  std::string base;         // "h100", or a file beside this one; empty: the file has every constant
  Numbers numbers;          // also such as are no constants, if calibrate printed them
  bool is_measured = true;  // by calibrate, as far as that GPU has what it measures; false: derived
};

// Null after an error, which is then told: "has no value for 'fp32_add_latency'".
std::optional<MachineFile> read_machine_file(std::string_view text, std::string* error);

// "lacks 'l2_latency' (cycles: …)", and what may have been meant for it.
std::string what_is_missing(const ConstantRow& missing, const Numbers&);
// "'l2_latnecy', which is no constant; perhaps 'l2_latency' is meant"
std::string what_is_unknown(std::string_view name);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
