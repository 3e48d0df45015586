#include "checking/races/races_global.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "analysis/parameters.h"
#include "base/position_text.h"
#include "checking/races/earlier_updates.h"
#include "checking/races/global_shadow.h"
#include "checking/races/global_use.h"
#include "checking/races/happens_before.h"
#include "checking/races/resident_blocks.h"
#include "checking/races/shared_use.h"
#include "checking/races/stream_accesses.h"
#include "checking/written_memory.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

constexpr Time kTimeIsShort = 3'000'000'000u;  // start again from 0 before the next launch

const char* global_verb(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates (atomically)";
}

Scope scope_of(const AccessUse& use) { return use.block_scope ? cta : use.system_scope ? sys : gpu; }

// A launch, for as long as something may race with what it did.
struct Launch {
  LaunchInfo info;
  std::vector<u8> params;  // info.params of a launch that has ended
  LaunchMoment moment;
  GlobalUse use;
  WrittenMemory written;
  Time began = 0;
  bool on = false;
  bool has_ended = false;
  ReleaseGraph::KnownClock known = 0;  // at its end
  StreamAccesses::Beside beside;
};

// For one GPU, or for several that share memory: then a GPU's own events come by PeerGpu.
class GlobalRaceCheck final : public SerialObserver {
 public:
  GlobalRaceCheck(const Memory& memory, Findings& findings, u32 parts = 1)
      : memory_(memory), shadow_(memory, parts), all_findings_(findings), findings_(findings) {}

  // Another GPU's launches come, too. What was before is forgotten.
  void add(u32 gpu, const Memory& memory) {
    several_ = true;
    shadow_.add(gpu, memory);
    forget();
  }
  // The events that follow are of this GPU.
  void turn_to(u32 gpu) {
    if (several_) launch_ = latest_[gpu].get();
  }
  bool is_several() const { return several_; }

  Interests interests() const override { return {.accesses = true, .barriers = true, .meetings = true}; }
  void launch_begin(const LaunchInfo&) override;
  void launch_end(const LaunchInfo&, bool completed) override;
  void block_begin(u64 block) override {
    if (launch_->on) order_.block_begin(launch_->info, block);
  }
  void block_end(u64 block) override {
    if (launch_->on) order_.block_end(block);
  }
  void fence(const Issue& i) override {
    const FenceScope fence = launch_->on ? launch_->use.fence[i.pc] : FenceScope::none;
    if (fence != FenceScope::none)
      order_.fence(i, fence == FenceScope::block ? cta : fence == FenceScope::device ? gpu : sys);
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::warp_barrier && launch_->on) order_.warp_barrier(i, members);
  }
  void barrier_complete(u64 block, u32) override {
    if (launch_->on) order_.barrier(block);
  }
  void access(const Access&) override;
  void launch_unheard(const LaunchInfo&) override { shadow_.forget(); }
  void freed(const Allocation& a) override { shadow_.freed(a); }
  void in_stream(const StreamAccess&) override;

 private:
  void forget();
  void keep_accesses();
  bool comes_after(const Launch& later, const Launch& earlier) const;
  const Launch& launch_of(const Touch&) const;
  const AccessUse& use_of(const Touch& t) const { return launch_of(t).use.access[t.pc()]; }
  bool is_of_other_gpu(const Touch& t) const { return several_ && gpu_of(t.who) != launch_->info.gpu; }
  bool is_past(const Touch& t) const;
  bool atomic_together(const Touch& then, const Touch& now) const;
  bool races(const Touch& then, const Touch& now);
  const Touch* racing_write(const Cell&, const Touch& now);
  bool is_idiom(const Touch& then, const Touch& now) const;
  Mask touch_lines(const Access&, const Touch&);
  static Mask two_of_each_address(const Access&, Mask lanes);
  Mask tells_something(const Access&, Mask);
  void open_line(Shadow&, u64 address, Time);
  void keep_reader(Cell&, const Touch&);
  void keep_more(Cell&, const Touch&);
  void write(Cell&, const Touch&, const Access&, u32 lane, const Shadow&);
  bool stores_the_same(const Touch& then, const Access&, u32 lane, const Shadow&) const;
  void report(const Touch& then, const Touch& now, const Access&, u32 lane, const Shadow&,
              Values = Values::any);
  void hear_of_flag(const Access&);
  void look_beside(const Touch& now, const Access&, u32 lane, const Shadow&);
  bool races(const Touch& then, const StreamAccess& now, ReleaseGraph::KnownClock);
  void report(const Touch&, const StreamAccess&, const Place&, u64 address, u32 bytes, const Shadow&);
  void report(const StreamAccess& now, const KeptAccess& then);
  std::string advice(const Touch& then, const Touch& now);
  std::string advice_between_gpus(const Touch& then, const Touch& now);
  std::string broken_message(const Touch& then, const Touch& now);
  std::string flag_name(const HappensBefore::Gap&) const;
  std::string block_name_of(const Touch&) const;
  std::string name_of(const Touch&) const;
  std::string number_of(const Touch&) const;  // the same without warp and lane, which other GPUs do not see

  const Memory& memory_;  // of the first GPU
  HappensBefore order_;
  GlobalShadow shadow_;
  bool several_ = false;
  Launch* launch_ = nullptr;                                    // that of the GPU whose turn it is
  std::array<std::shared_ptr<Launch>, 1u << kGpuBits> latest_;  // by GPU
  std::array<std::vector<std::shared_ptr<Launch>>, 1u << kGpuBits>
      launches_;                                    // of several GPUs: by GPU, in order
  std::vector<std::shared_ptr<Launch>> by_number_;  // of several GPUs
  MoreReaders more_;
  EarlierUpdates<Touch, Cell> updates_;  // of cells whose last write is an atomic
  StreamAccesses in_streams_;
  Findings& all_findings_;
  RepeatedFindings findings_;
};

