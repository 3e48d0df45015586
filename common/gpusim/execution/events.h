// What an observer of a launch is told. The executor emits these and knows no observer; counters, checks and
// traces are observers and know no executor. A launch without observers pays nothing for them.
#pragma once

#include <atomic>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "analysis/launch_info.h"
#include "base/api_call.h"
#include "base/base.h"

namespace gpusim {

struct Instruction;
struct Allocation;  // memory/memory.h

// An access to a GPU's memory by a copy, a fill, a collective or a memory pool, when its stream reaches it.
struct StreamAccess {
  std::string what;  // "a copy from GPU 0 to GPU 1"
  u64 address = 0, bytes = 0;
  bool writes = false;
  LaunchMoment moment;
  const char* verb = nullptr;  // what it does, in a word: "frees"; null: it reads or writes
  ApiCall site = {};           // where the program asks for it
  bool is_kernel = false;      // `what` is its name

  bool overlaps(u64 other, u64 count) const { return other < address + bytes && address < other + count; }
};

// One warp instruction. `pc` indexes Program::code; `mask` holds the lanes that execute it (never empty).
struct Issue {
  u32 pc = 0;
  Mask mask = 0;
  u64 block = 0;  // linear block index in the grid
  u32 warp = 0;   // warp index in the block
};

// A memory access of one warp instruction. Addresses are valid for the lanes of the mask only.
// space is global, shared, local or constant (a generic access has been resolved).
// global: device addresses; shared: bytes from the start of the block's shared memory;
// local: bytes from the start of the thread's local memory.
struct MemoryAccess : Issue {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  u32 bytes = 0;  // per lane: 1, 2, 4, 8 or 16
  const Instruction* instruction = nullptr;
  const u8* frame = nullptr;  // registers, for Access::value()

  u32 element_bytes() const;  // the size of one element that the access moves for a lane
};

// A memory access with an address for each lane.
struct Access : MemoryAccess {
  const u64* address = nullptr;  // [kWarpSize]
  // Known to be a full warp in rows of so many lanes (32, 16 or 8), whose lane l is at the row's first address
  // + l × (address[1] - address[0]). 0: nothing is known.
  u32 row = 0;

  bool is_even() const { return row == kWarpSize; }

  // The value that a lane stores as element k of a vector (0 … instruction->vector − 1). Not for loads.
  const u8* value(u32 lane, u32 k) const;
};

// A load or store in which each active lane l is at first + l × step, without wrapping. Both are multiples of `bytes`.
struct RowAccess : MemoryAccess {
  u64 first = 0, step = 0;

  // Whether the active lanes access consecutive elements of `bytes` bytes, without a gap.
  bool is_gapless() const {
    const Mask lanes = mask >> std::countr_zero(mask);
    return step == bytes && (lanes & (lanes + 1)) == 0;
  }
  u64 begin() const { return first + u32(std::countr_zero(mask)) * step; }

