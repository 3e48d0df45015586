// One launch of a kernel, asked for and answered as text: what a page in a browser needs of the simulated GPU. It has no files, no
// program and no CUDA runtime; the arrays are made and filled here.
//
// A request is lines of words:
//
//   kernel sum_tile              as the source calls it: sum_unrolled<256>
//   grid 4 1 1
//   block 256 1 1
//   shared 0                     bytes of dynamic shared memory
//   schedule lockstep            ascending, descending (gpusim/schedule.h)
//   checks all                   as GPUSIM_CHECK
//   array in f32 1000 small      f32, s32, u32 or u64; its elements: small (k mod 8), index (k), zeros, or unwritten
//   argument array in            the kernel's arguments, in their order …
//   argument number 1000         … or a whole number, for a parameter of 4 or 8 bytes
//   expect total sums 3500       what is right: the elements add up to …
//   expect scan out in           out[k] is in[0] + … + in[k]
//   expect transposed out in 64 32      in has 64 rows of 32 elements, out their transpose
//   source NAME BYTES            a source file that lines and findings name: BYTES bytes of text follow the line
//   ptx BYTES                    the kernel's PTX; the same
//
// The answer is a JSON object. Either {"refused": "why"}: the request, or a launch that a GPU refuses; or
//   report      as gpusim::to_json(Report): counters of the launch and of each source line
//   fault       what stopped the kernel, with its source line, or null
//   findings    [{check, severity, file, line, text}]
//   proof       {"verdict": "proved"|"race_free"|"not_proved", "text": …}: whether another order or input could make the compiled code
//               race (gpusim/proof.h); null if no check looks for races
//   result      {"right": true|false, "text": …}, or null without an `expect`
#pragma once

#include <string>
#include <string_view>

namespace gpusim::web {

std::string run(std::string_view request);

}  // namespace gpusim::web
// SPDX-License-Identifier: MIT
