#include "large_grids.h"

#include <algorithm>
#include <utility>

#include "thresholds.h"

namespace judge {

std::vector<std::uint64_t> in_grid(std::vector<std::uint64_t> chosen, std::size_t blocks) {
  std::erase_if(chosen, [&](std::uint64_t b) { return b >= blocks; });
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<std::uint64_t> blocks_to_run(std::size_t blocks, std::size_t per_block) {
  std::vector<std::uint64_t> chosen = {0, 1, blocks / 2, blocks - 1};
  for (const std::size_t limit :
       {std::size_t(1) << 8, std::size_t(1) << 16, (std::size_t(1) << 29) / per_block,
        (std::size_t(1) << 30) / per_block / 2 + 1})
    for (const std::size_t b : {limit - 1, limit})
      if (b < blocks) chosen.push_back(b);
  if (blocks > 1) chosen.push_back(blocks - 2);
  // On both sides of each number with which the kernel compares, be it that of a block or of an element.
  for (const Threshold& t : thresholds(2, blocks * per_block))
    for (const std::size_t b :
         {t.first - 1, t.first, t.last, t.last + 1, t.first / per_block, t.last / per_block + 1})
      chosen.push_back(b);
  // Who counts blocks from the end does the same work: with each block comes the one that stands for it then.
  for (std::size_t k = 0, before = chosen.size(); k < before; ++k) chosen.push_back(blocks - 1 - chosen[k]);
  return in_grid(std::move(chosen), blocks);
}

void reload_kernels() {
  if (cudaDeviceReset() != cudaSuccess) report(Kind::fault, "the kernels cannot be loaded again");
}

}  // namespace judge
// SPDX-License-Identifier: MIT
