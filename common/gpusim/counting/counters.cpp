#include "counting/counters.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/reachable.h"
#include "counting/banks.h"
#include "counting/sectors.h"
#include "execution/device.h"
#include "lanes/each_lane.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

void count_sectors(SectorTraffic& traffic, u64 bytes, SectorUse use) {
  traffic.requests += use.requests;
  traffic.sectors += use.sectors;
  traffic.ideal_sectors += use.ideal;
  traffic.bytes += bytes;
}

void count_banks(BankTraffic& traffic, BankUse use) {
  ++traffic.requests;
  traffic.wavefronts += use.wavefronts;
  traffic.ideal_wavefronts += use.ideal;
}

// True: there is a formula for the row's pattern, and the row has been counted.
bool count_row(Counters& at, const RowAccess& a) {
  const bool is_load = a.kind == AccessKind::load, is_whole = a.mask == kAllLanes;
  if (a.space == Space::global && (is_whole || a.is_gapless())) {
    const u64 bytes = u64(lane_count(a.mask)) * a.bytes;
    count_sectors(is_load ? at.global.load : at.global.store, bytes,
                  is_whole ? row_sector_use(a.first, a.step, a.bytes) : stretch_sector_use(a.begin(), bytes));
  } else if (a.space == Space::shared && (a.bytes > kBankBytes ? is_whole
                                                               : a.step == 0 || a.step == a.bytes ||
                                                                     (is_whole && a.bytes == kBankBytes))) {
    count_banks(is_load ? at.shared.load : at.shared.store, row_bank_use(a.step, a.bytes, is_load));
  } else if (a.space != Space::constant) {
    return false;
  }
  return true;
}

template <class SpaceCounters>  // GlobalCounters or SharedCounters
void count_atomic(SpaceCounters& counters, const Access& a) {
  ++counters.atomics;
  counters.atomic_lanes += lane_count(a.mask);
  counters.atomic_serialised += AscendingAddresses(a.address, a.mask).longest_run();
}

// The counter of instructions of this shape, or null if they have none of their own.
u64 Counters::* counter_of(Shape shape) {
  using enum ShapeFacts::Kind;
  switch (facts_of(shape).kind) {
    case barrier: return &Counters::barriers;
    case warp_sync: return &Counters::warp_syncs;
    case shuffle: return &Counters::shuffles;
    case vote: return &Counters::votes;
    case other:
    case load:
    case store:
    case atomic:
    case branch:
    case call:
    case leave: return nullptr;
  }
  return nullptr;
}

Report describe(const LaunchInfo& launch, bool completed) {
  Report report;
  const KernelInfo& kernel = *launch.kernel;
  report.kernel = kernel.pretty_name.empty() ? kernel.name : kernel.pretty_name;
  const auto copy = [](const Dim3& from, unsigned(&to)[3]) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
  };
  copy(launch.grid, report.grid);
  copy(launch.block, report.block);
  report.shared_bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes;
  report.local_bytes = kernel.local_bytes;
  report.launch = launch.number;
  report.completed = completed;
  report.compiler = launch.program->compiler;
  return report;
}

}  // namespace

template <class F> void LaunchCounters::for_code(F f) const {
  for (const auto& [begin, end] : code_)
    for (u32 pc = begin; pc < end; ++pc) f(pc);
}

// An instruction that was not issued has counted nothing, and launch_end clears those that were: so a launch
// costs what its kernel can reach, however long its module is.
void LaunchCounters::launch_begin(const LaunchInfo& launch) {
  program_ = launch.program;
  launch_ = &launch;
  links_.clear();
  in_flight_.clear();  // a fault may have stopped the last launch
  code_.clear();
  for (const u32 f : reachable_functions(*program_, launch.kernel->function))
    code_.push_back({program_->functions[f].begin, program_->functions[f].end});
  const std::size_t size = launch.program->code.size();
  if (issued_.size() < size) {
    issued_.resize(size);
    runs_.resize(size);
    events_.resize(size);
  }
  if (!sink_ && is_full_) {  // a part whose counts were not taken
    std::ranges::fill(issued_, Issued{});
    std::ranges::fill(runs_, Runs{});
    std::ranges::fill(events_, Counters{});
  }
  is_full_ = true;
}

void LaunchCounters::row_access(const RowAccess& a) {
  LaunchCounters::issue(a);
  if (!launch_->moment && count_row(events_[a.pc], a)) {
    if (a.space == Space::global && a.kind == AccessKind::load) in_flight_.loaded(a, *a.instruction);
    return;
  }
  Observer::row_access(a);
}

