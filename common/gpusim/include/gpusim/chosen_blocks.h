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

// Of a grid with more than `most` blocks, that many run from now on, in rows of neighbours from all over the grid, because the
// work of a block may depend on where it lies in an image or a list. If blocks may wait for others (the kernel reads what others
// write meanwhile), the first ones run instead. 0: all run.
void run_some_blocks(std::uint64_t most);

// From now on only this many warps of each block run. The others behave as if they had left at the kernel's first line, and no
// barrier waits for them. A block's results are then wrong, but the addresses that its first warps read are right. 0: all run.
void run_first_warps(unsigned warps);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
