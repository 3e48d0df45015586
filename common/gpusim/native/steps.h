// What native code is made of: the interpreter's own functions, for an instruction that is known when they are compiled.
// native/emit.h writes who calls them; nothing else includes this.
#pragma once

#define GPUSIM_NATIVE
#define GPUSIM_LANE_OPS lane_ops_native
#include "device/lane_ops.cpp"
#include "device/module.h"
#include "device/native_code.h"
#include "device/row_access.h"
#include "native/lane_values.h"
#include "observers/counters.h"

namespace gpusim {

#define STEP [[gnu::always_inline]] static inline

// Of all lanes of a warp, or of those of a mask, which come to instruction `pc`; its segment begins at `begin`.
struct NativeSteps {
  // ---- All lanes. Whether so many more instructions may be executed, which then count as executed.
  STEP bool begin(NativeCall& c, u32 count) {
    if (c.left < count) [[unlikely]]
      return false;
    c.left -= count;
    return true;
  }
  STEP bool meets_others(const NativeCall& c, u32 pc) { return c.fragment->rpc == pc; }
  // The segment ends before its instruction at `pc`, which is left to the interpreter, as are those behind it.
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

  // ---- Counting, when a segment has been executed.
  STEP void count(NativeCall& c, u32 begin, Mask mask) {
    NativeIssues& issues = c.counting.segments[begin];
    ++issues.warps;
    issues.lanes += mask == kAllLanes ? kWarpSize : u32(__builtin_popcount(mask));
  }
  STEP void await(NativeCall& c, u32 begin, u32 end, Mask mask) {
    if (c.waits) [[unlikely]]
      c.help.await(c, begin, end, mask);
  }
  // Where it begins without loads in flight.
  STEP void awaited(NativeCall& c, u32 pc, u32 loads) {
    GlobalCounters& at = c.counting.events[pc].global;
    ++at.load_waits;
    at.loads_awaited += loads;
  }

  // ---- Lanes that part, and meet.
  STEP void branch(NativeCall& c, u32 pc, Mask mask, Mask taken) {
    if (taken != 0 && taken != mask) ++c.counting.events[pc].divergent_branches;
    if (c.tells_branches) c.help.tell_branch(c, pc, mask, taken);
  }
  STEP void meet(NativeCall& c) { c.left_when_met = c.left; }

  // ---- A shuffle from lanes that are known. (A vector as long as a warp: compilers know how to shuffle that.)
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

  // ---- What some lanes execute, the interpreter's functions do.
  STEP void some(NativeCall& c, u32 pc, Mask mask) {
    const LoadedModule& m = c.executor.module_;
    m.lane_function[pc](m.code.code[pc], c.frame, mask);
  }

  template <AccessKind kind, LaneValues values>
  STEP void access(NativeCall& c, u32 begin, u32 pc, const Instruction& in, RowMover move, Mask mask) {
    if (!move_row<kind, values>(c, pc, in, move, mask)) c.help.access(c, begin, pc, mask);
  }

 private:
  template <class T> STEP T lane(const NativeCall& c, FrameOffset at, u32 lane) {
    T value;
    std::memcpy(&value, c.frame + at + lane * sizeof value, sizeof value);
    return value;
  }
  // False: the addresses are no row.
  template <LaneValues values, class T>
  STEP bool row_of(const NativeCall& c, const Instruction& in, u64& first, u64& step) {
    const T a = lane<T>(c, in.s[0], 0), b = lane<T>(c, in.s[0], 1);
    first = u64(T(a + T(in.offset)));
    step = values == LaneValues::uniform ? 0 : u64(T(b + T(in.offset))) - first;
    if constexpr (values == LaneValues::uniform || (values == LaneValues::row && sizeof(T) == 8)) return true;
    return u64(T(lane<T>(c, in.s[0], kWarpSize - 1) + T(in.offset))) - first == (kWarpSize - 1) * step;
  }
  template <LaneValues values>
  STEP bool find_row(NativeCall& c, u32 pc, const Instruction& in, Mask mask, const Piece& piece,
                     LaneRow& row) {
    const u32 bytes = size_of(in.type) * in.vector;
    if constexpr (values != LaneValues::unknown) {
      if (c.in_lockstep) {
        u64 first, step;
        const bool is_row = in.address_bytes == 8 ? row_of<values, u64>(c, in, first, step)
                                                  : row_of<values, u32>(c, in, first, step);
        return is_row && row_in_piece(first, step, mask, bytes, piece, row);
      }
    }
    u8& not_asked = c.executor.no_row_[pc % Executor::kFound];
    if (not_asked && not_asked--) return false;
    if (c.executor.find_row_(in, c.frame, mask, bytes, piece, row)) return true;
    not_asked = Executor::kNotAsked;
    return false;
  }

  template <AccessKind kind, LaneValues values>
  STEP bool move_row(NativeCall& c, u32 pc, const Instruction& in, RowMover move, Mask mask) {
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
      const Allocation* last = e.last_found_[pc % Executor::kFound];
      if (!last && values != LaneValues::unknown && mask == kAllLanes && in.address_bytes == sizeof(u64))
        last = c.help.find(c, pc, lane<u64>(c, in.s[0], 0) + u64(in.offset));
      if (!last || space == Space::local || space == Space::param ||
          (kind != AccessKind::load && last->kind == MemoryKind::constant))
        return false;
      piece = {last->bytes, last->base, last->size};
    }
    LaneRow row;
    if (!find_row<values>(c, pc, in, mask, piece, row)) return false;

    RowAccess a;
    static_cast<MemoryAccess&>(a) = e.access_of(*c.warp, pc, c.frame, in, mask, space, kind);
    a.first = row.first - base;
    a.step = row.step;
    if (c.counts_links || !count_row(c.counting.events[pc], a)) c.help.count_row(c, a);
    if (in.space == Space::generic && space == Space::global && kind == AccessKind::load)
      c.help.loaded(c, pc, mask);
    if (c.tells_accesses) c.help.tell_row(c, a);

    // Neighbours, and all the same, where the instruction is known; other rows are long loops anyway.
    const u32 bytes = size_of(in.type) * in.vector;
    if (mask == kAllLanes && row.step == bytes) move(in, c.frame, kAllLanes, row.where, bytes, true);
    else if (mask == kAllLanes && row.step == 0) move(in, c.frame, kAllLanes, row.where, 0, true);
    else e.module_.row_move[pc](in, c.frame, mask, row.where, row.step, row.all_there);
    if constexpr (kind == AccessKind::store) e.changed();
    return true;
  }
};

#undef STEP

}  // namespace gpusim
