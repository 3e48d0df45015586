// What memory holds until something writes it: arrays of cudaMalloc, shared memory, and variables of threads.
#pragma once

namespace gpusim {

// large: every byte is 0x6b. That is 2.8e26 as a float, 2.8e209 as a double, 3798 as a half, 1802201963 as an int or unsigned. It
//   is far from any expected result, so both `if (fabs(a - b) > eps)` and `if (a != b)` notice it. Unlike NaN it is finite: every
//   comparison with NaN is false, so the first of these tests would accept NaN.
// nan: every byte is 0xff. That is NaN as a float, double or half, and -1 as an int. Whatever is computed from it is NaN, too.
// zero: every byte is 0, as often on a GPU that has not been used before. A program that relies on it is wrong, and this shows
//   whether that is its only mistake.
// GPUSIM_FRESH_MEMORY=large|nan|zero sets it for any program; `large` is the default.
enum class FreshMemory { large, nan, zero };

// For memory that is allocated, and kernels that are launched, from now on.
void set_fresh_memory(FreshMemory);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
