// A few blocks of a grid that is too large to run: what they do near the ends of large arrays.
//
//   gpusim::run_only_blocks({0, 1, last});
//   sum_tile<<<last + 1, block>>>(in, sums, n);  // gridDim and blockIdx are as always
//   gpusim::run_only_blocks({});                  // all, again
#pragma once

#include <cstdint>
#include <vector>

namespace gpusim {

// The linear indices of the blocks that launches run from now on, in this order; a grid skips those that it does not
// have. None: all blocks run, as on a GPU.
void run_only_blocks(const std::vector<std::uint64_t>& blocks);

// Of a grid that has more blocks than that, so many run from now on, in rows of neighbours from all over it: what an image or a
// list asks of a block may depend on where it lies. Where blocks may wait for others (the kernel reads what others write
// meanwhile) the first ones run. 0: all run.
void run_some_blocks(std::uint64_t most);

// So many warps of each block run from now on; the others are as if they had left at the kernel's first line, and no barrier
// waits for them. What a block computes is not what it should be, but where its first warps read is. 0: all run.
void run_first_warps(unsigned warps);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
