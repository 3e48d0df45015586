// Which of two accesses of one launch comes first by the program's own synchronisation, whatever the schedule.
//
// Access a of thread s is ordered before access b of thread t if
//   they are the same thread; or one block, and a block barrier lies between; or one warp, and a chain of
//   __syncwarp lies between whose masks lead from s to t; or a is *published* and b comes after its *acquisition*:
//     s executes a fence after a and then an atomic or a volatile store on some word of global memory;
//     t reads that word by an atomic or a volatile load, then executes a fence, then b.
//   A barrier (in a warp: __syncwarp) may stand anywhere between, and another thread may execute what follows it.
//   .release in place of fence and store, .acquire in place of load and fence, do the same.
//
//   block 0                              block 1
//     result = 7;              a           while (*volatile_flag == 0);
//     __threadfence();                     __threadfence();
//     *volatile_flag = 1;                  use(result);              b
//
// That is the PTX memory model's release pattern, seen by an acquire pattern; either fence alone orders nothing. Fences
// have a scope: __threadfence_block() counts for threads of one block. One leave is given, because NVIDIA's own
// last-block sums take it (CUDA samples, threadFenceReduction): where an atomic read-modify-write takes the place of
// the load, __syncthreads() will do for the reader's fence.
//
// The order of events here is one that a GPU might take; what is unordered here may come the other way there.
// Where this is not exact it says "ordered", so that no right kernel is accused: an acquisition counts for all lanes
// of the warp, a fence of a lane for all lanes that it has met before by __syncwarp, a barrier of some warps as one of
// the block.
#pragma once

#include <array>
#include <memory>

#include "checking/races/release_graph.h"
#include "checking/races/resident_blocks.h"

namespace gpusim {

class HappensBefore {
 public:
  HappensBefore();
  ~HappensBefore();  // where Block is known

  void launch_begin(const LaunchInfo&);
  // Where several GPUs share memory, their launches overlap: each has a `number`, and begins knowing something. What its
  // blocks knew in the end, launch_end() gives. forget() after what nobody will ask for.
  using KnownClock = ReleaseGraph::KnownClock;
  void forget();
  void launch_begin(const LaunchInfo&, u32 number, KnownClock);
  KnownClock launch_end(u32 gpu);
  KnownClock both(KnownClock, KnownClock);

  void block_begin(const LaunchInfo&, u64 block);
  void block_end(u64 block);
  void barrier(u64 block);
  void warp_barrier(const Issue&, Mask members);
  void fence(const Issue&, Scope);
  // An atomic or an access stronger than weak, to global memory: it publishes, acquires or both.
  void strong_access(const Access&, Scope);

  Time tick() { return ++now_; }
  Time now() const { return now_; }
  void restart_clock() { now_ = 0; }

  // Whether what `earlier` did at `then` is ordered before what `later`, a thread of a running block, does now.
  bool ordered(Time then, ThreadId earlier, ThreadId later);

  // Whether `later` has acquired what `earlier` published by its access to `address` at `then`. Formally that orders what
  // precedes the fence and not the flag itself, but a plain read of the flag can no longer see an older value.
  bool has_acquired(Time then, ThreadId earlier, ThreadId later, u64 address);

  // The same for what comes when all this is known.
  bool is_known(KnownClock, Time then, ThreadId earlier);

  // The launches that `later` has heard of through flags. It comes after everything that they come after.
  const std::vector<u32>& heard_of(ThreadId later);

  // Why a message orders nothing, and the instruction at which it fails. With one GPU, only the reader's side is known, and a
  // fence of the writer whose scope is too small, or which came before others of its block had waited for the writer.
  struct Gap {
    enum Kind {
      silence,         // there was none
      reader_fence,    // none between reading the flag (pc) and this
      reader_scope,    // that fence (pc) does not reach the other GPU
      writer_fence,    // none before setting the flag (pc)
      writer_barrier,  // there was a fence (pc), but of a thread that had not waited for that which wrote
      writer_scope,    // that fence (pc) does not reach the other GPU
      flag_scope,      // the flag (pc) itself does not
      too_early,       // the flag was set (pc) before that write, by its thread or with a barrier between
      other_warp,      // it told another warp of the reader's block, which the reader has not waited for
    } kind = silence;
    u32 pc = 0;
    Flag flag = {};
    u32 flag_pc = 0;  // of writer_scope: what set the flag
  };
  Gap gap(Time then, ThreadId earlier, ThreadId later);

 private:
  struct WarpFences;
  struct Read;
  struct WarpOrder;
  struct Block;
  Block& block(u64 index);  // a running one
  void acquire(Block&, u32 warp, ReleaseGraph::KnownClock);
  void publish(Block&, const Access&, u32 lane, bool releases, Scope);

  Time now_ = 0;
  bool fences_ = false;  // in this launch
  bool is_of_several_ = false;
  struct Launch {
    u32 number = 0;
    KnownClock at_begin = 0, known = 0;
  };
  std::array<Launch, 1u << kGpuBits> launches_;  // by GPU
  std::unique_ptr<ResidentBlocks<Block>> running_;
  ReleaseGraph release_graph_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
