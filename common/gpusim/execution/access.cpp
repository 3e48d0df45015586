// Loads and stores of a warp: the short way for lanes in a row, and where to go otherwise.
#include <bit>
#include <cstring>

#include "execution/located.h"
#include "execution/module.h"

namespace gpusim {

MemoryPipe::MemoryPipe(Memory& memory, const Peers* peers, const LoadedModule& module,
                       const LaunchInfo& launch, const ObserverHub& hub, const FaultReporter& faults,
                       SpinReads& spin)
    : memory_(memory),
      peers_(peers),
      module_(module),
      launch_(launch),
      hub_(hub),
      faults_(faults),
      spin_(spin) {}

namespace {

// Whether a RowMover may also touch the bytes of inactive lanes. Not if other host threads may write them at the same time.
bool may_touch_all(const LaneRow& row, AccessKind kind, Space space) {
  return row.all_there && (kind == AccessKind::load || space == Space::shared);
}

}  // namespace

// The fast path, which most accesses take: loads and stores of lanes in a row (lanes/lane_addresses.h). Returns true if the
// access was a row in one piece of memory; then it is complete.
bool MemoryPipe::move_row(const Warp& w, const Fragment& f, const Instruction& in, Mask mask,
                          AccessKind kind) const {
  const RowMover move = module_.row_move[f.pc];
  if (!move) return false;
  u8* const frame = f.frame->bytes();
  u8& not_asked = no_row_[f.pc % kFound];
  if (not_asked && not_asked--) return false;
  Space space = in.space;
  if (space == Space::generic) {
    if (in.address_bytes != sizeof(u64)) return false;
    u64 first;
    std::memcpy(&first, frame + in.s[0], sizeof first);
    space = space_of(first + u64(in.offset));
  }
  Piece piece;
  u64 base = 0;  // of the addresses that observers hear of
  if (space == Space::shared) {
    base = in.space == Space::generic ? kSharedWindow : 0;
    piece = {w.block->shared.data(), base, w.block->shared.size()};
  } else {
    const Allocation* const last = last_found_[f.pc % kFound];
    if (!last || space == Space::local || space == Space::param ||
        (kind != AccessKind::load && last->kind == MemoryKind::constant))
      return false;
    piece = {last->bytes, last->base, last->size};
  }
  LaneRow row;
  if (!find_row_(in, frame, mask, size_of(in.type) * in.vector, piece, row)) {
    not_asked = kNotAsked;
    return false;
  }
  if (!hub_.accesses.empty()) {
    RowAccess a;
    static_cast<MemoryAccess&>(a) = access_of(w, f.pc, frame, in, mask, space, kind);
    a.first = row.first - base;
    a.step = row.step;
    for (Observer* o : hub_.take_rows) o->row_access(a);
    for (Observer* o : hub_.take_lanes_and_issues) o->issue(a);
    if (!hub_.take_lanes.empty()) {
      u64 address[kWarpSize];
      const Access of_lanes = a.of_lanes(address);
      for (Observer* o : hub_.take_lanes) o->access(of_lanes);
    }
  }
  move(in, frame, mask, row.where, row.step, may_touch_all(row, kind, space));
  return true;
}

void MemoryPipe::load(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (in.order != MemoryOrder::weak) spin_.polled();
  if (move_row(w, f, in, mask, AccessKind::load)) return;
  hub_.tell_issue(w, f.pc, mask);
  move_lanes(w, f, in, mask, AccessKind::load);
}

// False for a thread's own memory, even at a generic address: libcu++ stores to it like that while it waits.
bool MemoryPipe::is_seen_by_others(const Fragment& f, const Instruction& in, Mask mask) const {
  if (in.space == Space::local || in.space == Space::param) return false;
  if (in.space != Space::generic || in.address_bytes != sizeof(u64)) return true;
  for (; mask != 0; mask &= mask - 1) {
    u64 address;
    const u32 lane = u32(std::countr_zero(mask));
    std::memcpy(&address, f.frame->bytes() + in.s[0] + lane * sizeof address, sizeof address);
    if (space_of(address + u64(in.offset)) != Space::local) return true;
  }
  return false;
}

void MemoryPipe::store(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (is_seen_by_others(f, in, mask)) spin_.changed();
  if (move_row(w, f, in, mask, AccessKind::store)) return;
  hub_.tell_issue(w, f.pc, mask);
  move_lanes(w, f, in, mask, AccessKind::store);
}

u32 MemoryAccess::element_bytes() const {
  if (!instruction) return bytes;  // in a test, made by hand
  return instruction->shape == Shape::matrix_load ? size_of(instruction->type) : bytes / instruction->vector;
}

const u8* Access::value(u32 lane, u32 k) const {
  const u32 bytes =
      instruction->shape == Shape::store ? u32(instruction->s_bytes) : size_of(instruction->type);
  return frame + instruction->s[1 + k] + lane * bytes;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
