#include "block_stores.h"

#include <gpusim/accesses.h>
#include <gpusim/chosen_blocks.h>

#include <algorithm>
#include <utility>

namespace judge {
namespace {

struct Array {
  const void* d_array;
  std::size_t elements, element_bytes;

  std::uint64_t begin() const { return reinterpret_cast<std::uintptr_t>(d_array); }
  bool has(const gpusim::GlobalBytes& bytes) const {
    return bytes.begin >= begin() && bytes.end <= begin() + elements * element_bytes;
  }
  Elements elements_of(const gpusim::GlobalBytes& bytes) const {
    return {(bytes.begin - begin()) / element_bytes,
            (bytes.end - begin() + element_bytes - 1) / element_bytes};
  }
};

// Overlapping and neighbouring runs become one.
std::vector<Elements> joined(std::vector<Elements> runs) {
  std::ranges::sort(runs, {}, &Elements::first);
  std::vector<Elements> all;
  for (const Elements& run : runs)
    if (!all.empty() && run.first <= all.back().end) all.back().end = std::max(all.back().end, run.end);
    else all.push_back(run);
  return all;
}

}  // namespace

std::map<std::uint64_t, std::vector<Elements>> stores_of_blocks(const void* d_array, std::size_t elements,
                                                                std::size_t element_bytes,
                                                                const std::function<void()>& launch) {
  const gpusim::AccessRecord record;
  launch();
  const Array array{d_array, elements, element_bytes};
  std::map<std::uint64_t, std::vector<Elements>> stored;
  for (const gpusim::GlobalBytes& bytes : record.stores())
    if (array.has(bytes)) stored[bytes.block].push_back(array.elements_of(bytes));
  for (auto& [block, runs] : stored) runs = joined(std::move(runs));
  return stored;
}

OneWarpsLoads loads_of_one_warp(const void* d_first, const void* d_second, std::size_t elements,
                                std::size_t element_bytes, const std::function<void()>& launch) {
  const gpusim::AccessRecord record;
  gpusim::run_first_warps(1);
  launch();
  gpusim::run_first_warps(0);
  const Array first{d_first, elements, element_bytes}, second{d_second, elements, element_bytes};
  OneWarpsLoads loads;
  for (const gpusim::GlobalBytes& bytes : record.loads()) {
    if (first.has(bytes)) loads.of_first.push_back(first.elements_of(bytes));
    if (second.has(bytes)) loads.of_second.push_back(second.elements_of(bytes));
  }
  return loads;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
