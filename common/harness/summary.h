// The result of one program, and its two texts: a table for people, and a JSON document for programs (the
// tour, the book). Pure data: nothing here touches a device.
//
// {
//   "program": "02_shared_memory",
//   "device": {"name": "Simulated GPU", "simulated": true, "cuda": null},   cuda: "13.0" on a GPU
//   "n": 1048576,
//   "seed": 1,
//   "copy_gigabytes_per_second": null,               a number on a GPU, if n > 0
//   "rows": [{                                       one for each kernel, in order of launch
//     "kernel": "sum_tile",
//     "step": true,                                  the kernel that the chapter is about
//     "verified": true,
//     "message": "",                                 what is wrong, if not verified
//     "counters": {"warp_instructions": 8028160, …}  names: counters.h; null on a GPU
//     "proof": {"verdict": "proved", "file": null,   with --proof: "race_free" and "not_proved", too, and then the
//               "line": 0, "reason": ""}             source line that is the reason
//     "timing": null                                 on a GPU: {"milliseconds": (median), "q1": …, "q3": …,
//   }]                                               "samples": …, "gigabytes_per_second": …,
// }                                                  "percent_of_copy": … or null; and "teraflops" of a kernel
//                                                    that is about arithmetic}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/counters.h"
#include "harness/device.h"
#include "harness/timing.h"

namespace harness {

struct SummaryRow {
  std::string kernel;
  bool is_step = false;
  double bytes = 0;  // useful bytes that one run moves
  bool verified = false;
  std::string message = "never verified";
  std::optional<Counters> counters;
  std::optional<Timing> timing;
  std::optional<Predicted> predicted;  // has a value if only part of the kernel ran, unverified
  double operations = 0;               // floating-point operations of a run; 0 for kernels about memory
  std::optional<Proved> proved = {};   // has a value if a proof was asked for

  // GB/s of useful bytes; nullopt if the kernel was not timed.
  std::optional<double> bandwidth() const;
  // 10^12 operations per second; nullopt if the kernel was not timed or is not about arithmetic.
  std::optional<double> teraflops() const;
};

struct Summary {
  std::string program, description;
  DeviceInfo device;
  int n = 0;
  std::uint64_t seed = 0;
  std::optional<double> copy_gigabytes_per_second;
  std::vector<SummaryRow> rows;
  bool shows_proofs = false;  // below the table; a profile has them beside its source lines

  bool all_verified() const;
};

std::string to_table(const Summary& summary);
std::string to_json(const Summary& summary);

}  // namespace harness
// SPDX-License-Identifier: MIT
