// Reads of memory that nothing has written: global memory since it was allocated, shared memory since the block
// began, the arrays of a thread since it began. Atomics read as well, except for an exchange whose result is not
// used: that is a store. The host's copies and fills write; so does a kernel's store.
//
// Known to be written: variables of the program (they begin as zeros), pinned and managed memory (the host writes
// there unseen), and what was allocated before the check was attached. A copy from device to device counts as a
// write of all its bytes.
#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "analysis/computed_with.h"
#include "analysis/parameters.h"
#include "base/position_text.h"
#include "checking/check_shards.h"
#include "checking/checks.h"
#include "checking/private_arrays.h"
#include "checking/races/resident_blocks.h"
#include "checking/races/shared_use.h"
#include "checking/written_bits.h"
#include "checking/written_memory.h"
#include "counting/store_pattern.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

constexpr std::size_t kMostStores = 16;  // store instructions that are watched for one piece of memory

struct SharedBytes {  // of a running block
  WrittenBits written;
  std::vector<StorePattern> stores;
  void begin(const LaunchInfo& launch) {
    written.reset(launch.static_shared_bytes + launch.dynamic_shared_bytes);
    stores.clear();
  }
};

// Stores of one instruction of one launch into an allocation.
struct LaunchStores {
  StorePattern pattern;
  u64 launch;
  Place place;
  std::string kernel;
  Dim3 grid, block;
  u64 first_block;  // that has stored
};

class MemoryCheck final : public Check<MemoryCheck> {
 public:
  MemoryCheck(const Memory& memory, Findings& findings)
      : Check(findings), memory_(memory), findings_(findings), of_host_(findings) {}
  MemoryCheck(const MemoryCheck& first, const Memory& memory, Findings& findings)
      : Check(findings), memory_(memory), known_(first.known_), findings_(findings), of_host_(findings) {}
  // A shard of `whole`.
  MemoryCheck(Findings& findings, const MemoryCheck& whole)
      : Check(findings),
        memory_(whole.memory_),
        before_(whole.known_.get()),
        findings_(findings),
        of_host_(findings) {}

  void launch_begin(const LaunchInfo&) override;
  void launch_end(const LaunchInfo&, bool completed) override;
  void launch_unheard(const LaunchInfo&) override;
  void block_begin(u64 block) override {
    shared_.begin(launch_, block);
    private_.block_begin(block);
  }
  void block_end(u64 block) override {
    shared_.end(block);
    private_.block_end(block);
  }
  Interests interests() const override { return {.accesses = true, .rows = true}; }
  void access(const Access&) override;
  void row_access(const RowAccess&) override;
  void copy_arrives(const Access& a, CopyEnd) override { shared_access(a); }
  void allocated(const Allocation&) override;
  void freed(const Allocation& a) override {
    known_->fresh.erase(a.base);
    known_->last = nullptr;
  }
  void host_wrote(u64 address, std::size_t bytes) override;
  void host_read(u64 address, std::size_t bytes, const char* what) override;
  std::unique_ptr<MemoryCheck> make_shard(u32, Findings& findings) override {
    return std::make_unique<MemoryCheck>(findings, *this);
  }
  void merge(const std::vector<MemoryCheck*>& shards) override;

