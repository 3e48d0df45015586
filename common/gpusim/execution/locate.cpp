// Where in memory the lanes' addresses are, and whether the lanes may touch the bytes there.
#include "execution/fault_reporter.h"
#include "execution/located.h"

namespace gpusim {

u8* MemoryPipe::local_bytes(Frame* frame, u32 lane, u64 address, std::size_t count) const {
  for (; frame; frame = frame->caller) {
    const u32 size = frame->function->local_bytes;
    if (address < frame->local_base) continue;
    const u64 at = address - frame->local_base;
    return at < size && count <= size - at ? frame->local.data() + std::size_t(lane) * size + at : nullptr;
  }
  return nullptr;
}

const Allocation* MemoryPipe::find(u32 pc, u64 address) const {
  const Allocation*& last = last_found_[pc % kFound];
  if (last && address - last->base < last->size) return last;
  const Allocation* found = memory_.find(address);
  if (!found && peers_) found = peers_->find(launch_.gpu, address);
  if (found) last = found;  // map nodes do not move
  return found;
}

// Fills `out` for the lanes of the mask, or faults for the first lane that may not touch its bytes.
void MemoryPipe::locate(Warp& w, Fragment& f, const Instruction& in, Mask mask, Space space, AccessKind kind,
                        Located& out) {
  const u32 count = size_of(in.type) * in.vector;  // a power of two
  const u64 window = in.space != Space::generic ? 0
                     : space == Space::shared   ? kSharedWindow
                     : space == Space::local    ? kLocalWindow
                                                : 0;
  if (window) {
    for (u64& a : out.address) a -= window;
    out.low -= window;
    out.high -= window;
  }
  // Whether one piece of memory, which begins at address `base`, holds the bytes of all lanes.
  const auto in_piece = [&](const u8* bytes, u64 base, u64 size) {
    if (out.bits & (count - 1) || out.low < base || out.high < out.low || size < count ||
        out.high - base > size - count)
      return false;
    out.origin = reinterpret_cast<u64>(bytes) - base;
    return out.is_one_piece = true;
  };
  const auto each =
      [&](auto find) {  // one loop per space: the question which space is not asked for every lane
        out.is_one_piece = false;
        for_each_lane(mask, [&](u32 l) {
          const u64 a = out.address[l];
          u8* p = a & (count - 1) ? nullptr : find(a, l);
          if (!p) faults_.fault_address(w, f.pc, l, space, kind, a, count);
          out.where[l] = p;
        });
      };
  const auto in_block_of = [&](u8* bytes, std::size_t size) {
    if (in_piece(bytes, 0, size)) return;
    each([=](u64 a, u32) { return a < size && count <= size - a ? bytes + a : nullptr; });
  };
  switch (space) {
    case Space::param: return in_block_of(f.frame->bytes(), f.frame->size());
    case Space::shared: return in_block_of(w.block->shared.data(), w.block->shared.size());
    case Space::local: {
      const u64 base = f.frame->local_base, size = f.frame->function->local_bytes;
      const bool is_own = !(out.bits & (count - 1)) && out.low >= base && out.high >= out.low &&
                          size >= count && out.high - base <= size - count;
      if (!is_own) return each([&](u64 a, u32 l) { return local_bytes(f.frame, l, a, count); });
      u8* const bytes = f.frame->local.data();  // of lane 0; the lanes' arrays follow one another
      out.is_one_piece = false;
      for_each_lane(mask, [&](u32 l) { out.where[l] = bytes + l * size + (out.address[l] - base); });
      return;
    }
    default: break;
  }
  const Allocation* last = find(f.pc, out.low);
  if (last && (kind == AccessKind::load || last->kind != MemoryKind::constant) &&
      in_piece(last->bytes, last->base, last->size))
    return;
  each([&](u64 a, u32) -> u8* {
    if (!last || !last->contains(a, count)) last = find(f.pc, a);
    if (!last || !last->contains(a, count)) return nullptr;
    if (kind != AccessKind::load && last->kind == MemoryKind::constant) return nullptr;
    return last->bytes + (a - last->base);
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
