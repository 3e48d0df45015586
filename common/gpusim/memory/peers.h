// The GPUs of one process: which memory belongs to which GPU, and which GPUs may use it.
#pragma once

#include <array>
#include <bitset>

#include "memory/memory.h"

namespace gpusim {

class Peers {
 public:
  void add(u32 gpu, const Memory& memory) { memory_[gpu] = &memory; }
  void allow(u32 gpu, u32 peer, bool may) { allowed_[gpu][peer] = may; }
  bool may_use(u32 gpu, u32 peer) const { return gpu == peer || allowed_[gpu][peer]; }

  // Another GPU's allocation that holds `address`, or host memory, if `gpu` may use it; else null.
  const Allocation* find(u32 gpu, u64 address) const {
    const Allocation* a = owned(address);
    const bool is_host = a && (a->kind == MemoryKind::pinned || a->kind == MemoryKind::managed);
    return a && (is_host || may_use(gpu, Memory::gpu_of(address))) ? a : nullptr;
  }
  // The same, without asking who may use it.
  const Allocation* owned(u64 address) const {
    const Memory* memory = memory_of(address);
    return memory ? memory->find(address) : nullptr;
  }
  // The memory of the GPU to which an address belongs; null if there is no such GPU.
  const Memory* memory_of(u64 address) const { return memory_[Memory::gpu_of(address)]; }

 private:
  std::array<const Memory*, Memory::kMostGpus> memory_ = {};
  std::array<std::bitset<Memory::kMostGpus>, Memory::kMostGpus> allowed_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