 private:
  struct Fresh {  // an allocation
    Allocation allocation;
    WrittenBits written;
    std::vector<LaunchStores> stores;
    bool is_told = false;           // that the host has read some of it
    const Fresh* before = nullptr;  // of a shard: what the whole knew when the launch began
  };
  Fresh* find(u64 address);
  void touch_row(const RowAccess&);
  void shared_access(const Access&);
  void private_access(const Access&);
  void global_access(const Access&);
  // Whether a lane's bytes at `at` are in `bytes`, or were written `before`; false: the lane reads what was never written.
  static bool touch(WrittenBits& bytes, const Access&, u64 at, const WrittenBits* before = nullptr);
  static StorePattern* pattern_of(SharedBytes&, u32 pc);  // null: too many are watched already
  StorePattern* pattern_of(Fresh&, const Issue&);
  // Of the launch, or of the block where the memory is shared: the first lane that takes part.
  u64 first_thread(const RowAccess& a) const {
    const u64 of_block = a.warp * kWarpSize + u32(std::countr_zero(a.mask));
    return a.space == Space::shared ? of_block : a.block * launch_.block.count() + of_block;
  }
  bool only_stores(const Access&) const;
  bool only_moves_gaps(const WrittenBits&, const Access&, u64 at, const WrittenBits* before = nullptr);
  Finding finding(const Access&, u32 lane, const std::string& what, const char* advice) const;
  Finding finding_of_store(const Access&, u32 lane, const Place& store, const std::string& who,
                           const std::string& what, const char* kind) const;

  const Memory& memory_;
  LaunchInfo launch_;
  struct Known {                 // GPUs of one process know the same
    std::map<u64, Fresh> fresh;  // by address; those that were not completely written before the launch
    Fresh* last = nullptr;
  };
  std::shared_ptr<Known> known_ = std::make_shared<Known>();
  const Known* before_ = nullptr;  // of a shard: what the whole knows
  ResidentBlocks<SharedBytes> shared_;
  PrivateArrays private_;
  std::unordered_map<u32, bool> is_computed_with_;  // loads of what is partly written, by pc
  RepeatedFindings findings_;
  Findings& of_host_;  // told outside launches
};

void MemoryCheck::allocated(const Allocation& a) {
  if (a.kind != MemoryKind::device || a.size == 0) return;
  Fresh& fresh = known_->fresh[a.base];
  fresh.allocation = a;
  fresh.written.reset(a.size);
  known_->last = nullptr;
}

MemoryCheck::Fresh* MemoryCheck::find(u64 address) {
  if (known_->last && address - known_->last->allocation.base < known_->last->allocation.size)
    return known_->last;
  const auto holding = [address](auto& of) -> decltype(&of.begin()->second) {
    const auto after = of.upper_bound(address);
    if (after == of.begin()) return nullptr;
    auto& fresh = std::prev(after)->second;
    return address - fresh.allocation.base < fresh.allocation.size ? &fresh : nullptr;
  };
  Fresh* found = holding(known_->fresh);
  if (const Fresh* const before = !found && before_ ? holding(before_->fresh) : nullptr) {
    found = &known_->fresh[before->allocation.base];
    found->allocation = before->allocation;
    found->written.reset(before->allocation.size);
    found->before = before;
  }
  if (found) known_->last = found;
  return found;
}

void MemoryCheck::host_wrote(u64 address, std::size_t bytes) {
  Fresh* fresh = find(address);
  if (!fresh) return;
  fresh->written.add_range(address - fresh->allocation.base, bytes);
  if (fresh->written.is_complete()) known_->fresh.erase(fresh->allocation.base), known_->last = nullptr;
}

// A warning: the host may never look at these bytes.
void MemoryCheck::host_read(u64 address, std::size_t bytes, const char* what) {
  Fresh* const fresh = find(address);
  if (!fresh || fresh->is_told) return;
  const u64 at = address - fresh->allocation.base;
  u64 first = 0;
  const u64 missing = fresh->written.count_missing(at, bytes, &first);
  if (missing == 0) return;
  fresh->is_told = true;
  Finding f;
  f.check = "never written";
  f.severity = Severity::warning;
  const std::string unwritten = missing == bytes ? " that were never written"
                                : missing == 1
                                    ? ", of which 1 was never written"
                                    : ", of which " + std::to_string(missing) + " were never written";
  f.message = std::string(what) + " reads " + bytes_name(bytes) + unwritten + "; the first is at offset " +
              std::to_string(first) + " of an allocation of " + bytes_name(fresh->allocation.size);
  if (fresh->stores.empty()) {
    f.message += ". No kernel has stored to it: initialise it, or copy only the part that is used";
  } else {
    const LaunchStores& last = fresh->stores.back();
    f.place = last.place;
    f.kernel = last.kernel;
    f.message += "; the others are stored here, by a grid of " + extent_text(last.grid) + " blocks of " +
                 extent_text(last.block) +
                 " threads: does the grid cover all elements? If the host does not use the rest, copy less";
  }
  of_host_.report(std::move(f));
}

