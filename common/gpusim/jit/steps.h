// The steps that native code calls: the interpreter's own functions, for an instruction that is a compile-time constant. Only the text
// that jit/emit.h writes includes this file.
#pragma once

#define GPUSIM_NATIVE
#define GPUSIM_LANE_OPS lane_ops_native
#include "analysis/uniformity.h"
#include "counting/counters.h"
#include "execution/exec.h"
#include "execution/module.h"
#include "execution/native_code.h"
#include "execution/row_access.h"
#include "lanes/lane_ops.cpp"

namespace gpusim {

#define STEP [[gnu::always_inline]] static inline

// Each step executes instruction `pc`, whose segment begins at `begin`, for all lanes of a warp or for those of a mask.
struct NativeSteps {
  // ---- All lanes. True if this many more instructions may be executed; they then count as executed.
  STEP bool begin(NativeCall& c, u32 count) {
    if (c.left < count) [[unlikely]]
      return false;
    c.left -= count;
    return true;
  }
  STEP bool meets_others(const NativeCall& c, u32 pc) { return c.fragment->rpc == pc; }
  // The segment ends before its instruction at `pc`: the interpreter executes the rest.
  STEP u32 stop(NativeCall& c, u32 begin, u32 pc, u32 end) {
    if (pc != begin) c.help.issue_each(c, begin, pc, kAllLanes);
    c.left += end - pc;
    return pc;
  }

  STEP Mask predicate(const NativeCall& c, FrameOffset at) {
    Mask p;
    std::memcpy(&p, c.frame + at, sizeof p);
    return p;
  }

  // ---- Counting: called when a segment has been executed.
  STEP void count(NativeCall& c, u32 begin, Mask mask) {
    NativeIssues& issues = c.counting.segments[begin];
    ++issues.warps;
    issues.lanes += mask == kAllLanes ? kWarpSize : u32(__builtin_popcount(mask));
  }
  STEP void await(NativeCall& c, u32 begin, u32 end, Mask mask) {
    if (c.waits) [[unlikely]]
      c.help.await(c, begin, end, mask);
  }
  // For a segment that began without loads in flight.
  STEP void awaited(NativeCall& c, u32 pc, u32 loads) {
    GlobalCounters& at = c.counting.events[pc].global;
    ++at.load_waits;
    at.loads_awaited += loads;
  }

  // ---- Lanes that diverge and reconverge.
  STEP void branch(NativeCall& c, u32 pc, Mask mask, Mask taken) {
    if (taken != 0 && taken != mask) ++c.counting.events[pc].divergent_branches;
    if (c.tells_branches) c.help.tell_branch(c, pc, mask, taken);
  }
  STEP void meet(NativeCall& c) { c.left_when_met = c.left; }

  // ---- A shuffle whose source lanes are constants: compilers turn it into shuffles of vectors.
  using Values [[gnu::vector_size(kWarpSize * sizeof(u32)), gnu::aligned(sizeof(u32)), gnu::may_alias]] = u32;
  template <u32... from>
  STEP void shuffle(NativeCall& c, u32 pc, const Instruction& in, Mask members, Mask inside) {
    if (in.d[0] != kNoOperand) {
      const Values a = *reinterpret_cast<const Values*>(c.frame + in.s[0]);
      *reinterpret_cast<Values*>(c.frame + in.d[0]) = __builtin_shufflevector(a, a, from...);
    }
    if (in.d[1] != kNoOperand) std::memcpy(c.frame + in.d[1], &inside, sizeof inside);
    if (c.tells_meetings) [[unlikely]] {
      static constexpr u32 kFrom[] = {from...};
      c.help.tell_shuffle(c, pc, members, kFrom);
    }
  }

  // Tells the compiler that the code for a full mask cannot be needed here.
  STEP void are_not_all(Mask mask) { __builtin_assume(mask != kAllLanes); }

  // ---- The lanes that a guard lets through: the interpreter's own functions.
  STEP void some(NativeCall& c, u32 pc, Mask mask) {
    const LoadedModule& m = c.executor.module_;
    m.lane_function[pc](m.code.code[pc], c.frame, mask);
  }

  template <AccessKind kind, Uniformity values>
  STEP void access(NativeCall& c, u32 begin, u32 pc, const Instruction& in, RowMover move, Mask mask) {
    if (values != Uniformity::unknown && c.in_lockstep && move_near<kind, values>(c, pc, in, move, mask))
      return;
    if (!move_row<kind, values>(c, pc, in, mask)) c.help.access(c, begin, pc, mask);
  }

 private:
  template <class T> STEP T lane(const NativeCall& c, FrameOffset at, u32 lane) {
    T value;
    std::memcpy(&value, c.frame + at + lane * sizeof value, sizeof value);
    return value;
  }
  // Only for warps in lockstep. False: the addresses are no row.
  template <Uniformity values, class T>
  STEP bool row_of(const NativeCall& c, const Instruction& in, u64& first, u64& step) {
    const T a = lane<T>(c, in.s[0], 0), b = lane<T>(c, in.s[0], 1);
    first = u64(T(a + T(in.offset)));
    step = values == Uniformity::uniform ? 0 : u64(T(b + T(in.offset))) - first;
    if constexpr (values == Uniformity::uniform || (values == Uniformity::affine && sizeof(T) == 8))
      return true;
    return u64(T(lane<T>(c, in.s[0], kWarpSize - 1) + T(in.offset))) - first == (kWarpSize - 1) * step;
  }
  template <Uniformity values>
  STEP bool row_of(const NativeCall& c, const Instruction& in, u64& first, u64& step) {
    return in.address_bytes == 8 ? row_of<values, u64>(c, in, first, step)
                                 : row_of<values, u32>(c, in, first, step);
  }
  template <Uniformity values>
  STEP bool find_row(NativeCall& c, u32 pc, const Instruction& in, Mask mask, const Piece& piece,
                     LaneRow& row) {
    const u32 bytes = size_of(in.type) * in.vector;
    if (values != Uniformity::unknown && c.in_lockstep) {
      u64 first, step;
      return row_of<values>(c, in, first, step) && row_in_piece(first, step, mask, bytes, piece, row);
    }
    u8& not_asked = c.executor.pipe_.no_row_[pc % MemoryPipe::kFound];
    if (not_asked && not_asked--) return false;
    if (c.executor.pipe_.find_row_(in, c.frame, mask, bytes, piece, row)) return true;
    not_asked = MemoryPipe::kNotAsked;
    return false;
  }