void LaunchCounters::access(const Access& a) {
  Counters& at = events_[a.pc];
  const bool is_load = a.kind == AccessKind::load;
  const u64 bytes = u64(lane_count(a.mask)) * a.bytes;
  switch (a.space) {
    case Space::global:
      if (launch_->moment) count_links(a);
      if (a.kind == AccessKind::atomic) return count_atomic(at.global, a);
      if (is_load && a.instruction) in_flight_.loaded(a, *a.instruction);
      return count_sectors(is_load ? at.global.load : at.global.store, bytes,
                           sector_use(a.address, a.mask, a.bytes, a.row));
    case Space::shared:
      if (a.kind == AccessKind::atomic) return count_atomic(at.shared, a);
      return count_banks(is_load ? at.shared.load : at.shared.store,
                         bank_use(a.address, a.mask, a.bytes, is_load, a.row));
    case Space::local:  // PTX has no atomics there
      return count_sectors(is_load ? at.local.load : at.local.store, bytes,
                           local_sector_use(a.address, a.mask, a.bytes));
    default:  // constants and parameters come through a cache of their own, which is not modelled
      return;
  }
}

void LaunchCounters::count_links(const Access& a) {
  u32 counted = 0;  // a bit for each GPU whose memory this request touches
  for_each_lane(a.mask, [&](u32 lane) {
    const u32 owner = Memory::gpu_of(a.address[lane]), self = launch_->gpu;
    if (owner == self || !Memory::is_device(a.address[lane])) return;
    const bool brings = a.kind == AccessKind::load;
    LinkTraffic& link = links_[brings ? std::pair(owner, self) : std::pair(self, owner)];
    link.from = brings ? owner : self;
    link.to = brings ? self : owner;
    link.requests += !(counted >> owner & 1);
    counted |= 1u << owner;
    link.bytes += a.bytes;
  });
}

Observer* LaunchCounters::shard(u32 k, u32) {
  while (parts_.size() <= k) parts_.push_back(std::make_unique<LaunchCounters>(nullptr));
  return parts_[k].get();
}

void LaunchCounters::merge_shards(u32 count) {
  for (u32 k = 0; k < count; ++k) take(*parts_[k]);
}

// Of one GPU: there are no links.
void LaunchCounters::take(LaunchCounters& part) {
  const auto add = [](Issued& to, const Issued& more) { to.warps += more.warps, to.lanes += more.lanes; };
  for_code([&](u32 pc) {
    add(issued_[pc], std::exchange(part.issued_[pc], {}));
    events_[pc] += std::exchange(part.events_[pc], {});
    const Runs runs = std::exchange(part.runs_[pc], {});
    if (runs_[pc].warps == 0) runs_[pc].count = runs.count;
    if (runs_[pc].count == runs.count) add(runs_[pc], runs);
    else
      for (u32 k = pc; k < pc + runs.count; ++k) add(issued_[k], runs);
  });
  part.is_full_ = false;
}

void LaunchCounters::launch_end(const LaunchInfo& launch, bool completed) {
  if (!sink_) return;
  const Program& program = *launch.program;
  Report report = describe(launch, completed);
  std::map<std::pair<std::string_view, u32>, Counters> by_line;
  for_code([&](u32 pc) {
    const Runs runs = std::exchange(runs_[pc], {});
    for (u32 k = pc; k < pc + runs.count; ++k) {
      issued_[k].warps += runs.warps;
      issued_[k].lanes += runs.lanes;
    }
  });
  for_code([&](u32 pc) {
    const Issued issued = std::exchange(issued_[pc], {});
    if (issued.warps == 0) return;
    Counters counters = std::exchange(events_[pc], {});
    counters.warp_instructions = issued.warps;
    counters.thread_instructions = issued.lanes;
    if (const auto counter = counter_of(program.code[pc].shape)) counters.*counter = issued.warps;

    report.total += counters;
    const SourceLine& source = program.lines[pc];
    const std::string_view file = source.line == 0 ? std::string_view() : program.files[source.file];
    by_line[{file, source.line}] += counters;
  });
  report.lines.reserve(by_line.size());
  for (const auto& [where, counters] : by_line)
    report.lines.push_back({std::string(where.first), int(where.second), counters});
  report.is_one_of_several = launch.moment != nullptr;
  report.gpu = launch.gpu;
  for (const auto& [ends, link] : links_) report.links.push_back(link);
  recorded_ = launch.is_recorded ? std::make_shared<const Report>(report) : nullptr;
  sink_(std::move(report));
}

void LaunchCounters::replayed(const LaunchInfo& launch, const std::shared_ptr<const void>& conclusion) {
  Report report = *static_cast<const Report*>(conclusion.get());
  report.launch = launch.number;
  report.is_one_of_several = launch.moment != nullptr;
  sink_(std::move(report));
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