void MemoryCheck::launch_begin(const LaunchInfo& launch) {
  launch_ = launch;
  is_computed_with_.clear();
  shared_.clear();
  private_.launch_begin(launch);
  if (before_) *known_ = {};
}

// Patterns in the order in which they would have been met: by the first block that stored.
void MemoryCheck::merge(const std::vector<MemoryCheck*>& shards) {
  struct Met {
    u64 block;
    Fresh* fresh;
    const LaunchStores* stores;
  };
  std::vector<Met> met;
  for (const MemoryCheck* shard : shards)
    for (const auto& [base, part] : shard->known_->fresh) {
      Fresh& fresh = known_->fresh.at(base);
      fresh.written.add(part.written);
      for (const LaunchStores& stores : part.stores) met.push_back({stores.first_block, &fresh, &stores});
    }
  std::ranges::stable_sort(met, {}, &Met::block);
  for (const Met& each : met) {
    std::vector<LaunchStores>& known = each.fresh->stores;
    const auto same = std::ranges::find_if(known, [&](const LaunchStores& s) {
      return s.pattern.pc() == each.stores->pattern.pc() && s.launch == each.stores->launch;
    });
    if (same != known.end()) same->pattern.add(each.stores->pattern);
    else if (known.size() < kMostStores) known.push_back(*each.stores);
  }
}

void MemoryCheck::launch_end(const LaunchInfo&, bool) {
  findings_.flush();
  known_->last = nullptr;
  if (before_) return;
  std::erase_if(known_->fresh, [](const auto& entry) { return entry.second.written.is_complete(); });
}

// What it may write counts as written from here on.
void MemoryCheck::launch_unheard(const LaunchInfo& launch) {
  if (known_->fresh.empty()) return;
  const WrittenMemory written(launch, memory_);
  std::erase_if(known_->fresh, [&](const auto& entry) { return written.may_hold(entry.second.allocation); });
  known_->last = nullptr;
}

void MemoryCheck::access(const Access& a) {
  if (a.space == Space::shared) shared_access(a);
  else if (a.space == Space::local) private_access(a);
  else if (a.space == Space::global && !(before_ ? before_ : known_.get())->fresh.empty()) global_access(a);
}

void MemoryCheck::row_access(const RowAccess& a) {
  if (a.space == Space::shared) {
    const SharedBytes* const block = shared_.find(a.block);
    if (!block || block->written.is_complete()) return;  // mostly
  }
  touch_row(a);
}

// Stores of neighbours, and loads of what has been written, need no look at each lane. (Shared memory is that of a running block.)
[[gnu::noinline]] void MemoryCheck::touch_row(const RowAccess& a) {
  const bool is_store = a.kind == AccessKind::store;
  const auto is_done = [&](WrittenBits& written, const WrittenBits* before, u64 base, auto pattern_of) {
    if (written.is_complete() || (before && before->is_complete())) return true;
    if (before || !a.is_gapless()) return false;
    const u64 bytes = u64(lane_count(a.mask)) * a.bytes;
    if (!is_store) return written.has_range(a.begin() - base, bytes);
    if (StorePattern* const pattern = pattern_of())
      pattern->add_row(first_thread(a), a.begin(), a.step, lane_count(a.mask));
    written.add_range(a.begin() - base, bytes);
    written.note_element(a.element_bytes());
    return true;
  };
  if (a.space == Space::shared) {
    SharedBytes& block = *shared_.find(a.block);
    if (is_done(block.written, nullptr, 0, [&] { return pattern_of(block, a.pc); })) return;
  } else if (a.space == Space::global) {
    if ((before_ ? before_ : known_.get())->fresh.empty()) return;
    Fresh* const fresh = find(a.begin());
    if (fresh && a.first - fresh->allocation.base < fresh->allocation.size &&
        is_done(
            fresh->written, fresh->before ? &fresh->before->written : nullptr, fresh->allocation.base,
            [&] { return pattern_of(*fresh, a); }))
      return;
  }
  Observer::row_access(a);
}

