#include "observers/races_global.h"

#include <algorithm>
#include <cstring>

#include "device/each_lane.h"
#include "device/parameters.h"
#include "observers/global_shadow.h"
#include "observers/global_use.h"
#include "observers/grid_order.h"
#include "observers/resident_blocks.h"

namespace gpusim {
namespace {

constexpr Time kTimeIsShort = 3'000'000'000u;  // start again from 0 before the next launch

const char* verb(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates (atomically)";
}

class GlobalRaceCheck final : public Observer {
 public:
  GlobalRaceCheck(const Memory& memory, Findings& findings) : shadow_(memory), findings_(findings) {}

  void launch_begin(const LaunchInfo&) override;
  void launch_end(const LaunchInfo&, bool completed) override;
  void block_begin(u64 block) override {
    if (on_) order_.block_begin(block);
  }
  void block_end(u64 block) override {
    if (on_) order_.block_end(block);
  }
  void issue(const Issue& i) override {
    if (on_ && use_.fence[i.pc] != FenceScope::none) order_.fence(i, use_.fence[i.pc] == FenceScope::block);
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::warp_barrier && on_) order_.warp_barrier(i, members);
  }
  void barrier_complete(u64 block, u32) override {
    if (on_) order_.barrier(block);
  }
  void access(const Access&) override;
  void freed(const Allocation& a) override { shadow_.freed(a); }

 private:
  bool is_past(const Touch& t) const { return t.time <= began_; }
  bool atomic_together(const Touch& then, const Touch& now) const;
  bool races(const Touch& then, const Touch& now);
  void keep_reader(Cell&, const Touch&);
  void keep_more(Cell&, const Touch&);
  void write(Cell&, const Touch&, const Access&, u32 lane, const Shadow&);
  bool stores_the_same(const Touch& then, const Access&, u32 lane, const Shadow&) const;
  void report(const Touch& then, const Touch& now, const Access&, u32 lane, const Shadow&);
  std::string advice(const Touch& then, const Touch& now);

