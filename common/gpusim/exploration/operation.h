// The instruction before which an agent stops: an access by which warps, blocks or GPUs talk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checking/races/global_use.h"
#include "execution/exec.h"
#include "execution/module.h"
#include "exploration/live_registers.h"
#include "exploration/weak_memory.h"
#include "gpusim/check.h"

namespace gpusim {

struct TalkWord {
  u64 key = 0;  // its address; of shared memory one where no memory is
  u32 bytes = 0;
  u8* where = nullptr;
  u64 bits() const;
  void set(u64 bits) const;
};

struct Operation {
  enum class Kind : u8 { load, store, update };
  u32 pc = 0;
  Kind kind = Kind::load;
  Strength strength;
  std::vector<TalkWord> words;  // each once, ascending
  u64 of_lane[kWarpSize] = {};  // by lane: its word; 0: none, or several
  bool touches(u64 key) const;
};

// What an exploration does not cover, and where it stands.
struct NotExplored {
  std::string why;
  Place place;
};

// Why a kernel cannot be explored, by its code; nothing where it can.
std::optional<NotExplored> why_not(const LaunchInfo&);

// What is known of an explored kernel, whichever execution it is.
struct KernelFacts {
  explicit KernelFacts(const LaunchInfo&);
  GlobalUse use;
  LiveRegisters live;
};

// The operation that the fragment is about to execute; nothing where its next instruction matters to no other agent, or is a fault.
class Operations {
 public:
  Operations(const Device&, const LoadedModule&, const LaunchInfo&, const KernelFacts&);
  std::optional<Operation> of(const Warp&, const Fragment&) const;
  // Where bytes of global memory lie; null: nowhere.
  u8* global_bytes(u64 address, u32 bytes) const;

 private:
  u8* bytes_at(const Warp&, u64 address, u32 bytes) const;

  const Device& device_;
  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const KernelFacts& facts_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