void GlobalRaceCheck::forget() {
  shadow_.forget();
  more_.clear();
  updates_.clear();
  order_.forget();
  in_streams_.clear();
  by_number_.clear();
  for (auto& of_gpu : launches_) of_gpu.clear();
}

// By the streams, events and waits of the program.
bool GlobalRaceCheck::comes_after(const Launch& later, const Launch& earlier) const {
  if (later.info.gpu == earlier.info.gpu) return later.began > earlier.began;
  return later.moment.is_after(earlier.moment);
}

const Launch& GlobalRaceCheck::launch_of(const Touch& t) const {
  if (!several_) return *launch_;
  const auto& of_gpu = launches_[gpu_of(t.who)];
  const auto after = std::ranges::upper_bound(of_gpu, t.time, {}, [](const auto& l) { return l->began; });
  return after == of_gpu.begin() ? *launch_ : **std::prev(after);
}

bool GlobalRaceCheck::is_past(const Touch& t) const {
  if (!several_ || gpu_of(t.who) == launch_->info.gpu) return t.time <= launch_->began;
  return t.time == 0 || comes_after(*launch_, launch_of(t));
}

void GlobalRaceCheck::launch_begin(const LaunchInfo& info) {
  std::shared_ptr<Launch>& latest = latest_[several_ ? info.gpu : 0];
  const bool alone = std::ranges::all_of(latest_, [](const auto& l) { return !l || l->has_ended; });
  latest = std::make_shared<Launch>();
  Launch& l = *latest;
  launch_ = latest.get();
  l.info = info;
  if (info.moment) l.moment = *info.moment;
  l.on = info.grid.count() <= (several_ ? kMostBlocks >> kGpuBits : kMostBlocks);
  if (!l.on)
    all_findings_.allow(info.kernel->entry_pc, "begins more blocks than the race check can tell apart");
  l.use = global_use(info);
  if (order_.now() > kTimeIsShort && alone) {
    order_.restart_clock();
    forget();
  }
  l.began = order_.tick();
  shadow_.launch_begin(l.use.smallest_access, info.is_sampled);
  if (!several_) {
    order_.launch_begin(info);
    // What launches of other streams may be reading at the same time is compared afterwards: then reads count, too.
    if (!info.moment) l.written = WrittenMemory(info, memory_);
    more_.clear();
    updates_.clear();
    in_streams_.forget(l.moment.waited_for);
    l.beside = in_streams_.beside(l.moment);
    return;
  }
  // What this launch comes after, all of it, nobody will ask for again.
  const bool after_all =
      alone && in_streams_.all_before(l.moment) &&
      std::ranges::all_of(by_number_, [&](const auto& other) { return comes_after(l, *other); });
  if (after_all) forget();
  l.beside = in_streams_.beside(l.moment);
  ReleaseGraph::KnownClock known = 0;
  for (const auto& other : by_number_)
    if (other->has_ended && comes_after(l, *other)) known = order_.both(known, other->known);
  l.info.moment = &l.moment;
  by_number_.push_back(latest);
  launches_[info.gpu].push_back(latest);
  order_.launch_begin(l.info, u32(by_number_.size() - 1), known);
}

void GlobalRaceCheck::launch_end(const LaunchInfo& info, bool) {
  findings_.flush();
  launch_->has_ended = true;
  if (!several_) {
    if (info.moment && launch_->on) keep_accesses();
    return;
  }
  launch_->known = order_.launch_end(info.gpu);
  if (info.params) launch_->params.assign(info.params, info.params + info.kernel->param_bytes);
  launch_->info.params = info.params ? launch_->params.data() : nullptr;
}

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
  const auto is_of_it = [&](const Touch& t) { return t.time > launch_->began; };
  shadow_.for_each_line([&](const Line& line, u64 address, const Shadow& shadow) {
    const u64 cell = u64(1) << shadow.shift;
    const auto note = [&](u64 at, u64 bytes, const Touch& write, const Touch& one, const Touch& other) {
      if (is_of_it(write)) add(writes, at, bytes, write);
      else if (is_of_it(one) || is_of_it(other)) add(reads, at, bytes, is_of_it(one) ? one : other);
    };
    if (line.in_cells <= launch_->began)
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
    kept->kernel = launch_->info.kernel->pretty_name;
    kept->what = kept->kernel + " in another stream";
    kept->moment = launch_->moment;
    for (const KeptAccess::Part& part : kept->parts)
      if (std::ranges::find(kept->places, part.packed, &std::pair<u32, Place>::first) == kept->places.end())
        kept->places.emplace_back(part.packed,
                                  place_of(*launch_->info.program, Touch{0, 0, part.packed}.pc()));
    in_streams_.add(std::move(*kept));
  }
}