bool MemoryCheck::touch(WrittenBits& bytes, const Access& a, u64 at, const WrittenBits* before) {
  const bool known = a.kind == AccessKind::store ||
                     (bytes.missing(at, a.bytes) & (before ? before->missing(at, a.bytes) : ~u64(0))) == 0;
  if (a.kind != AccessKind::load) {
    bytes.add(at, a.bytes);
    bytes.note_element(a.element_bytes());
  }
  return known;
}

// Whether it copies a struct with the gaps between its members.
[[gnu::cold]] bool MemoryCheck::only_moves_gaps(const WrittenBits& bytes, const Access& a, u64 at,
                                                const WrittenBits* before) {
  if (a.kind != AccessKind::load || bytes.missing_beside_gaps(at, a.bytes, before) != 0) return false;
  const auto [known, is_new] = is_computed_with_.try_emplace(a.pc);
  if (is_new) known->second = launch_.program && is_computed_with(*launch_.program, a.pc);
  return !known->second;
}

// Whether it is an exchange (PTX has no reduction that exchanges) whose result no instruction of its function reads.
[[gnu::cold]] bool MemoryCheck::only_stores(const Access& a) const {
  if (a.kind != AccessKind::atomic || !a.instruction || a.instruction->op != Op::atom_exch) return false;
  const FrameOffset result = a.instruction->d[0];
  if (result == kNoOperand) return true;
  const Program& program = *launch_.program;
  const auto holds = [&](const Function& f) { return f.begin <= a.pc && a.pc < f.end; };
  const Function& f = *std::ranges::find_if(program.functions, holds);
  return std::none_of(
      program.code.begin() + f.begin, program.code.begin() + f.end, [&](const Instruction& other) {
        return other.guard == result || std::ranges::find(other.s, result) != std::end(other.s);
      });
}

void MemoryCheck::shared_access(const Access& a) {
  SharedBytes* block = shared_.find(a.block);
  if (!block || block->written.is_complete()) return;
  StorePattern* const pattern = a.kind == AccessKind::load ? nullptr : pattern_of(*block, a.pc);
  for_each_lane(a.mask, [&](u32 lane) {
    const u64 at = a.address[lane];
    const bool known = touch(block->written, a, at);
    if (pattern) pattern->add(a.warp * kWarpSize + lane, at);
    if (known || only_stores(a) || only_moves_gaps(block->written, a, at)) return;
    findings_.report(u32(Space::shared), a.pc, 0, [&] {
      const std::string what = shared_name(launch_, at, a.bytes);
      for (const StorePattern& store : block->stores)
        if (const auto writer = store.writer_of(at, launch_.block.count());
            writer && *writer != a.warp * kWarpSize + lane)
          return finding_of_store(a, lane, place_of(*launch_.program, store.pc()),
                                  block_name(launch_, a.block) + ", " + thread_name(launch_, u32(*writer)),
                                  what, "thread");
      return finding(a, lane, what + ", which no thread of the block has written",
                     "store there first, with __syncthreads() between storing and reading");
    });
  });
}

void MemoryCheck::private_access(const Access& a) {
  private_.touch(a, [&](u32 lane) {
    findings_.report(u32(Space::local), a.pc, 0, [&] {
      return finding(a, lane, bytes_name(a.bytes) + " of an array of its own, which it has not written",
                     "give the array values before its elements are read or added to");
    });
  });
}

StorePattern* MemoryCheck::pattern_of(SharedBytes& block, u32 pc) {
  auto known = std::ranges::find(block.stores, pc, &StorePattern::pc);
  if (known == block.stores.end()) {
    if (block.stores.size() == kMostStores) return nullptr;
    known = block.stores.insert(known, StorePattern(pc));
  }
  return &*known;
}

