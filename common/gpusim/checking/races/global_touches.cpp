#include "checking/races/global_touches.h"

#include <algorithm>
#include <bit>

#include "checking/races/shared_use.h"
#include "lanes/each_lane.h"

namespace gpusim {

Mask GlobalTouches::touch_lines(const Access& a, const Touch& now) {
  if (launches_.of_several_gpus() || a.kind == AccessKind::atomic || a.address[1] - a.address[0] != a.bytes)
    return a.mask;
  const bool uniform = !launch().use.orders_partly;  // what orders one thread of a warp, orders all of it
  Mask left = 0;
  LineTouch touch{now, 0};
  for (u32 lane = 0, lanes; lane < kWarpSize; lane += lanes) {
    Shadow* const shadow = shadow_.find(a.address[lane]);
    if (!shadow || a.address[lane] % shadow->line_bytes() != 0) return left | kAllLanes << lane;
    lanes = u32(shadow->line_bytes() / a.bytes);
    touch.shift = u32(std::countr_zero(a.bytes)) - shadow->shift;
    touch.who = thread_id(a, lane);
    Line& line = shadow->line(a.address[lane]);
    const auto past = [&](const LineTouch& then) {
      if (then.time <= launch().began || then.same_threads(touch)) return Line::Past::gone;
      if (!uniform || then.who / kWarpSize == touch.who / kWarpSize) return Line::Past::differs;
      return order_.ordered(then.time, then.who, touch.who) ? Line::Past::gone : Line::Past::unordered;
    };
    const bool noted =
        line.in_cells <= launch().began &&
        (a.kind == AccessKind::load ? line.read_all(touch, past) : line.write_all(touch, past));
    if (!noted) left |= (kAllLanes >> (kWarpSize - lanes)) << lane;
  }
  return left;
}

// The lanes but those that read what two other blocks have read and none has written in this launch. Where nothing orders
// blocks, keep_reader() would keep those two: what many blocks read costs little.
Mask GlobalTouches::tells_something(const Access& a, Mask lanes) {
  const AccessUse& use = launch().use.access[a.pc];
  if (a.kind != AccessKind::load || launches_.of_several_gpus() || launch().use.orders_partly ||
      use.is_strong || use.is_volatile)
    return lanes;
  const ThreadId block = block_of(thread_id(a, 0));
  const auto is_settled = [&](const Cell& cell) {
    const Touch &first = cell.reader[0], &second = cell.reader[1];
    const ThreadId one = block_of(first.who), other = block_of(second.who);
    return launches_.is_past(cell.write) && !launches_.is_past(first) && !launches_.is_past(second) &&
           one != other && one != block && other != block;
  };
  Mask left = 0;
  u64 before = 0;  // the latest lane's address: lanes often share one
  bool is_left = false;
  for_each_lane(lanes, [&](u32 lane) {
    const u64 address = a.address[lane];
    if (address != before) {
      Shadow* const shadow = shadow_.find_cells(address);
      is_left = !shadow || shadow->line(address).in_cells <= launch().began;
      if (!is_left) {
        Cell* const first = &shadow->at(address);
        is_left = !std::all_of(first, &shadow->at(address + a.bytes - 1) + 1, is_settled);
      }
      before = address;
    }
    left |= Mask(is_left) << lane;
  });
  return left;
}

Touch GlobalTouches::last_write(u64 address) {
  Shadow* const shadow = shadow_.find(address);
  if (!shadow) return {};
  const Line& line = shadow->line(address);
  if (line.in_cells > launch().began) return shadow->at(address).write;
  return launches_.is_past(line.write)
             ? Touch{}
             : line.write.of_cell(u32((address & (shadow->line_bytes() - 1)) >> shadow->shift));
}

void GlobalTouches::open_line(Shadow& shadow, u64 address, Time now) {
  Line& line = shadow.line(address);
  if (!launches_.of_several_gpus() && line.in_cells <= launch().began) {
    Cell* const first = &shadow.at(address & ~(shadow.line_bytes() - 1));
    const auto in_cell = [&](const LineTouch& t, u32 k) {
      return launches_.is_past(t) ? Touch{} : t.of_cell(k);
    };
    for (u32 k = 0; k < Line::kCells; ++k)
      first[k] = {in_cell(line.write, k), {in_cell(line.reader[0], k), in_cell(line.reader[1], k)}, {}};
    line.write = line.reader[0] = line.reader[1] = {};
  }
  line.in_cells = now;
}

// The last write of a cell, or an atomic before it that still counts, if it races with this access; or null.
const Touch* GlobalTouches::racing_write(const Cell& cell, const Touch& now) {
  if (rules_.races(cell.write, now)) return &cell.write;
  if (!cell.write.is_atomic() || launches_.is_past(cell.write)) return nullptr;
  const std::vector<Touch>* const earlier = updates_.find(cell);
  if (!earlier) return nullptr;
  const auto racing = std::ranges::find_if(*earlier, [&](const Touch& t) { return rules_.races(t, now); });
  if (launch().use.orders_partly)  // not all that the lanes of a warp have done is kept
    all_findings_.allow(now.pc(), "accesses plainly what several lanes have updated by atomics");
  return racing == earlier->end() ? nullptr : &*racing;
}

// A reader that is ordered before this one need not be kept, because whatever races with it also races with this one. Of
// unordered readers, two of different blocks are worth most, then two of different warps.
void GlobalTouches::keep_reader(Cell& cell, const Touch& now) {
  Touch &a = cell.reader[0], &b = cell.reader[1];
  if (launches_.is_past(a) || order_.ordered(a.time, a.who, now.who)) {
    a = now;
    if (!launches_.is_past(b) && order_.ordered(b.time, b.who, now.who)) b = {};
    return;
  }
  if (launches_.is_past(b) || order_.ordered(b.time, b.who, now.who)) {
    b = now;
    return;
  }
  if (launch().use.orders_partly || launches_.of_several_gpus()) return keep_more(cell, now);
  if (Line::tells_more(a, b, now)) b = now;
}

void GlobalTouches::keep_more(Cell& cell, const Touch& now) {
  if (std::vector<Touch>* more = more_.find(cell))
    for (Touch& t : *more)
      if (order_.ordered(t.time, t.who, now.who)) {
        t = now;
        return;
      }
  if (more_.add(cell, now)) return;
  cell.reader[1] = now;
  all_findings_.allow(now.pc(), "reads an element that more threads read than the race check can track");
}

void GlobalTouches::write(Cell& cell, const Touch& now, const Access& a, u32 lane, const Shadow& shadow) {
  if (const Touch* const other =
          now.is_atomic() ? rules_.races(cell.write, now) ? &cell.write : nullptr : racing_write(cell, now);
      other) {
    if (!rules_.stores_the_same(*other, a, lane, shadow)) races_.report(*other, now, a, lane, shadow);
    else if (warp_of(other->who) != warp_of(now.who) || other->pc() != now.pc())
      races_.report(*other, now, a, lane, shadow, Values::equal);
    else all_findings_.allow(now.pc(), kLanesStoreTogether);
  }
  // An atomic does not race with an earlier atomic, but may race with the plain write that came before that one.
  if (now.is_atomic() && rules_.races(cell.plain, now)) races_.report(cell.plain, now, a, lane, shadow);
  std::vector<Touch>* const more = more_.find(cell);
  if (now.is_atomic() && (more || !launches_.is_past(cell.reader[0]) || !launches_.is_past(cell.reader[1])))
    all_findings_.allow(now.pc(), "updates by an atomic what the launch also reads plainly");
  // An atomic orders nothing: readers that do not race with it may race with another thread's that comes later.
  const auto is_done_with = [&](const Touch& reader) {
    const bool is_racing = rules_.races(reader, now);
    if (is_racing) races_.report(reader, now, a, lane, shadow);
    return is_racing || !now.is_atomic();
  };
  for (Touch& reader : cell.reader)
    if (is_done_with(reader)) reader.time = 0;
  if (more) more_.forget_if(cell, is_done_with);
  if (!now.is_atomic()) {
    cell.plain = {};
    updates_.forget(cell);
  } else if (!cell.write.is_atomic()) {
    cell.plain = cell.write;
  } else if (!launches_.is_past(cell.write) && cell.write.who != now.who) {
    if (!updates_.add(cell, cell.write))
      all_findings_.allow(now.pc(), "updates more elements by atomics than the race check can track");
  }
  cell.write = now;
}

void GlobalTouches::touch_cells(const Touch& now, const Access& a, u32 lane, const Shadow& shadow) {
  const u64 address = a.address[lane];
  Cell* const last = &shadow.at(address + a.bytes - 1);
  for (Cell* cell = &shadow.at(address); cell <= last; ++cell) {
    if (a.kind != AccessKind::load) {
      write(*cell, now, a, lane, shadow);
    } else {
      if (const Touch* const other = racing_write(*cell, now)) races_.report(*other, now, a, lane, shadow);
      keep_reader(*cell, now);
    }
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