void GlobalRaceCheck::access(const Access& a) {
  if (!launch_->on) return;
  if (a.space == Space::shared) return hear_of_flag(a);
  if (a.space != Space::global) return;
  const AccessUse& use = launch_->use.access[a.pc];
  if (!launch_->written.is_touched_by(a)) {
    if (a.kind != AccessKind::load) {
      launch_->written.add(a, memory_);
      all_findings_.allow(
          a.pc, "writes to an array that it has no pointer to, whose earlier readers are not known");
    } else if (!use.is_strong && !use.is_volatile) {
      return;
    }
  } else if (a.instruction->read_only || a.instruction->op == Op::ldu) {
    all_findings_.allow(a.pc, "reads as constant (__restrict__, __ldg) what the launch may write");
  }
  Touch now;
  now.time = order_.tick();
  now.packed = Touch::pack(a);
  if (use.is_strong || use.is_volatile) {
    order_.strong_access(a, scope_of(use));
    now.time = order_.tick();
  }
  const bool is_alone = launch_->beside.empty();
  const Mask left = a.is_even() && is_alone ? touch_lines(a, now) : a.mask;
  const bool looks_at_flag = a.kind == AccessKind::load && (use.is_strong || use.is_volatile);
  const Mask telling = looks_at_flag ? two_of_each_address(a, left)
                       : is_alone    ? tells_something(a, left)
                                     : left;
  for_each_lane(telling, [&](u32 lane) {
    const u64 address = a.address[lane];
    Shadow* shadow = shadow_.find_cells(address);
    if (!shadow) return all_findings_.allow(a.pc, "accesses more memory than the race check can remember");
    open_line(*shadow, address, now.time);
    now.who = thread_id(a, lane);
    if (!launch_->beside.empty()) look_beside(now, a, lane, *shadow);
    Cell* const last = &shadow->at(address + a.bytes - 1);
    for (Cell* cell = &shadow->at(address); cell <= last; ++cell) {
      if (a.kind != AccessKind::load) {
        write(*cell, now, a, lane, *shadow);
      } else {
        if (const Touch* const other = racing_write(*cell, now)) report(*other, now, a, lane, *shadow);
        keep_reader(*cell, now);
      }
    }
  });
}

// A flag in shared memory, too, may order what threads of its block do with global memory.
void GlobalRaceCheck::hear_of_flag(const Access& a) {
  if (!launch_->use.has_shared_flags || !is_flag_access(*a.instruction)) return;
  // Each block has shared memory of its own: to the messages, addresses where no memory is.
  constexpr u64 kSharedFlags = u64(1) << 62, kMostShared = u64(1) << 20;
  u64 address[kWarpSize];
  for_each_lane(a.mask,
                [&](u32 lane) { address[lane] = kSharedFlags + a.block * kMostShared + a.address[lane]; });
  Access flag = a;
  flag.address = address;
  order_.strong_access(flag, cta);
}

// A flag that a copy sets orders what its stream has done before; flags themselves may be copied.
void GlobalRaceCheck::look_beside(const Touch& now, const Access& a, u32 lane, const Shadow& shadow) {
  const u64 address = a.address[lane];
  const AccessUse& use = launch_->use.access[a.pc];
  std::shared_ptr<const KeptAccess> flag;
  for (const auto& each : launch_->beside) {
    if (!each->touches(address, a.bytes) || (!each->writes && a.kind == AccessKind::load)) continue;
    const auto is_before = [&](u32 number) { return by_number_[number]->moment.is_after(each->moment); };
    const KeptAccess::Part* const part = each->part_in(address, a.bytes);
    const bool both_atomic = part && Touch{0, 0, part->packed}.is_atomic() && a.kind == AccessKind::atomic;
    // What a kernel of the same GPU sets is a flag for nobody who runs already.
    const bool may_be_flag = several_ || a.kind == AccessKind::load || both_atomic;
    if ((use.is_strong || use.is_volatile) && may_be_flag) flag = each->writes ? each : flag;
    else if (!several_ || std::ranges::none_of(order_.heard_of(now.who), is_before))
      report(now, *each, each->place_in(address, a.bytes), address, a.bytes, shadow);
  }
  if (flag)
    std::erase_if(launch_->beside,
                  [&](const auto& each) { return each == flag || flag->moment.is_after(each->moment); });
}

