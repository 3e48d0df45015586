// Races between a launch and the work of other streams: kernels, copies, fills and collectives.
#include <algorithm>
#include <utility>

#include "checking/races/global_race_check.h"

namespace gpusim {

// What the launch has read and written, for those of other streams that come later and could have come at the same time.
void GlobalRaceCheck::keep_accesses() {
  constexpr std::size_t kMostParts = std::size_t(1) << 20;
  KeptAccess reads, writes;
  const auto add = [](KeptAccess& to, u64 address, u64 bytes, const Touch& t) {
    KeptAccess::Part* const last = to.parts.empty() ? nullptr : &to.parts.back();
    const bool goes_on = last && last->address + last->bytes == address &&
                         Touch{0, 0, last->packed}.is_atomic() == t.is_atomic();
    if (goes_on) last->bytes += bytes;
    else if (to.parts.size() < kMostParts) to.parts.push_back({address, bytes, t.packed});
  };
  const auto is_of_it = [&](const Touch& t) { return t.time > launch().began; };
  shadow_.for_each_line([&](const Line& line, u64 address, const Shadow& shadow) {
    const u64 cell = u64(1) << shadow.shift;
    const auto note = [&](u64 at, u64 bytes, const Touch& write, const Touch& one, const Touch& other) {
      if (is_of_it(write)) add(writes, at, bytes, write);
      else if (is_of_it(one) || is_of_it(other)) add(reads, at, bytes, is_of_it(one) ? one : other);
    };
    if (line.in_cells <= launch().began)
      return note(address, shadow.line_bytes(), line.write, line.reader[0], line.reader[1]);
    for (u32 k = 0; k < Line::kCells; ++k) {
      const Cell& c = line.cells[k];
      note(address + k * cell, cell, c.write, c.reader[0], c.reader[1]);
    }
  });
  for (KeptAccess* kept : {&reads, &writes}) {
    if (kept->parts.empty()) continue;
    std::ranges::sort(kept->parts, {}, &KeptAccess::Part::address);
    kept->address = kept->parts.front().address;
    kept->bytes = kept->parts.back().address + kept->parts.back().bytes - kept->address;
    kept->writes = kept == &writes;
    kept->kernel = launch().info.kernel->pretty_name;
    kept->what = kept->kernel;
    kept->is_kernel = true;
    kept->moment = launch().moment;
    for (const KeptAccess::Part& part : kept->parts)
      if (std::ranges::find(kept->places, part.packed, &std::pair<u32, Place>::first) == kept->places.end())
        kept->places.emplace_back(part.packed,
                                  place_of(*launch().info.program, Touch{0, 0, part.packed}.pc()));
    in_streams_.add(std::move(*kept));
  }
}

// A flag that a copy sets orders what its stream has done before; flags themselves may be copied.
void GlobalRaceCheck::look_beside(const Touch& now, const Access& a, u32 lane, const Shadow& shadow) {
  const u64 address = a.address[lane];
  const AccessUse& use = launch().use.access[a.pc];
  std::shared_ptr<const KeptAccess> flag;
  for (const auto& each : launch().beside) {
    if (!each->touches(address, a.bytes) || (!each->writes && a.kind == AccessKind::load)) continue;
    const auto is_before = [&](u32 number) { return launches_.kept(number).moment.is_after(each->moment); };
    const KeptAccess::Part* const part = each->part_in(address, a.bytes);
    const bool both_atomic = part && Touch{0, 0, part->packed}.is_atomic() && a.kind == AccessKind::atomic;
    // On one GPU the other work has ended by now: it has not waited for a flag that this kernel sets.
    const bool may_be_flag = launches_.of_several_gpus() || a.kind == AccessKind::load || both_atomic;
    if ((use.is_strong || use.is_volatile) && may_be_flag) flag = each->writes ? each : flag;
    else if (!launches_.of_several_gpus() || std::ranges::none_of(order_.heard_of(now.who), is_before))
      findings_.report(now, *each, each->place_in(address, a.bytes), address, a.bytes, shadow);
  }
  if (flag)
    std::erase_if(launch().beside,
                  [&](const auto& each) { return each == flag || flag->moment.is_after(each->moment); });
}

void GlobalRaceCheck::in_stream(const StreamAccess& now) {
  const bool alone = launches_.none_is_running();
  if (alone && !in_streams_.continues(now) && in_streams_.all_before(now.moment) &&
      std::ranges::all_of(launches_.kept(), [&](const auto& l) { return now.moment.is_after(l->moment); }))
    forget();
  if (!launches_.of_several_gpus()) in_streams_.forget(now.moment.waited_for);
  if (const KeptAccess* other = in_streams_.racing(now)) findings_.report(now, *other);
  if (!launches_.of_several_gpus()) {
    in_streams_.add({now, {}, {}, {}});
    if (alone) findings_.flush();
    return;
  }
  ReleaseGraph::KnownClock known = 0;
  for (const auto& l : launches_.kept())
    if (l->has_ended && now.moment.is_after(l->moment)) known = order_.both(known, l->known);
  shadow_.for_each_cell(now.address, now.bytes, [&](const Cell& cell, u64 address, const Shadow& shadow) {
    const auto look_at = [&](const Touch& then) {
      if (rules_.races(then, now, known))
        findings_.report(then, now, {}, address, 1u << shadow.shift, shadow);
    };
    look_at(cell.write);
    if (!now.writes) return;
    look_at(cell.reader[0]);
    look_at(cell.reader[1]);
    if (const std::vector<Touch>* more = touches_.more_readers(cell)) std::ranges::for_each(*more, look_at);
  });
  const auto& kept = in_streams_.add({now, {}, {}, {}});
  launches_.for_each_running([&](CheckedLaunch& l) { l.beside.push_back(kept); });
  if (alone) findings_.flush();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
