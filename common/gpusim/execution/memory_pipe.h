// Loads, stores and atomics of a warp: finds the bytes, checks that the lanes may access them, and moves the data.
#pragma once

#include <algorithm>

#include "execution/device.h"
#include "execution/observer_hub.h"
#include "execution/spin_reads.h"
#include "execution/warp.h"
#include "lanes/lane_addresses.h"
#include "lanes/lane_ops.h"

namespace gpusim {

class FaultReporter;
class Footprint;
struct LoadedModule;

// A mask passed to these functions is never empty. Each function tells the observers, and throws a Fault for the first lane that
// may not access its bytes. Addresses are as in events.h.
class MemoryPipe {
 public:
  // All must outlive the pipe. `peers`: null if there is one GPU.
  MemoryPipe(Memory&, const Peers* peers, const LoadedModule&, const LaunchInfo&, const ObserverHub&,
             const FaultReporter&, SpinReads&);

  void load(Warp&, Fragment&, const Instruction&, Mask);
  void store(Warp&, Fragment&, const Instruction&, Mask);
  bool is_seen_by_others(const Fragment&, const Instruction&, Mask) const;
  void atomic(Warp&, Fragment&, const Instruction&, Mask);
  // ldmatrix. frame[l] and of[l]: the frame and the instruction of lane l (matrix_loads.cpp).
  void load_matrices(Warp&, u32 pc, const Instruction&, Frame* const* frame, const Instruction* const* of);

  // Reads what a cp.async copies, and fills in the copy's places and bytes.
  void read_for_copy(Warp&, Fragment&, const Instruction&, Mask, AsyncCopies::Copy&);
  // The offsets of the lanes' addresses in the block's shared memory.
  void shared_addresses(Warp&, Fragment&, const Instruction&, Mask, u64* address);

  // A lane's own array bytes; null if `address` is outside of the arrays of the frame and its callers.
  u8* local_bytes(Frame*, u32 lane, u64 address, std::size_t count) const;
  const Allocation* find(u32 pc, u64 address) const;
  // To be called before a block's turn, and when memory has been freed: find() remembers allocations.
  void forget_found() { std::ranges::fill(last_found_, nullptr); }

  // Records global accesses in `footprint` and defers atomics to it, because this block runs at the same time as others.
  void note_in(Footprint& footprint) { footprint_ = &footprint; }
  Footprint* footprint() const { return footprint_; }  // null: the blocks of the grid run one after another

  // Applies an atomic with operands b and c to the bytes at `where`. *old: what was there. True if it is still there.
  static bool update(const Instruction&, AtomicFunction, Space, u8* where, u64 b, u64 c, u64* old);

 private:
  struct Located;
  bool move_row(const Warp&, const Fragment&, const Instruction&, Mask, AccessKind) const;
  void move_lanes(Warp&, Fragment&, const Instruction&, Mask, AccessKind);
  MemoryAccess access_of(const Warp&, u32 pc, const u8* frame, const Instruction&, Mask, Space,
                         AccessKind) const;
  void tell_access(const Warp&, const Fragment&, const Instruction&, Mask, Space, AccessKind,
                   const u64* address, u32 row) const;
  template <class F> void for_spaces(Warp&, Fragment&, const Instruction&, Mask, AccessKind, F);
  void locate(Warp&, Fragment&, const Instruction&, Mask, Space, AccessKind, Located&);
  static void to_register(const Instruction&, u8* frame, u32 k, const Located&, Mask);
  static void from_register(const Instruction&, const u8* frame, u32 k, const Located&, Mask);

  Memory& memory_;
  const Peers* peers_;
  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const ObserverHub& hub_;
  const FaultReporter& faults_;
  SpinReads& spin_;
  Footprint* footprint_ = nullptr;

  // By the low bits of the pc: an instruction usually finds the allocation that it found last. Valid for one turn of a block,
  // during which only the kernel itself can free memory.
  static constexpr std::size_t kFound = 16;
  mutable const Allocation* last_found_[kFound] = {};
  // Indexed in the same way: how many more accesses are handled lane by lane, since the last one was not a row.
  static constexpr u8 kNotAsked = 15;
  mutable u8 no_row_[kFound] = {};
  const AddressFunction lane_addresses_ = lane_addresses();
  const RowFunction find_row_ = find_row();
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