bool GlobalRaceCheck::races(const Touch& then, const StreamAccess& now, ReleaseGraph::KnownClock known) {
  if (then.time == 0 || (!now.writes && then.kind() == AccessKind::load)) return false;
  const Launch& launch = launch_of(then);
  const AccessUse& use = launch.use.access[then.pc()];
  return !use.is_strong && !use.is_volatile && !now.moment.is_after(launch.moment) &&
         !order_.is_known(known, then.time, then.who);
}

void GlobalRaceCheck::in_stream(const StreamAccess& now) {
  const auto is_running = [](const auto& l) { return l && !l->has_ended; };
  const bool alone = std::ranges::none_of(latest_, is_running);
  if (alone && !in_streams_.continues(now) && in_streams_.all_before(now.moment) &&
      std::ranges::all_of(by_number_, [&](const auto& l) { return now.moment.is_after(l->moment); }))
    forget();
  if (!several_) in_streams_.forget(now.moment.waited_for);
  if (const KeptAccess* other = in_streams_.racing(now)) report(now, *other);
  if (!several_) {
    in_streams_.add({now, {}, {}, {}});
    if (alone) findings_.flush();
    return;
  }
  ReleaseGraph::KnownClock known = 0;
  for (const auto& l : by_number_)
    if (l->has_ended && now.moment.is_after(l->moment)) known = order_.both(known, l->known);
  shadow_.for_each_cell(now.address, now.bytes, [&](const Cell& cell, u64 address, const Shadow& shadow) {
    const auto look_at = [&](const Touch& then) {
      if (races(then, now, known)) report(then, now, {}, address, 1u << shadow.shift, shadow);
    };
    look_at(cell.write);
    if (!now.writes) return;
    look_at(cell.reader[0]);
    look_at(cell.reader[1]);
    if (const std::vector<Touch>* more = more_.find(cell)) std::ranges::for_each(*more, look_at);
  });
  const auto& kept = in_streams_.add({now, {}, {}, {}});
  for (const auto& l : latest_)
    if (is_running(l)) l->beside.push_back(kept);
  if (alone) findings_.flush();
}

// Where each lane of a warp touches cells of its own of whole lines: what can be noted for lines as wholes. Returns the
// lanes that are left. Of several GPUs, every touch is looked at by itself.
Mask GlobalRaceCheck::touch_lines(const Access& a, const Touch& now) {
  if (several_ || a.kind == AccessKind::atomic || a.address[1] - a.address[0] != a.bytes) return a.mask;
  const bool uniform = !launch_->use.orders_partly;  // what orders one thread of a warp, orders all of it
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
      if (then.time <= launch_->began || then.same_threads(touch)) return Line::Past::gone;
      if (!uniform || then.who / kWarpSize == touch.who / kWarpSize) return Line::Past::differs;
      return order_.ordered(then.time, then.who, touch.who) ? Line::Past::gone : Line::Past::unordered;
    };
    const bool noted =
        line.in_cells <= launch_->began &&
        (a.kind == AccessKind::load ? line.read_all(touch, past) : line.write_all(touch, past));
    if (!noted) left |= (kAllLanes >> (kWarpSize - lanes)) << lane;
  }
  return left;
}

