#include "timing/recorder.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "counting/banks.h"
#include "counting/sectors.h"
#include "execution/device.h"
#include "timing/l1_lookup.h"
#include "timing/shared_additions.h"

namespace gpusim::timing {
namespace {

constexpr u64 kBlocksRecorded = 24;
constexpr u64 kStepsRecorded = 3'000'000;  // beyond them no block is begun
constexpr u64 kStepsOfBlock = 2'000'000;   // beyond them a block is cut short
constexpr std::size_t kAddressesKnown = 65536;
constexpr std::size_t kLinesKnown = 65536;  // of one multiprocessor
constexpr u64 kBlocksCounted = 1 << 22;
constexpr u64 kFewColumns = 6;   // the recorded blocks come from at least this many columns
constexpr u64 kBlocksTried = 8;  // for the longest, before any two have differed

u32 most_on_a_bank(const u64* address, Mask mask) {
  u32 on[32] = {}, most = 0;
  for (; mask != 0; mask &= mask - 1) most = std::max(most, ++on[address[__builtin_ctz(mask)] >> 2 & 31]);
  return most;
}

// wide: if it is not 0, the bytes of an aligned load of which this one is a part.
BankUse bank_use_of(const Access& a, u32 wide) {
  if (wide == 0) return bank_use(a.address, a.mask, a.bytes, a.kind == AccessKind::load);
  u64 address[kWarpSize];
  for (u32 lane = 0; lane < kWarpSize; ++lane) address[lane] = a.address[lane] & ~u64(wide - 1);
  return bank_use(address, a.mask, wide, true);
}

// `lanes`: one of them is asked about, and those behind it.
bool is_first_of_warp(const Access& a, Mask lanes) {
  const u64 address = a.address[__builtin_ctz(lanes)];
  for (Mask before = a.mask & (lanes ^ (lanes - 1)) >> 1; before != 0; before &= before - 1)
    if (a.address[__builtin_ctz(before)] == address) return false;
  return true;
}

// Between two recorded blocks. Not always the same column of the grid, which may have less to do than others.
u64 stride_of(const LaunchInfo& launch) {
  const u64 even = std::max<u64>(launch.blocks / kBlocksRecorded, 1);
  if (launch.blocks != launch.grid.count()) return even;
  u64 stride = even;
  const u64 columns = std::min<u64>(launch.grid.x, kFewColumns);
  while (stride > 1 && launch.grid.x / std::gcd(stride, u64(launch.grid.x)) < columns) --stride;
  return stride;
}

}  // namespace

void Recorder::launch_begin(const LaunchInfo& launch) {
  if (program_ != launch.program || program_size_ != launch.program->code.size()) {
    costs_ = costs_of(*launch.program, machine_);
    program_ = launch.program;
    program_size_ = launch.program->code.size();
  }
  record_ = {};
  record_.launch = launch;
  record_.costs = &costs_;
  if (launch.blocks == launch.grid.count() && launch.blocks <= kBlocksCounted)
    record_.steps_of.assign(launch.blocks, 0);
  const u64 shared = launch.static_shared_bytes + launch.dynamic_shared_bytes;
  const u64 threads = launch.block.count();
  const u32 registers =
      allotted_registers(machine_, costs_.registers[launch.kernel->function], *launch.kernel, threads);
  record_.occupancy = occupancy_of(machine_, threads, shared, registers);
  const u64 sms = machine_.multiprocessors;
  record_.multiprocessors = sms;
  const u32 resident =
      u32(std::clamp<u64>((launch.grid.count() + sms - 1) / sms, 1, std::max(record_.occupancy.blocks, 1u)));
  record_.whole_l1_bytes = l1_bytes(machine_, resident, shared);
  record_.l1_bytes = record_.whole_l1_bytes / resident;
  warps_at_once_ =
      std::min(launch.grid.count(), sms * std::max(record_.occupancy.blocks, 1u)) * launch.warps_per_block;
  first_blocks_ = sms * std::max(record_.occupancy.blocks, 1u);
  running_.clear();
  warps_ended_ = filled_by_ended_ = 0;
  l2_.begin(double(machine_.l2_bytes));
  pages_.begin();
  record_.memory_use.assign(program_size_, {});
  live_.clear();
  steps_tried_ = longest_ = 0;
  shortest_ = ~u64(0);
  last_block_ = ~u64(0);
  last_ = kNone;
  stride_ = stride_of(launch);
  next_ = stride_ - 1;  // behind its neighbours, which may have brought what it needs
}

void Recorder::block_begin(u64 block) {
  ++record_.blocks_run;
  const bool is_kept = record_.blocks_run - 1 >= next_ && record_.steps_recorded <= kStepsRecorded;
  if (is_kept) next_ += stride_;
  else if (!may_be_longest()) return;
  Live& live = live_.emplace_back();
  live.block.index = block;
  live.block.warps.resize(record_.launch.warps_per_block);
  live.is_kept = is_kept;
  last_block_ = block;
  last_ = live_.size() - 1;
}

// Blocks of unequal lengths: then the longest decides when the launch ends, and it need not be one of those that are kept.
bool Recorder::may_be_longest() const {
  if (record_.steps_of.empty() || steps_tried_ > kStepsRecorded) return false;
  return record_.blocks_run <= kBlocksTried || longest_ > shortest_;
}

void Recorder::block_end(u64 block) {
  if (const auto ended = running_.find(block); ended != running_.end()) {
    for (const CachedWarp& warp : ended->second) filled_by_ended_ += warp.filled;
    warps_ended_ += ended->second.size();
    running_.erase(ended);
  }
  if (!record_.steps_of.empty()) {
    longest_ = std::max<u64>(longest_, record_.steps_of[block]);
    shortest_ = std::min<u64>(shortest_, record_.steps_of[block]);
  }
  if (!recorded(block)) return;
  Live& live = live_[last_];
  if (live.is_kept) {
    record_.blocks.push_back(std::move(live.block));
  } else {
    const bool is_longest =
        record_.longest.empty() || live.steps > record_.steps_of[record_.longest[0].index];
    if (is_longest) record_.longest.assign(1, std::move(live.block));
  }
  live_.erase(live_.begin() + std::ptrdiff_t(last_));
  last_block_ = ~u64(0);
  last_ = kNone;
}

void Recorder::find(u64 block) {
  last_block_ = block;
  last_ = kNone;
  for (std::size_t k = 0; k < live_.size(); ++k)
    if (live_[k].block.index == block) last_ = k;
}

void Recorder::note(BlockRecord& block, const Issue& i) {
  if (!block.whole) return;
  std::vector<Step>& steps = block.warps[i.warp].steps;
  if (steps.size() * block.warps.size() > kStepsOfBlock) {
    block.whole = false;
    return;
  }
  steps.push_back({.pc = i.pc, .lanes = u8(lane_count(i.mask))});
  Live& live = live_[last_];
  ++live.steps;
  ++(live.is_kept ? record_.steps_recorded : steps_tried_);
}

// All lanes go past the body: the body that ptxas would have predicated is issued all the same.
void Recorder::branch(const Issue& i, Mask taken) {
  BlockRecord* block = recorded(i.block);
  if (!block || !block->whole) return;
  std::vector<Step>& steps = block->warps[i.warp].steps;
  if (!steps.empty() && steps.back().pc == i.pc) steps.back().lines = taken == i.mask;
}

void Recorder::access(const Access& a) {
  BlockRecord* block = recorded(a.block);
  WarpRecord* warp = nullptr;
  Step* step = nullptr;
  if (block && block->whole && !block->warps[a.warp].steps.empty() &&
      block->warps[a.warp].steps.back().pc == a.pc) {
    warp = &block->warps[a.warp];
    step = &warp->steps.back();
  }
  switch (a.space) {
    case Space::global:
      if (a.kind != AccessKind::atomic) return cached_access(a, warp);
      break;
    case Space::local: return local_access(a, warp);
    case Space::constant:
      if (step) {
        step->touched = kNoLines;
        step->lines = narrow(AscendingAddresses(a.address, a.mask).distinct());
      }
      return;
    case Space::shared:
      if (step) step->touched = kNoLines;
      if (step && a.kind != AccessKind::atomic) {
        const BankUse use = bank_use_of(a, costs_.wide_bytes[a.pc]);
        step->lines = narrow(use.wavefronts);
        step->ideal = u8(use.ideal);
      }
      break;
    default: return;
  }
  if (a.kind != AccessKind::atomic) return;
  if (step) {
    const AscendingAddresses lanes(a.address, a.mask);
    const TouchedLines lines(a.address, a.mask, a.bytes);
    u32 sectors = 0;
    for (u32 k = 0; k < lines.count; ++k) sectors += u32(std::popcount(lines.at[k].sectors));
    const bool of_floats = a.instruction && is_float(a.instruction->type);
    step->lines = narrow(lanes.longest_run());
    // Whole numbers in shared memory: a bank takes one lane's at a time. Others are made of rounds of compare-and-swap.
    if (a.space == Space::shared && !of_floats) step->lines = narrow(most_on_a_bank(a.address, a.mask));
    step->sectors = narrow(lane_count(a.mask));
    step->missed_lines = narrow(lines.count);
    if (a.space == Space::global) step->touched = step->lines == 1 && 8 * sectors <= lane_count(a.mask) + 8u;
  }
  if (a.space == Space::global) note_contention(a);
  else if (step && a.instruction && adds_in_a_loop(*a.instruction)) note_additions(a, *warp);
}

void Recorder::note_additions(const Access& a, WarpRecord& warp) {
  Step& step = warp.steps.back();
  step.touched = u32(warp.touched.size());
  for (Mask lanes = a.mask; lanes != 0; lanes &= lanes - 1) {
    const u64 word = kLocalLine + a.address[__builtin_ctz(lanes)];
    const auto first = warp.touched.begin() + step.touched;
    const auto found =
        std::find_if(first, warp.touched.end(), [&](const Touched& t) { return t.line == word; });
    if (found != warp.touched.end()) ++found->words;
    else warp.touched.push_back({.line = word, .words = 1});
  }
  step.lines = narrow(warp.touched.size() - step.touched);
}

void Recorder::note_contention(const Access& a) {
  Contention& contention = record_.contended[a.pc];
  const bool swaps = program_->code[a.pc].op == Op::atom_cas;
  contention.operations += lane_count(a.mask);
  for (Mask lanes = a.mask; lanes != 0; lanes &= lanes - 1) {
    const u64 address = a.address[__builtin_ctz(lanes)];
    if (swaps && is_first_of_warp(a, lanes)) {
      ++contention.first;
      if (contention.first_on.size() < kAddressesKnown || contention.first_on.contains(address))
        ++contention.first_on[address];
    }
    if (const u64 line = address >> kLineShift;
        contention.on_line.size() < kAddressesKnown || contention.on_line.contains(line))
      contention.most_on_line = std::max(contention.most_on_line, ++contention.on_line[line]);
    auto found = contention.on.find(address);
    if (found == contention.on.end()) {
      if (contention.on.size() >= kAddressesKnown) continue;
      found = contention.on.emplace(address, 0).first;
    }
    contention.most = std::max(contention.most, ++found->second);
  }
}

// Words of local memory lie as counting/sectors.h says. The warps that run at the same time have one place each, which the next ones
// use again. So a place stays in the L2 cache unless a warp, with all that run beside it, fills more than the cache holds.
void Recorder::local_access(const Access& a, WarpRecord* warp) {
  constexpr u32 kWordShift = 2, kLanesOfSector = 8;
  std::vector<Touched> lines;
  for (Mask lanes = a.mask; lanes != 0; lanes &= lanes - 1) {
    const u32 lane = u32(__builtin_ctz(lanes));
    for (u64 word = a.address[lane] >> kWordShift; word <= (a.address[lane] + a.bytes - 1) >> kWordShift;
         ++word) {
      const auto found = std::ranges::find(lines, kLocalLine + word, &Touched::line);
      Touched& line = found != lines.end() ? *found : lines.emplace_back(Touched{kLocalLine + word, 0, 0});
      line.sectors |= u8(1u << lane / kLanesOfSector);
    }
  }
  const bool is_store = a.kind == AccessKind::store;
  const CacheUser asking = user(a);
  CachedWarp& self = asking.self();
  for (Touched& line : lines) {
    const auto [used, is_new] = self.local.try_emplace(line.line, 0);
    const bool has_gone =
        is_new ? is_store && spills_from_l2() : l2_.is_replaced(self.filled - used->second, asking.at_once);
    if (has_gone) line.missing = line.sectors;
    if (is_new || has_gone) ++self.filled;
    used->second = self.filled;
  }
  if (!warp) return;
  Step& step = warp->steps.back();
  step.touched = u32(warp->touched.size());
  step.lines = narrow(lines.size());
  const SectorUse use = local_sector_use(a.address, a.mask, a.bytes);
  step.passes = narrow((use.sectors + kSectorsInLine - 1) / kSectorsInLine);
  warp->touched.insert(warp->touched.end(), lines.begin(), lines.end());
}

bool Recorder::spills_from_l2() const {
  return warps_ended_ > 0 && l2_.is_replaced(filled_by_ended_ / warps_ended_, warps_at_once_);
}

CacheUser Recorder::user(const Issue& i) {
  std::vector<CachedWarp>& warps = running_[i.block];
  if (warps.empty()) warps.resize(record_.launch.warps_per_block);
  CacheUser user{i.block, i.warp, &warps, warps_at_once_};
  if (i.block < first_blocks_) user.turn = user.self().accesses;
  return user;
}

void Recorder::pass_barrier(const Issue& i) {
  CachedWarp& self = user(i).self();
  self.at_barrier = self.filled;
  ++self.barriers;
}

void Recorder::note_written(u32 pc, L2Cache::Written written) {
  record_.memory_use[pc].stored += written.sectors;
  record_.memory_use[pc].filled += written.filled;
}

LaunchRecord Recorder::take() {
  l2_.end([&](u32 pc, L2Cache::Written written) { note_written(pc, written); });
  for (BlockRecord& block : record_.blocks) find_first_reads(l2_, program_->code, block);
  for (BlockRecord& block : record_.longest) find_first_reads(l2_, program_->code, block);
  std::ranges::sort(record_.blocks, {},
                    &BlockRecord::index);  // blocks of a cooperative launch end in another order
  return std::move(record_);
}

// A warp that stores to a word again and again, and nothing else between, sends one of them on.
void Recorder::note_store(const Access& a, CachedWarp& warp) {
  const u64 word = a.address[__builtin_ctz(a.mask)] >> 2;
  for (Mask lanes = a.mask; lanes != 0; lanes &= lanes - 1)
    if (a.address[__builtin_ctz(lanes)] >> 2 != word) return;
  const bool is_again = warp.stored_word == word && warp.stored_at + 1 == warp.accesses;
  warp.stored_word = word;
  warp.stored_at = warp.accesses;
  UniformStores& stores = record_.stored[a.pc];
  ++stores.count;
  if (is_again || (stores.on.size() >= kAddressesKnown && !stores.on.contains(word))) return;
  stores.most = std::max(stores.most, ++stores.on[word]);
}

void Recorder::note_on_one(u64 block, const TouchedLines& lines) {
  for (u32 k = 0; k < lines.count; ++k) {
    const u64 number = lines.at[k].line;
    if (record_.on_one.size() >= kLinesKnown && !record_.on_one.contains(number)) continue;
    SharedLine& line = record_.on_one[number];
    if (line.block != block) line.sectors = 0;
    line.block = block;
    for (u32 sector = 0; sector < kSectorsInLine; ++sector) {
      const bool is_first = (lines.at[k].sectors & ~line.sectors) >> sector & 1;
      line.blocks[sector] = narrow(u64(line.blocks[sector]) + is_first);
    }
    line.sectors |= lines.at[k].sectors;
  }
}

void Recorder::cached_access(const Access& a, WarpRecord* warp) {
  const bool is_store = a.kind == AccessKind::store;
  if (!is_store && a.instruction && a.instruction->order != MemoryOrder::weak) ++record_.polls;
  const TouchedLines lines(a.address, a.mask, a.bytes);
  if (!is_store && a.block % record_.multiprocessors == 0) note_on_one(a.block, lines);
  if (warp) {
    warp->steps.back().touched = u32(warp->touched.size());
    warp->steps.back().lines = narrow(lines.count);
    const u32 banks = bank_use(a.address, a.mask, a.bytes, !is_store).wavefronts;
    warp->steps.back().passes = narrow(std::max(banks, cycles_in_l1(lines)));
    warp->steps.back().ideal = u8(sector_use(a.address, a.mask, a.bytes, a.row).ideal);
    warp->steps.back().pages = u8(OpenPages::count(lines));
  }
  MemoryUse& use = record_.memory_use[a.pc];
  const CacheUser asking = user(a);
  ++asking.self().accesses;
  if (is_store) note_store(a, asking.self());
  for (u32 k = 0; k < lines.count; ++k) {
    const TouchedLine& line = lines.at[k];
    u8 missing = use.from_memory * 2 > use.sectors ? line.sectors : u8(0);  // as most of this instruction's
    if (l2_.knows(line.line)) {
      missing = l2_.use(line, is_store, a.pc, asking,
                        [&](u32 pc, L2Cache::Written written) { note_written(pc, written); });
      use.sectors += u32(std::popcount(line.sectors));
      use.from_memory += u32(std::popcount(missing));
    }
    if (is_store) record_.sectors_written += u32(std::popcount(missing));
    if (missing) {
      ++use.lines;
      // A pair of sectors for which the memory opens a page; what is asked of whole lines was measured as such.
      if (lines.count > 1 && std::popcount(missing) <= 2) use.far += pages_.opens(line.line);
    }
    if (warp) warp->touched.push_back({line.line, line.sectors, missing, 0, 0, line.words, asking.turn});
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