  GridOrder order_;
  GlobalShadow shadow_;
  LaunchInfo launch_;
  bool on_ = false;
  Time began_ = 0;
  GlobalUse use_;
  MoreReaders more_;
  RepeatedFindings findings_;
};

void GlobalRaceCheck::launch_begin(const LaunchInfo& launch) {
  launch_ = launch;
  on_ = launch.grid.count() <= kMostBlocks;
  use_ = global_use(launch);
  if (order_.now() > kTimeIsShort) {
    order_.restart_clock();
    shadow_.forget();
  }
  began_ = order_.tick();
  order_.launch_begin(launch);
  shadow_.launch_begin(use_.smallest_access);
  more_.clear();
}

void GlobalRaceCheck::launch_end(const LaunchInfo&, bool) { findings_.flush(); }

void GlobalRaceCheck::access(const Access& a) {
  if (a.space != Space::global || !on_) return;
  Touch now;
  now.time = order_.tick();
  now.packed = Touch::pack(a);
  if (use_.access[a.pc].is_strong || use_.access[a.pc].is_volatile) {
    order_.strong_access(a);
    now.time = order_.tick();
  }
  for_each_lane(a.mask, [&](u32 lane) {
    const u64 address = a.address[lane];
    Shadow* shadow = shadow_.find(address);
    if (!shadow) return;
    now.who = who_is(a, lane);
    Cell* const last = &shadow->at(address + a.bytes - 1);
    for (Cell* cell = &shadow->at(address); cell <= last; ++cell) {
      if (a.kind != AccessKind::load) {
        write(*cell, now, a, lane, *shadow);
      } else {
        if (races(cell->write, now)) report(cell->write, now, a, lane, *shadow);
        keep_reader(*cell, now);
      }
    }
  });
}

// Whether each sees the other made whole or not at all, in whichever order they come ("morally strong" in the PTX ISA).
bool GlobalRaceCheck::atomic_together(const Touch& then, const Touch& now) const {
  const AccessUse &a = use_.access[then.pc()], &b = use_.access[now.pc()];
  if (a.element_bytes != b.element_bytes) return false;
  const bool one_block = block_of(then.who) == block_of(now.who);
  const auto is_strong = [one_block](const AccessUse& use) {
    if (!one_block && use.block_scope) return false;
    return use.is_strong || use.is_guess || (use.is_volatile && !one_block);
  };
  return is_strong(a) && is_strong(b);
}

bool GlobalRaceCheck::races(const Touch& then, const Touch& now) {
  if (is_past(then) || then.who == now.who || atomic_together(then, now)) return false;
  return !order_.ordered(then.time, then.who, now.who);
}

// A reader that is ordered before this one need not be kept: what races with it, races with this one. Of more that
// are not ordered, two of different blocks tell most, then two of different warps.
void GlobalRaceCheck::keep_reader(Cell& cell, const Touch& now) {
  Touch &a = cell.reader[0], &b = cell.reader[1];
  if (is_past(a) || order_.ordered(a.time, a.who, now.who)) {
    a = now;
    if (!is_past(b) && order_.ordered(b.time, b.who, now.who)) b = {};
    return;
  }
  if (is_past(b) || order_.ordered(b.time, b.who, now.who)) {
    b = now;
    return;
  }
  if (use_.orders_partly) return keep_more(cell, now);
  const u32 kept_blocks_differ = block_of(a.who) != block_of(b.who),
            new_block = block_of(a.who) != block_of(now.who);
  const bool new_warp = a.who / kWarpSize != now.who / kWarpSize,
             kept_warps_differ = a.who / kWarpSize != b.who / kWarpSize;
  if ((new_block && !kept_blocks_differ) || (new_warp && !kept_warps_differ)) b = now;
}

void GlobalRaceCheck::keep_more(Cell& cell, const Touch& now) {
  if (std::vector<Touch>* more = more_.find(cell))
    for (Touch& t : *more)
      if (order_.ordered(t.time, t.who, now.who)) {
        t = now;
        return;
      }
  if (!more_.add(cell, now)) cell.reader[1] = now;
}

void GlobalRaceCheck::write(Cell& cell, const Touch& now, const Access& a, u32 lane, const Shadow& shadow) {
  if (races(cell.write, now) && !stores_the_same(cell.write, a, lane, shadow))
    report(cell.write, now, a, lane, shadow);
  // An atomic is no race with the atomic of a thread that has set the value before, but may be one with the setting.
  if (now.is_atomic() && races(cell.plain, now)) report(cell.plain, now, a, lane, shadow);
  for (Touch& reader : cell.reader) {
    if (races(reader, now)) report(reader, now, a, lane, shadow);
    reader.time = 0;
  }
  if (std::vector<Touch>* more = more_.find(cell)) {
    for (const Touch& reader : *more)
      if (races(reader, now)) report(reader, now, a, lane, shadow);
    more_.forget(cell);
  }
  if (!now.is_atomic()) cell.plain = {};
  else if (!cell.write.is_atomic()) cell.plain = cell.write;
  cell.write = now;
}

// Whether two stores write the same bytes: this one what is there, or what an earlier lane of it writes.
bool GlobalRaceCheck::stores_the_same(const Touch& then, const Access& a, u32 lane,
                                      const Shadow& shadow) const {
  if (then.kind() != AccessKind::store || a.kind != AccessKind::store || !a.frame) return false;
  const u32 vector = a.instruction->vector, bytes = a.bytes / vector;
  const bool one_instruction = then.time == order_.now();
  for (u32 k = 0; k < vector; ++k) {
    const u8* other = one_instruction
                          ? a.value(then.who % kWarpSize, k)
                          : shadow.allocation.bytes + (a.address[lane] - shadow.allocation.base) + k * bytes;
    if (std::memcmp(a.value(lane, k), other, bytes) != 0) return false;
  }
  return true;
}

std::string GlobalRaceCheck::advice(const Touch& then, const Touch& now) {
  const AccessUse &first = use_.access[then.pc()], &second = use_.access[now.pc()];
  const bool one_block = block_of(then.who) == block_of(now.who);
  const bool both_write = then.kind() != AccessKind::load && now.kind() != AccessKind::load;
  const auto is_strong = [](const AccessUse& use) { return use.is_strong || use.is_volatile; };
  if (is_strong(first) && is_strong(second) && first.element_bytes != second.element_bytes)
    return "one access has " + bytes_name(first.element_bytes) + ", the other " +
           std::to_string(second.element_bytes) +
           ", and only accesses of one size are atomic towards each other";
  if (!one_block && first.is_strong && second.is_strong)
    return "an atomic of the block (_block, .cta) is one for the threads of its own block only: use the scope of the device";
  if (order_.lacks_a_fence(then.time, then.who, now.who))
    return "the flag that it has read orders nothing yet: put __threadfence() between reading the flag and this";
  if (then.is_atomic() || now.is_atomic())
    return "an atomic orders only atomics: make the other access atomic too, or put a barrier or another launch between";
  if (!one_block) {
    if (both_write) return "nothing orders blocks: give each block elements of its own, or use an atomic";
    return "nothing orders blocks: read in a launch of its own, write to another array, or publish with __threadfence() and an atomic flag, and read that flag, then __threadfence(), then this";
  }
  if (then.time == now.time)
    return "which value stays is undefined: give each lane an element of its own, or use an atomic";
  const bool warp_waits = warp_of(then.who) == warp_of(now.who) && use_.has_warp_syncs;
  const std::string barrier =
      std::string("put ") + (warp_waits ? "__syncwarp()" : "__syncthreads()") + " between";
  if (both_write) return "nothing orders them: give each thread an element of its own, or " + barrier;
  if (same_place(place_of(*launch_.program, then.pc()), place_of(*launch_.program, now.pc())))  // *sum += x
    return "nothing orders their updates: use an atomic, or give each thread an element of its own, or " +
           barrier;
  return "nothing orders them: " + barrier + ", if both are to access this element";
}

void GlobalRaceCheck::report(const Touch& then, const Touch& now, const Access& a, u32 lane,
                             const Shadow& shadow) {
  const bool one_block = block_of(then.who) == block_of(now.who);
  findings_.report(one_block, now.packed, then.packed, [&] {
    Finding f;
    f.check = "race";
    f.place = place_of(*launch_.program, now.pc());
    f.other = place_of(*launch_.program, then.pc());
    f.kernel = launch_.kernel->pretty_name;
    f.message = block_name(launch_, block_of(now.who)) + ", " + thread_name(launch_, thread_of(now.who)) +
                " " + verb(now.kind()) + " " +
                global_name(launch_, shadow.allocation, a.address[lane], a.bytes, a.kind) + " while ";
    if (!one_block) f.message += block_name(launch_, block_of(then.who)) + ", ";
    f.message +=
        thread_name(launch_, thread_of(then.who)) + " " + verb(then.kind()) + " it; " + advice(then, now);
    return f;
  });
}

}  // namespace

std::unique_ptr<Observer> make_global_race_check(const Memory& memory, Findings& findings) {
  return std::make_unique<GlobalRaceCheck>(memory, findings);
}

}  // namespace gpusim