// The lanes but those that read what two other blocks have read and none has written in this launch. Where nothing orders
// blocks, keep_reader() would keep those two: what many blocks read costs little.
Mask GlobalRaceCheck::tells_something(const Access& a, Mask lanes) {
  const AccessUse& use = launch_->use.access[a.pc];
  if (a.kind != AccessKind::load || several_ || launch_->use.orders_partly || use.is_strong ||
      use.is_volatile)
    return lanes;
  const ThreadId block = block_of(thread_id(a, 0));
  const auto is_settled = [&](const Cell& cell) {
    const Touch &first = cell.reader[0], &second = cell.reader[1];
    const ThreadId one = block_of(first.who), other = block_of(second.who);
    return is_past(cell.write) && !is_past(first) && !is_past(second) && one != other && one != block &&
           other != block;
  };
  Mask left = 0;
  u64 before = 0;  // the latest lane's address: lanes often share one
  bool is_left = false;
  for_each_lane(lanes, [&](u32 lane) {
    const u64 address = a.address[lane];
    if (address != before) {
      Shadow* const shadow = shadow_.find_cells(address);
      is_left = !shadow || shadow->line(address).in_cells <= launch_->began;
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

// If neighbouring lanes look at one flag, only the first and the last of them are checked: a plain write of the flag races with at least
// one of these two.
Mask GlobalRaceCheck::two_of_each_address(const Access& a, Mask lanes) {
  Mask chosen = 0;
  u32 latest = kWarpSize;
  for_each_lane(lanes, [&](u32 lane) {
    if (latest == kWarpSize || a.address[lane] != a.address[latest]) {
      if (latest != kWarpSize) chosen |= Mask(1) << latest;
      chosen |= Mask(1) << lane;
    }
    latest = lane;
  });
  return latest == kWarpSize ? chosen : chosen | Mask(1) << latest;
}

// From now on the cells of the line count, and it does not.
void GlobalRaceCheck::open_line(Shadow& shadow, u64 address, Time now) {
  Line& line = shadow.line(address);
  if (!several_ && line.in_cells <= launch_->began) {
    Cell* const first = &shadow.at(address & ~(shadow.line_bytes() - 1));
    const auto in_cell = [&](const LineTouch& t, u32 k) { return is_past(t) ? Touch{} : t.of_cell(k); };
    for (u32 k = 0; k < Line::kCells; ++k)
      first[k] = {in_cell(line.write, k), {in_cell(line.reader[0], k), in_cell(line.reader[1], k)}, {}};
    line.write = line.reader[0] = line.reader[1] = {};
  }
  line.in_cells = now;
}

// Whether each sees the other made whole or not at all, in whichever order they come ("morally strong" in the PTX ISA).
bool GlobalRaceCheck::atomic_together(const Touch& then, const Touch& now) const {
  const AccessUse &a = use_of(then), &b = launch_->use.access[now.pc()];
  if (a.element_bytes != b.element_bytes) return false;
  if (is_of_other_gpu(then)) return a.system_scope && b.system_scope;
  const bool one_block = block_of(then.who) == block_of(now.who);
  const auto is_strong = [one_block](const AccessUse& use) {
    if (!one_block && use.block_scope) return false;
    return use.is_strong || use.is_guess || (one_block ? use.is_flag : use.is_volatile);
  };
  return is_strong(a) && is_strong(b);
}

bool GlobalRaceCheck::races(const Touch& then, const Touch& now) {
  if (is_past(then) || then.who == now.who || atomic_together(then, now)) return false;
  if (order_.ordered(then.time, then.who, now.who)) return false;
  if (!several_) return true;
  // Of what did it hear by a flag?
  for (const u32 number : order_.heard_of(now.who))
    if (const Launch& heard = *by_number_[number]; comes_after(heard, launch_of(then))) return false;
  return true;
}

// The last write of a cell, or an atomic before it that still counts, if it races with this access; or null.
const Touch* GlobalRaceCheck::racing_write(const Cell& cell, const Touch& now) {
  if (races(cell.write, now)) return &cell.write;
  if (!cell.write.is_atomic() || is_past(cell.write)) return nullptr;
  const std::vector<Touch>* const earlier = updates_.find(cell);
  if (!earlier) return nullptr;
  const auto racing = std::ranges::find_if(*earlier, [&](const Touch& t) { return races(t, now); });
  if (launch_->use.orders_partly)  // not all that the lanes of a warp have done is kept
    all_findings_.allow(now.pc(), "accesses plainly what several lanes have updated by atomics");
  return racing == earlier->end() ? nullptr : &*racing;
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
  if (launch_->use.orders_partly || several_) return keep_more(cell, now);
  if (Line::tells_more(a, b, now)) b = now;
}

void GlobalRaceCheck::keep_more(Cell& cell, const Touch& now) {
  if (std::vector<Touch>* more = more_.find(cell))
    for (Touch& t : *more)
      if (order_.ordered(t.time, t.who, now.who)) {
        t = now;
        return;
      }
  if (more_.add(cell, now)) return;
  cell.reader[1] = now;
  all_findings_.allow(now.pc(), "reads what more threads read than the race check can remember");
}

void GlobalRaceCheck::write(Cell& cell, const Touch& now, const Access& a, u32 lane, const Shadow& shadow) {
  if (const Touch* const other =
          now.is_atomic() ? races(cell.write, now) ? &cell.write : nullptr : racing_write(cell, now);
      other) {
    if (!stores_the_same(*other, a, lane, shadow)) report(*other, now, a, lane, shadow);
    else if (warp_of(other->who) != warp_of(now.who) || other->pc() != now.pc())
      report(*other, now, a, lane, shadow, Values::equal);
    else all_findings_.allow(now.pc(), kLanesStoreTogether);
  }
  // An atomic is no race with the atomic of a thread that has set the value before, but may be one with the setting.
  if (now.is_atomic() && races(cell.plain, now)) report(cell.plain, now, a, lane, shadow);
  std::vector<Touch>* const more = more_.find(cell);
  if (now.is_atomic() && (more || !is_past(cell.reader[0]) || !is_past(cell.reader[1])))
    all_findings_.allow(now.pc(), "updates by an atomic what the launch also reads plainly");
  // An atomic orders nothing: readers that do not race with it may race with another thread's that comes later.
  const auto is_done_with = [&](const Touch& reader) {
    const bool is_racing = races(reader, now);
    if (is_racing) report(reader, now, a, lane, shadow);
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
  } else if (!is_past(cell.write) && cell.write.who != now.who) {
    if (!updates_.add(cell, cell.write))
      all_findings_.allow(now.pc(), "updates more elements by atomics than the race check can remember");
  }
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
  if (is_of_other_gpu(then)) return advice_between_gpus(then, now);
  const AccessUse &first = use_of(then), &second = launch_->use.access[now.pc()];
  const bool one_block = block_of(then.who) == block_of(now.who);
  const bool both_write = then.kind() != AccessKind::load && now.kind() != AccessKind::load;
  const auto is_strong = [](const AccessUse& use) { return use.is_strong || use.is_volatile; };
  if (is_strong(first) && is_strong(second) && first.element_bytes != second.element_bytes)
    return "one access has " + bytes_name(first.element_bytes) + ", the other " +
           std::to_string(second.element_bytes) +
           ", and only accesses of one size are atomic towards each other";
  if (!one_block && first.is_strong && second.is_strong)
    return "an atomic of the block (_block, .cta) is one for the threads of its own block only: use the scope of the device";
  if (const std::string gap = broken_message(then, now); !gap.empty()) return gap;
  if (then.is_atomic() || now.is_atomic())
    return "an atomic orders only atomics: make the other access atomic too, or put a barrier or another launch between";
  if (!one_block) {
    if (both_write) return "nothing orders blocks: give each block elements of its own, or use an atomic";
    return "nothing orders blocks: read in a launch of its own, write to another array, or publish with __threadfence() and an atomic flag, and read that flag, then __threadfence(), then this";
  }
  if (then.time == now.time)
    return "which value stays is undefined: give each lane an element of its own, or use an atomic";
  const bool warp_waits = warp_of(then.who) == warp_of(now.who) && launch_->use.has_warp_syncs;
  const std::string barrier =
      std::string("put ") + (warp_waits ? "__syncwarp()" : "__syncthreads()") + " between";
  if (both_write) return "nothing orders them: give each thread an element of its own, or " + barrier;
  if (same_place(place_of(*launch_->info.program, then.pc()),
                 place_of(*launch_->info.program, now.pc())))  // *sum += x
    return "nothing orders their updates: use an atomic, or give each thread an element of its own, or " +
           barrier;
  return "nothing orders them: " + barrier + ", if both are to access this element";
}

// "the flag ready[0]"
std::string GlobalRaceCheck::flag_name(const HappensBefore::Gap& gap) const {
  const auto [address, bytes] = gap.flag;
  const Allocation* const of = shadow_.allocation_of(address);
  return of ? "the flag " + global_name(launch_->info, *of, address, bytes, AccessKind::load) : "the flag";
}

// A message by a flag that has arrived, and orders nothing, with the line at which it fails; empty: there was none.
std::string GlobalRaceCheck::broken_message(const Touch& then, const Touch& now) {
  const HappensBefore::Gap gap = order_.gap(then.time, then.who, now.who);
  const Place at = place_of(*launch_->info.program, gap.pc);
  const std::string line = at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
  const std::string flag = flag_name(gap);
  constexpr const char* kOfBlock = " orders memory for threads of its own block only: use __threadfence()";
  switch (gap.kind) {
    case HappensBefore::Gap::reader_fence:
      return flag + ", which it has read at " + line +
             ", orders nothing yet: put __threadfence() between reading the flag and this";
    case HappensBefore::Gap::reader_scope:
      return "the fence at " + line + ", after reading " + flag + "," + kOfBlock;
    case HappensBefore::Gap::writer_scope:
      return "the fence at " + line + ", before setting " + flag + "," + kOfBlock;
    case HappensBefore::Gap::writer_barrier:
      if (then.pc() > gap.pc) return "";  // it comes after the flag in the program, too
      return "the fence at " + line + ", before setting " + flag +
             ", is of a thread that has not waited for that write: put __syncthreads() between the write and the fence";
    default: return "";
  }
}

// A message between GPUs needs fences of the whole system, which the words name with the line at which it fails.
std::string GlobalRaceCheck::advice_between_gpus(const Touch& then, const Touch& now) {
  const AccessUse &first = use_of(then), &second = launch_->use.access[now.pc()];
  const auto is_strong = [](const AccessUse& use) { return use.is_strong || use.is_volatile; };
  if (is_strong(first) && is_strong(second))
    return first.element_bytes != second.element_bytes
               ? "one access has " + bytes_name(first.element_bytes) + ", the other " +
                     std::to_string(second.element_bytes) +
                     ", and only accesses of one size are atomic towards each other"
               : "an atomic without _system (.gpu) is one for the threads of its own GPU only: use atomicAdd_system, atomicExch_system or a volatile access";
  const HappensBefore::Gap gap = order_.gap(then.time, then.who, now.who);
  const bool is_readers =
      gap.kind == HappensBefore::Gap::reader_fence || gap.kind == HappensBefore::Gap::reader_scope;
  const Launch& other = launch_of(then);
  const Place at = place_of(is_readers ? *launch_->info.program : *other.info.program, gap.pc);
  const std::string line = at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
  const std::string flag = flag_name(gap);
  switch (gap.kind) {
    case HappensBefore::Gap::reader_fence:
      return flag + ", read at " + line + ", orders nothing yet: put __threadfence_system() behind that";
    case HappensBefore::Gap::reader_scope:
      return "the fence at " + line + ", after reading " + flag +
             ", is one of its own GPU only: use __threadfence_system()";
    case HappensBefore::Gap::writer_fence:
      return flag + " was set at " + line +
             " with no fence behind that write: put __threadfence_system() between";
    case HappensBefore::Gap::writer_barrier:
      return "the fence at " + line + ", before setting " + flag +
             ", does not wait for other threads' writes: put __syncthreads() before it";
    case HappensBefore::Gap::writer_scope:
      return "the fence at " + line + ", before setting " + flag +
             ", is one of its own GPU only: use __threadfence_system()";
    case HappensBefore::Gap::flag_scope:
      return flag + ", set at " + line + ", is an atomic of its own GPU only: use one with _system";
    case HappensBefore::Gap::too_early:
      return flag + ", which it has read, was set at " + line + " before that write: wait for a later one";
    case HappensBefore::Gap::other_warp:
      return "only another warp has waited for the flag: put __syncthreads() between that wait and this";
    case HappensBefore::Gap::silence: break;
  }
  if (then.is_atomic() || now.is_atomic())
    return "an atomic orders only atomics: make the other access atomic too, or let the GPUs wait for each other";
  return "nothing orders the GPUs: use cudaStreamWaitEvent, or a flag with __threadfence_system() on both sides";
}

std::string GlobalRaceCheck::block_name_of(const Touch& t) const {
  return block_name(launch_of(t).info, several_ ? block_of(t.who) >> kGpuBits : block_of(t.who));
}
std::string GlobalRaceCheck::name_of(const Touch& t) const {
  return block_name_of(t) + ", " + thread_name(launch_of(t).info, thread_of(t.who));
}
std::string GlobalRaceCheck::number_of(const Touch& t) const {
  return block_name_of(t) + ", thread " + position_text(thread_of(t.who), launch_of(t).info.block);
}

// CUB's scan, for one, looks at flags by `ld.cg`, which orders nothing by the letter.
bool is_of_library(const Place& place) {
  return std::ranges::any_of(std::array{"/cub/", "/thrust/", "/cuda/std/"}, [&](const char* folder) {
    return place.file.find(folder) != std::string::npos;
  });
}

// A plain load of what others change by an atomic that takes a value only where it fits (CAS), or lets it go one way only (min, max, and,
// or). Searches of graphs look so before they update, and are right whichever value they see, though it is a race by the letter.
// So is a flag between threads of one block that is volatile only.
bool GlobalRaceCheck::is_idiom(const Touch& then, const Touch& now) const {
  const auto is_one_way = [](const Instruction& in) {
    switch (in.op) {
      case Op::atom_cas:
      case Op::atom_min:
      case Op::red_min:
      case Op::atom_max:
      case Op::red_max:
      case Op::atom_and:
      case Op::red_and:
      case Op::atom_or:
      case Op::red_or: return true;
      default: return false;
    }
  };
  const auto& code = launch_->info.program->code;
  const AccessUse &a = use_of(then), &b = launch_->use.access[now.pc()];
  if ((a.is_volatile || a.is_strong) && (b.is_volatile || b.is_strong) &&
      a.element_bytes == b.element_bytes && !a.block_scope && !b.block_scope)
    return true;
  return (then.kind() == AccessKind::load && is_one_way(code[now.pc()])) ||
         (now.kind() == AccessKind::load && is_one_way(code[then.pc()]));
}

void GlobalRaceCheck::report(const Touch& then, const Touch& now, const Access& a, u32 lane,
                             const Shadow& shadow, Values values) {
  // A flag or ticket that its reader has acquired: the reader may read it plainly, and the last block may set it back.
  if (then.is_atomic() && !now.is_atomic() &&
      order_.has_acquired(then.time, then.who, now.who, a.address[lane]))
    return;
  // Without GPUSIM_CHECK, races by the letter that programs rely on are left out, and the code of NVIDIA's libraries.
  if (launch_->info.is_sampled && (values == Values::equal || is_idiom(then, now) ||
                                   is_of_library(place_of(*launch_->info.program, now.pc()))))
    return;
  const bool one_block = block_of(then.who) == block_of(now.who);
  const bool other_gpu = is_of_other_gpu(then);
  const u32 kind = one_block + 2 * other_gpu + 8 * (values == Values::equal);
  findings_.report(kind, now.packed, then.packed, [&] {
    const Launch& earlier = launch_of(then);
    const auto gpu = [&](const Launch& l) {
      return other_gpu ? "GPU " + std::to_string(l.info.gpu) + ", " : std::string();
    };
    Finding f;
    f.check = "race";
    f.place = place_of(*launch_->info.program, now.pc());
    f.other = place_of(*earlier.info.program, then.pc());
    f.kernel = launch_->info.kernel->pretty_name;
    f.message = gpu(*launch_) + (other_gpu ? number_of(now) : name_of(now)) + " " + global_verb(now.kind()) +
                " " + global_name(launch_->info, shadow.allocation, a.address[lane], a.bytes, a.kind);
    if (other_gpu && Memory::gpu_of(a.address[lane]) != launch_->info.gpu)
      f.message += " of GPU " + std::to_string(Memory::gpu_of(a.address[lane]));
    f.message += " while " + gpu(earlier);
    f.message += other_gpu   ? number_of(then)
                 : one_block ? thread_name(earlier.info, thread_of(then.who))
                             : name_of(then);
    f.message += std::string(" ") + global_verb(then.kind()) + " it; " +
                 (values == Values::equal ? kEqualValues : advice(then, now));
    if (values == Values::equal) f.severity = Severity::warning;
    return f;
  });
}

// Shows at the kernel's line, whichever came first.
void GlobalRaceCheck::report(const Touch& t, const StreamAccess& other, const Place& others_place,
                             u64 address, u32 bytes, const Shadow& shadow) {
  findings_.report(4, t.packed, other.writes, [&] {
    const Launch& launch = launch_of(t);
    Finding f;
    f.check = "race";
    f.place = place_of(*launch.info.program, t.pc());
    f.other = others_place.line ? others_place : place_of(other.site);
    f.kernel = launch.info.kernel->pretty_name;
    f.message = (several_ ? "GPU " + std::to_string(launch.info.gpu) + ", " : "") + name_of(t) + " " +
                global_verb(t.kind()) + " " +
                global_name(launch.info, shadow.allocation, address, bytes, t.kind());
    if (const u32 owner = Memory::gpu_of(address); owner != launch.info.gpu)
      f.message += " of GPU " + std::to_string(owner);
    f.message += " while " + other.what + " " + verb(other) + " it; " + kOrderStreams +
                 vain_wait(launch.moment, other.moment);
    return f;
  });
}

// Two that are no kernels, or a kernel that has ended, at whose line it shows, and one that is none.
void GlobalRaceCheck::report(const StreamAccess& now, const KeptAccess& then) {
  const KeptAccess::Part* const part = then.part_in(now.address, now.bytes);
  findings_.report(5, part ? part->packed : 0, now.writes, [&] {
    const u64 begin = part ? part->address : then.address, end = begin + (part ? part->bytes : then.bytes);
    const u64 first = std::max(now.address, begin);
    Finding f;
    f.check = "race";
    f.place = then.place_in(now.address, now.bytes);
    f.other = place_of(now.site);
    if (f.place.line == 0) f.place = std::exchange(f.other, place_of(then.site));
    f.kernel = then.kernel;
    f.message = now.what + " " + verb(now) + " " +
                bytes_name(std::min(now.address + now.bytes, end) - first) +
                (several_ ? " of GPU " + std::to_string(Memory::gpu_of(first)) : "") + " that " + then.what +
                " " + verb(then) + "; " + kOrderStreams + vain_wait(now.moment, then.moment);
    return f;
  });
}

// Events of one GPU of several, whose blocks have numbers of their own among all.
class PeerGpu final : public SerialObserver {
 public:
  PeerGpu(std::shared_ptr<GlobalRaceCheck> all, u32 gpu) : all_(std::move(all)), gpu_(gpu) {}

  Interests interests() const override { return all_->interests(); }
  void launch_begin(const LaunchInfo& l) override { all_->launch_begin(l); }
  void launch_end(const LaunchInfo& l, bool completed) override { turned().launch_end(l, completed); }
  void block_begin(u64 block) override { turned().block_begin(number(block)); }
  void block_end(u64 block) override { turned().block_end(number(block)); }
  void fence(const Issue& i) override {
    if (!all_->is_several()) return all_->fence(i);
    turned().fence(numbered(i));
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    turned().sync(numbered(i), kind, members);
  }
  void barrier_complete(u64 block, u32 id) override { turned().barrier_complete(number(block), id); }
  void access(const Access& a) override {
    if (!all_->is_several()) return all_->access(a);
    turned().access(numbered(a));
  }
  void launch_unheard(const LaunchInfo& l) override { all_->launch_unheard(l); }
  void freed(const Allocation& a) override { all_->freed(a); }
  void in_stream(const StreamAccess& a) override { all_->in_stream(a); }

  const std::shared_ptr<GlobalRaceCheck>& all() const { return all_; }

 private:
  u64 number(u64 block) const { return all_->is_several() ? block << kGpuBits | gpu_ : block; }
  template <class Event> Event numbered(Event e) const {
    e.block = number(e.block);
    return e;
  }
  GlobalRaceCheck& turned() {
    all_->turn_to(gpu_);
    return *all_;
  }

  std::shared_ptr<GlobalRaceCheck> all_;
  u32 gpu_;
};

}  // namespace

std::unique_ptr<Observer> make_global_race_check(const Memory& memory, Findings& findings) {
  return std::make_unique<PeerGpu>(std::make_shared<GlobalRaceCheck>(memory, findings), 0);
}

std::unique_ptr<Observer> make_global_race_check_of_part(const Memory& memory, u32 of, Findings& findings) {
  return std::make_unique<PeerGpu>(std::make_shared<GlobalRaceCheck>(memory, findings, of), 0);
}

std::unique_ptr<Observer> make_global_race_check_beside(Observer& first, const Memory& memory, u32 gpu) {
  const auto& all = static_cast<PeerGpu&>(first).all();
  all->add(gpu, memory);
  return std::make_unique<PeerGpu>(all, gpu);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
