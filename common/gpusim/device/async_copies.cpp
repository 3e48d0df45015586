// Copies into shared memory that go on by themselves (cp.async): their groups, and when they arrive.
#include <cstring>

#include "device/each_lane.h"
#include "device/exec.h"

namespace gpusim {

Access Executor::store_of(const Warp& w, const AsyncCopies::Copy& copy, Mask lanes) const {
  Access a;
  static_cast<Issue&>(a) = issue_of(w, copy.pc, lanes);
  a.space = Space::shared;
  a.kind = AccessKind::store;
  a.bytes = copy.bytes;
  a.address = copy.to;
  a.instruction = copy.instruction;
  return a;
}

// The copies of the lanes arrive, but for those of the last `left` groups that were closed and what came after them.
void Executor::wait_for_copies(Warp& w, Mask lanes, std::optional<u32> left) {
  if (!w.async_copies) return;
  AsyncCopies& all = *w.async_copies;
  for (AsyncCopies::Copy& copy : all.copies) {
    Mask arrive = 0;
    for_each_lane(copy.under_way & lanes, [&](u32 l) {
      if (!left || u64(copy.group[l]) + *left < all.closed[l]) arrive |= Mask(1) << l;
    });
    if (arrive == 0) continue;
    changed();
    for_each_lane(arrive,
                  [&](u32 l) { std::memcpy(w.block->shared.data() + copy.to[l], copy.data[l], copy.bytes); });
    copy.under_way &= ~arrive;
    if (observers_.empty()) continue;
    const Access a = store_of(w, copy, arrive);
    tell([&](Observer& o) { o.copy_arrives(a); });
  }
  std::erase_if(all.copies, [](const auto& copy) { return copy.under_way == 0; });
}

void Executor::group_copies(Warp& w, const Fragment& f, const Instruction& in, Mask mask) {
  if (in.op == Op::cp_async_wait_all) return wait_for_copies(w, mask, {});
  if (in.op == Op::cp_async_wait_group) {
    u32 left;
    std::memcpy(&left, f.frame->bytes() + in.s[0], sizeof left);
    return wait_for_copies(w, mask, left);
  }
  if (w.async_copies) for_each_lane(mask, [&](u32 l) { ++w.async_copies->closed[l]; });
}

}  // namespace gpusim