  // The same access, lane by lane. `address`: room for kWarpSize addresses.
  Access of_lanes(u64* address) const {
    for (u32 lane = 0; lane < kWarpSize; ++lane) address[lane] = first + lane * step;
    Access a;
    static_cast<MemoryAccess&>(a) = *this;
    a.address = address;
    a.row = mask == kAllLanes ? kWarpSize : 0;
    return a;
  }
};

// An integer division or remainder by zero: `mask` holds the lanes whose divisor is 0.
struct Division : Issue {
  const Instruction* instruction = nullptr;
  u64 dividend = 0;  // of the lowest of these lanes, sign-extended for signed types
};

// What a lane set waits for or passes.
enum class SyncKind : u8 { block_barrier, warp_barrier, shuffle, vote };

// Which threads know that an asynchronous copy has ended: its own, those that wait at the barrier where it arrives, or both.
enum class CopyEnd : u8 { by_wait, by_barrier, by_both };

enum class MbarrierStep : u8 {
  set_up,         // the barrier is initialised, or invalidated
  arrive,         // the lane arrives
  copies_arrive,  // copies that the lane has issued arrive
  complete,       // the last arrival: the phase is complete
  passed,         // the lane has seen that the phase is complete
};

// What an observer wants to be told, in addition to when launches and blocks begin and end.
struct Interests {
  static constexpr Interests nothing() { return {}; }
  bool issues = false;  // issue() and issue_run()
  bool branches = false;
  bool accesses = false;
  bool rows = false;  // accesses: those that are rows by row_access(), instead of both issue() and access()
  bool barriers = false;   // of the block: sync() of block_barrier, barrier_arrives() and what follows
  bool meetings = false;   // other sync(), shuffled(), fence() and exit()
  bool divisions = false;  // divides_by_zero()
};

// An observer states what it wants to hear, and how it hears blocks that run at the same time: it derives from SerialObserver or
// from Check (checking/check_shards.h), or implements shard(), found_something() and merge_shards()
// itself.
class Observer {
 public:
  virtual ~Observer() = default;
  // Tells observers apart, also those that live one after another at one address.
  u64 number() const { return number_; }
  // Asked when a launch has begun.
  virtual Interests interests() const = 0;
  virtual void launch_begin(const LaunchInfo&) {}
  virtual void launch_end(const LaunchInfo&, bool completed) { (void)completed; }
  // The launch runs or continues unheard: the sampler (execution/launch_sampler.h) has left this observer out. It hears nothing
  // of the launch from here on, not even its end, and memory may change meanwhile.
  virtual void launch_unheard(const LaunchInfo&) {}
  virtual void block_begin(u64 block) { (void)block; }
  virtual void block_end(u64 block) { (void)block; }
  // Every warp instruction, before its effect and before its more specific events.
  virtual void issue(const Issue&) {}
  // The same for a whole straight run (analysis/straight.h): `count` warp instructions from i.pc on, executed by the same lanes,
  // none with an event of its own. Comes before the first takes effect. The default calls issue() for each.
  virtual void issue_run(const Issue& i, u32 count) {
    for (Issue each = i; each.pc < i.pc + count; ++each.pc) issue(each);
  }
  // A conditional branch; `taken` is the subset of mask that jumps.
  virtual void branch(const Issue&, Mask taken) { (void)taken; }
  virtual void access(const Access&) {}
  // Comes before the division has a result.
  virtual void divides_by_zero(const Division&) {}
  // The same of a row (Interests::rows), without a look at each lane.
  virtual void row_access(const RowAccess& a) {
    u64 address[kWarpSize];
    access(a.of_lanes(address));
  }
  // An asynchronous copy into shared memory begins. The access is a store that may take effect at any time until copy_arrives().
  // (Its read of global memory was a separate access of the same instruction.)
  virtual void copy_begins(const Access&) {}
  // The lanes of the mask have waited for the copy, or have left: their bytes now count as if the lanes had just stored them.
  virtual void copy_arrives(const Access&, CopyEnd) {}
  // What one lane does to a barrier in shared memory (mbarrier), whose address is the access's.
  virtual void mbarrier(const Access&, MbarrierStep) {}
  // Lanes arrive at a synchronisation. For warp_barrier, shuffle and vote, `members` is the mask operand and the
  // event comes when it takes effect; for block_barrier it comes on arrival, `members` being the arriving lanes.
  virtual void sync(const Issue&, SyncKind, Mask members) { (void)members; }
  // The same, of lanes at barrier `id` of the block. Those that do not wait only tell what they have done.
  virtual void barrier_arrives(const Issue&, u32 id, bool waits) { (void)id, (void)waits; }
  // All threads of the block have passed barrier `id`.
  virtual void barrier_complete(u64 block, u32 id) { (void)block, (void)id; }
  // Instead, where the barrier was for some of them (bar.sync with a number of threads, bar.arrive).
  virtual void barrier_partly_complete(u64 block, u32 id) { barrier_complete(block, id); }
  // A shuffle took effect: lane l of i.mask got the value of lane from[l]; `here` are the lanes that took part.
  virtual void shuffled(const Issue& i, Mask members, Mask here, const u32* from) {
    (void)i, (void)members, (void)here, (void)from;
  }
  // The kernel depends on, or changes, more than these events show: it reads a clock or a texture, prints, allocates, or calls a
  // host function that reads or writes global memory.
  virtual void unseen() {}

  // A launch with the same result as an earlier one need not run again (launch/replay.h). Returns whether this observer can
  // receive such a launch as a whole. If any observer cannot, the launch runs.
  virtual bool hears_replays() const { return false; }
  // What the observer has concluded about a launch that has just ended, if LaunchInfo::is_recorded holds.
  virtual std::shared_ptr<const void> conclusion() const { return nullptr; }
  // Replaces all events of a launch whose result is that of an earlier one, with the conclusion about the earlier one.
  virtual void replayed(const LaunchInfo&, const std::shared_ptr<const void>& conclusion) {
    (void)conclusion;
  }

  // Outside launches: what the host does to memory that kernels see. Copies and fills of the runtime API.
  virtual void allocated(const Allocation&) {}
  virtual void freed(const Allocation&) {}
  virtual void host_wrote(u64 address, std::size_t bytes) { (void)address, (void)bytes; }
  // The host receives bytes by a copy, or reads them in a library call. `what` names the reader: "cudaMemcpy to the host".
  virtual void host_read(u64 address, std::size_t bytes, const char* what) {
    (void)address, (void)bytes, (void)what;
  }
  // Called if work in streams may overlap. With several GPUs, also while kernels run that wait.
  virtual void in_stream(const StreamAccess&) {}
  // A fence, after its issue.
  virtual void fence(const Issue&) {}
  // Lanes leave the kernel.
  virtual void exit(const Issue&) {}

  // For launches whose blocks `of` host threads run at the same time (launch/parallel_launch.h): the observer of
  // the blocks that thread k runs, from launch_begin to launch_end. It lives as long as this observer, and the
  // next launch uses it again. Null: this one must be told of all blocks, one after another, so no launch that
  // it observes runs on several host threads.
  virtual Observer* shard(u32 k, u32 of) = 0;
  // Whether shard k has found something that this observer must report, so that it has to hear the whole launch.
  // Called between blocks, and after the shard's launch_end.
  virtual bool found_something(u32 k) const = 0;
  // The shards 0 … count - 1 have heard of all blocks to their launch_end, none has found anything, and no block
  // has touched what another has written. This observer's launch_end comes next.
  virtual void merge_shards(u32 count) = 0;

 private:
  static inline std::atomic<u64> made_ = 0;
  u64 number_ = ++made_;
};

// One that must be told of all blocks one after another, and so keeps every launch that it observes on one host
// thread.
class SerialObserver : public Observer {
 public:
  Observer* shard(u32, u32) final { return nullptr; }
  bool found_something(u32) const final { return false; }
  void merge_shards(u32) final {}
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
