// What native code is made of: the interpreter's own functions, for an instruction that is known when they are compiled.
// native/emit.h writes who calls them; nothing else includes this.
#pragma once

#define GPUSIM_NATIVE
#define GPUSIM_LANE_OPS lane_ops_native
#include "device/lane_addresses.cpp"
#include "device/lane_ops.cpp"
#include "device/module.h"
#include "device/native_code.h"
#include "device/row_access.h"
#include "observers/counters.h"

namespace gpusim {

#define STEP [[gnu::always_inline]] static inline

// Of fragments of all lanes, who come to instruction `pc`.
struct NativeSteps {
  // Whether so many more instructions may be executed, which then count as executed.
  STEP bool begin(NativeCall& c, u32 count) {
    if (c.left < count) return false;
    c.left -= count;
    return true;
  }
  STEP bool meets_others(const NativeCall& c, u32 pc) { return c.fragment.rpc == pc; }
  STEP Mask predicate(const NativeCall& c, FrameOffset at) {
    Mask p;
    std::memcpy(&p, c.frame + at, sizeof p);
    return p;
  }

  STEP void issue(NativeCall& c, u32 pc, Mask mask) {
    if (c.counters) c.counters->issue(c.executor.issue_of(c.warp, pc, mask));
  }
  STEP void issue_run(NativeCall& c, u32 pc, u32 count) {
    if (c.counters) c.counters->issue_run(c.executor.issue_of(c.warp, pc, kAllLanes), count);
  }

  // What some of the lanes execute is the interpreter's function.
  STEP void guarded(NativeCall& c, u32 pc, const Instruction& in, Mask mask) {
    if (mask == 0) return;
    issue(c, pc, mask);
    c.executor.module_.lane_function[pc](in, c.frame, mask);
  }

  // A branch at which the lanes stay together.
  STEP void branch(NativeCall& c, u32 pc, Mask taken) {
    issue(c, pc, kAllLanes);
    const Issue i = c.executor.issue_of(c.warp, pc, kAllLanes);
    if (c.counters) c.counters->branch(i, taken);
    for (Observer* o : c.executor.observers_)
      if (o != c.counters) o->branch(i, taken);
  }

  template <AccessKind kind>
  STEP void access(NativeCall& c, u32 pc, const Instruction& in, RowMover move) {
    const auto tell_row = [&c](Observer& o, const RowAccess& a) {
      if (&o != c.counters) return o.row_access(a);
      if (c.counters->count_row(a)) return;
      u64 address[kWarpSize];
      o.access(a.of_lanes(address));
    };
    const bool is_done =
        c.executor.move_row(c.warp, pc, c.frame, in, kAllLanes, kind, lane_ops_native::row, move, tell_row);
    if (!is_done) return c.access(c, pc);
    if (kind == AccessKind::store) c.executor.changed();
  }
};

#undef STEP

}  // namespace gpusim