StorePattern* MemoryCheck::pattern_of(Fresh& fresh, const Issue& a) {
  for (LaunchStores& s : fresh.stores)
    if (s.pattern.pc() == a.pc && s.launch == launch_.number) return &s.pattern;
  if (fresh.stores.size() == kMostStores) return nullptr;
  fresh.stores.push_back({StorePattern(a.pc), launch_.number, place_of(*launch_.program, a.pc),
                          launch_.kernel->pretty_name, launch_.grid, launch_.block, a.block});
  return &fresh.stores.back().pattern;
}

void MemoryCheck::global_access(const Access& a) {
  for_each_lane(a.mask, [&](u32 lane) {
    const u64 address = a.address[lane], thread = a.block * launch_.block.count() + a.warp * kWarpSize + lane;
    Fresh* fresh = find(address);
    if (!fresh || fresh->written.is_complete()) return;
    const WrittenBits* const before = fresh->before ? &fresh->before->written : nullptr;
    if (before && before->is_complete()) return;
    if (a.kind != AccessKind::load)
      if (StorePattern* pattern = pattern_of(*fresh, a)) pattern->add(thread, address);
    const u64 at = address - fresh->allocation.base;
    if (touch(fresh->written, a, at, before) || only_stores(a) ||
        only_moves_gaps(fresh->written, a, at, before))
      return;
    findings_.report(u32(Space::global), a.pc, 0, [&] {
      const std::string what = global_name(launch_, fresh->allocation, address, a.bytes, a.kind);
      for (const LaunchStores& store : fresh->stores) {
        const u64 threads = store.block.count();
        const auto writer = store.pattern.writer_of(address, store.grid.count() * threads);
        if (!writer || (store.launch == launch_.number && *writer == thread)) continue;
        LaunchInfo launch;  // for names
        launch.grid = store.grid;
        launch.block = store.block;
        const bool one_of_block = store.pattern.is_one_of(threads);
        std::string who = block_name(launch, *writer / threads);
        if (!one_of_block) who += ", " + thread_name(launch, u32(*writer % threads));
        if (store.kernel != launch_.kernel->pretty_name) who += " of " + store.kernel;
        return finding_of_store(a, lane, store.place, who, what, one_of_block ? "block" : "thread");
      }
      return finding(a, lane, what + " that nothing has written",
                     "initialise it (cudaMemset, cudaMemcpy, or store before reading)");
    });
  });
}

Finding MemoryCheck::finding_of_store(const Access& a, u32 lane, const Place& store, const std::string& who,
                                      const std::string& what, const char* kind) const {
  Finding f;
  f.check = "never written";
  f.place = store;
  f.other = place_of(*launch_.program, a.pc);
  f.kernel = launch_.kernel->pretty_name;
  f.message =
      who + " had not stored to " + what + " when " + block_name(launch_, a.block) + ", " +
      thread_name(launch_, a.warp * kWarpSize + lane) + " read it; a " + kind +
      " without work must store a value as well (0 for a sum), and one with work must store before it is read";
  return f;
}

Finding MemoryCheck::finding(const Access& a, u32 lane, const std::string& what, const char* advice) const {
  Finding f;
  f.check = "never written";
  f.place = place_of(*launch_.program, a.pc);
  f.kernel = launch_.kernel->pretty_name;
  f.message = block_name(launch_, a.block) + ", " + thread_name(launch_, a.warp * kWarpSize + lane) +
              " reads " + what + ": " + advice;
  return f;
}

}  // namespace

std::unique_ptr<Observer> make_memory_check(const Memory& memory, Findings& findings) {
  return std::make_unique<MemoryCheck>(memory, findings);
}

std::unique_ptr<Observer> make_memory_check_beside(Observer& first, const Memory& memory, u32,
                                                   Findings& findings) {
  return std::make_unique<MemoryCheck>(static_cast<const MemoryCheck&>(first), memory, findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
