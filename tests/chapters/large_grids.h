// Grids that are too large to run, on arrays that are too large to fill: which blocks show whether an index, or its bytes,
// outgrow their type. What nobody touches of an array costs nothing on the simulated GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "judge.h"
#include "simulated.h"

namespace judge {

inline constexpr std::size_t kMost = std::size_t(1) << 30;  // elements that kernels take
// Two such arrays of 4 bytes an element fit into the 8 GiB of the simulated GPU.
inline constexpr std::size_t kTwoFit = kMost - (kMost >> 5);

// Blocks at either end, and where a block's number, the number of its first thread or element, or of that one's byte
// leaves 8, 16, 31 or 32 bits; and those around the numbers with which the kernel compares (thresholds.h). Counted from the
// beginning and from the end.
std::vector<std::uint64_t> blocks_to_run(std::size_t blocks, std::size_t per_block);

// The numbers below `blocks`, in order and each once.
std::vector<std::uint64_t> in_grid(std::vector<std::uint64_t> chosen, std::size_t blocks);

// Until it ends, launches run these blocks only. False on a GPU, which runs all.
class OnlyBlocks {
 public:
  explicit OnlyBlocks(const std::vector<std::uint64_t>& blocks) : can_(run_only_blocks(blocks)) {}
  ~OnlyBlocks() { run_all_blocks(); }
  OnlyBlocks(const OnlyBlocks&) = delete;
  OnlyBlocks& operator=(const OnlyBlocks&) = delete;
  explicit operator bool() const { return can_; }

 private:
  bool can_;
};

// Whether the blocks of this kernel draw their tiles from a counter, as has been seen in a large grid: of few blocks it
// never knows which is the last, and keeps what only reload_kernels() puts back.
bool draws_tiles(const std::string& kernel);

// Variables of the device are again as when the program began. No array may live.
void reload_kernels();

// Copies a part of a large array.
template <typename T> void copy_in(T* d_to, const std::vector<T>& values) {
  if (cudaMemcpy(d_to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
    report(Kind::fault, "a copy to a large array failed");
}
template <typename T> std::vector<T> copy_out(const T* d_from, std::size_t count) {
  std::vector<T> values(count);
  if (cudaMemcpy(values.data(), d_from, count * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
    report(Kind::fault, "a copy from a large array failed");
  return values;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