  // Only for warps in lockstep: lanes that access neighbouring elements, or all the same one, in an allocation that holds the elements
  // of all 32 lanes. Both patterns compile to short code. False: the access has another pattern, and nothing has happened.
  template <AccessKind kind, Uniformity values>
  STEP bool move_near(NativeCall& c, u32 pc, const Instruction& in, RowMover move, Mask mask) {
    constexpr bool is_load = kind == AccessKind::load;
    const u32 bytes = size_of(in.type) * in.vector;
    const bool is_shared = in.space == Space::shared;
    if (is_shared ? mask != kAllLanes && bytes > kBankBytes
                  : in.space != Space::global || mask != kAllLanes || c.counts_links)
      return false;
    u64 first, step;
    if (!row_of<values>(c, in, first, step)) return false;
    if (step != bytes && (step != 0 || !is_load)) return false;
    Piece piece = {c.shared, 0, c.shared_bytes};
    if (!is_shared) {
      const Allocation* const last = c.executor.pipe_.last_found_[pc % MemoryPipe::kFound];
      if (!last || (!is_load && last->kind == MemoryKind::constant)) return false;
      piece = {last->bytes, last->base, last->size};
    }
    const u64 from = first - piece.base, end = from + (kWarpSize - 1) * step + bytes;
    if (first & (bytes - 1) || from > piece.size || end > piece.size) return false;

    Counters& at = c.counting.events[pc];
    u8* const where = piece.bytes + from;
    const auto count_and_move = [&](u32 known_step) {
      if (is_shared)
        count_banks(is_load ? at.shared.load : at.shared.store, row_bank_use(known_step, bytes, is_load));
      else
        count_sectors(is_load ? at.global.load : at.global.store, kWarpSize * bytes,
                      row_sector_use(first, known_step, bytes));
      if (is_shared ? c.tells_shared_accesses : c.tells_accesses) [[unlikely]] {
        RowAccess a;
        static_cast<MemoryAccess&>(a) =
            c.executor.pipe_.access_of(*c.warp, pc, c.frame, in, mask, in.space, kind);
        a.first = first;
        a.step = known_step;
        c.help.tell_row(c, a);
      }
      move(in, c.frame, mask, where, known_step, is_shared);
    };
    if (step == bytes) count_and_move(bytes);
    else count_and_move(0);
    if (is_load && !is_shared) prefetch_for_others(where);
    if (!is_load) c.executor.spin_.changed();
    return true;
  }
  // Prefetches what the next warps will read: they usually continue where this one ends.
  STEP void prefetch_for_others(const u8* where) {
    constexpr u32 kAhead = 512, kLine = 64;
    __builtin_prefetch(where + kAhead);
    __builtin_prefetch(where + kAhead + kLine);
  }

  // Any row. False: the addresses are no row. Not inlined, so that there is less to compile.
  template <AccessKind kind, Uniformity values>
  [[gnu::noinline]] static bool move_row(NativeCall& c, u32 pc, const Instruction& in, Mask mask) {
    Executor& e = c.executor;
    Space space = in.space;
    if (space == Space::generic) {
      if (in.address_bytes != sizeof(u64) || mask != kAllLanes) return false;
      space = space_of(lane<u64>(c, in.s[0], 0) + u64(in.offset));
    }
    Piece piece;
    u64 base = 0;  // of the addresses that observers hear of
    if (space == Space::shared) {
      base = in.space == Space::generic ? kSharedWindow : 0;
      piece = {c.shared, base, c.shared_bytes};
    } else {
      const Allocation* last = e.pipe_.last_found_[pc % MemoryPipe::kFound];
      if (!last && values != Uniformity::unknown && mask == kAllLanes && in.address_bytes == sizeof(u64))
        last = c.help.find(c, pc, lane<u64>(c, in.s[0], 0) + u64(in.offset));
      if (!last || space == Space::local || space == Space::param ||
          (kind != AccessKind::load && last->kind == MemoryKind::constant))
        return false;
      piece = {last->bytes, last->base, last->size};
    }
    LaneRow row;
    if (!find_row<values>(c, pc, in, mask, piece, row)) return false;

    RowAccess a;
    static_cast<MemoryAccess&>(a) = e.pipe_.access_of(*c.warp, pc, c.frame, in, mask, space, kind);
    a.first = row.first - base;
    a.step = row.step;
    if (c.counts_links || !count_row(c.counting.events[pc], a)) c.help.count_row(c, a);
    if (in.space == Space::generic && space == Space::global && kind == AccessKind::load)
      c.help.loaded(c, pc, mask);
    if (space == Space::shared ? c.tells_shared_accesses : c.tells_accesses) c.help.tell_row(c, a);

    e.module_.row_move[pc](in, c.frame, mask, row.where, row.step, may_touch_all(row, kind, space));
    if constexpr (kind == AccessKind::store) e.spin_.changed();
    return true;
  }
};

#undef STEP

}  // namespace gpusim
// SPDX-License-Identifier: MIT
