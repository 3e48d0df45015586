#include "timing/occupancy.h"

#include <algorithm>

namespace gpusim::timing {
namespace {

constexpr u64 kRegistersAtOnce = 256;  // allotted to a warp

// Sizes that shared memory can have on a multiprocessor, KiB (CUDA C++ Programming Guide, compute capability 9.0 and 10.0;
// 8.0 has those up to 164, and 8.6, 8.9 and 12.0 those up to 100). The L1 cache has the rest of the KiB that both share.
constexpr u64 kCarveouts[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

// Of a block, which gets it in pieces.
u64 shared_of(const Machine& machine, u64 shared_bytes) {
  const u64 at_once = machine.major < 8 ? 256 : 128;
  return align_up(shared_bytes + machine.shared_bytes_reserved, at_once);
}

}  // namespace

Occupancy occupancy_of(const Machine& machine, u64 threads, u64 shared_bytes, u32 registers) {
  const u64 warps = std::max<u64>(align_up(threads, kWarpSize) / kWarpSize, 1);
  const u64 registers_of_warp = align_up(u64(registers) * kWarpSize, kRegistersAtOnce);
  Occupancy result{~0u, registers, ""};
  const auto limit = [&](const char* what, u64 blocks) {
    if (blocks < result.blocks) result.blocks = u32(blocks), result.limit = what;
  };
  limit("threads", machine.threads_per_multiprocessor / (warps * kWarpSize));
  limit("blocks", machine.blocks_per_multiprocessor);
  limit("registers", machine.registers_per_multiprocessor / (registers_of_warp * warps));
  limit("shared memory", machine.shared_bytes_per_multiprocessor / shared_of(machine, shared_bytes));
  return result;
}

u32 allotted_registers(const Machine& machine, u32 needed, const KernelInfo& kernel, u64 threads) {
  constexpr u32 kFewest = 16;
  const bool is_bound = kernel.max_threads < Limits::max_threads_per_block;
  const u64 room =
      machine.registers_per_multiprocessor / std::max<u64>(is_bound ? kernel.max_threads : threads, 1);
  return u32(std::min<u64>(needed, std::max<u64>(room, kFewest)));
}

u64 l1_bytes(const Machine& machine, u32 blocks, u64 shared_bytes) {
  const u64 most = machine.shared_bytes_per_multiprocessor;
  // 256 KiB beside 228, 192 beside 164, 128 beside 100. Before 8.0: 128 beside 96, 96 beside 64.
  const u64 both = most + ((machine.major < 8 ? 32u : 28u) << 10);
  const u64 used = blocks * shared_of(machine, shared_bytes);
  for (const u64 kibibytes : kCarveouts)
    if (used <= kibibytes << 10) return both - std::min(most, kibibytes << 10);
  return both - most;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
