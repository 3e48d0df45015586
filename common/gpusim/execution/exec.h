// Executes warps: one launch's instructions, one warp instruction at a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "execution/device.h"
#include "execution/native_code.h"
#include "execution/warp.h"
#include "lanes/lane_addresses.h"
#include "lanes/lane_ops.h"

namespace gpusim {

// A module as the executor wants it (execution/module.cpp).
struct LoadedModule;

// Reads in a row of what others write, after which they get their turn: who reads waits, it seems.
inline constexpr u32 kSpinReads = 32;

// Warp instructions before other lanes of the warp get their turn: a lane may wait for them.
inline constexpr u64 kFragmentSlice = 1 << 14;

// The turns of a block's warps, one after another.
struct WarpTurns {
  Block& block;
  u64 length;            // warp instructions
  std::size_t next = 0;  // turns that have begun
  u64 left = 0;          // of the latest
  bool ran = false;      // anything, in any of them
};

class Executor {
 public:
  Executor(const Device&, Memory&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const>,
           u64 budget);

  // Prepares block `index` of the grid in `block`, whose buffers are reused.
  void start(Block& block, u64 index);

  // Runs the block until it ends, or waits in vain for memory that other blocks write, or `slice` warp instructions
  // have passed. Throws Fault.
  void run(Block& block, u64 slice);

  // Every warp of the block that can runs for at most `turn` warp instructions. Throws Fault.
  void run_round(Block& block, u64 turn);

  // Lanes that wait for others at the end of a branch go on without them, for it may be they whom the others wait for:
  // independent thread scheduling promises that every lane makes progress. Not those that a mask calls back. True if any.
  bool part_joins(Block&);

  // From now on these are told what happens, and nobody else.
  void listen(std::span<Observer* const>);
  // Between two turns of warps, as soon as so many warp instructions have been executed, calls `then` once.
  void call_after(u64 executed, std::function<void()> then) {
    call_at_ = executed;
    call_ = std::move(then);
  }

  // It is one of several of a launch: what it touches of global memory is noted there, of calls too, and whatever may see, or
  // be seen by, other blocks is thrown as NeedsSerialOrder.
  void note_in(class Footprint& footprint) { footprint_ = &footprint; }

  // What an atomic makes of the bytes at `where`, with operands b and c; *old: what was there. True if that has not changed.
  static bool update(const Instruction&, AtomicFunction, Space, u8* where, u64 b, u64 c, u64* old);

  // Looks for what others do that were in vain, or may be.
  u64 polls() const { return all_polls_; }

  u64 executed() const { return executed_; }
  bool is_native() const { return native_ != nullptr; }  // whether machine code executes the kernel
  // The source line at which a warp of the block is; empty if it has ended.
  std::string place_of(const Block&) const;

  // Kernels that this one has launched: they run when it has ended.
  struct Child {
    const KernelInfo* kernel;
    LaunchConfig config;
    bool is_tail;  // runs after all others
    std::vector<u8> params;
  };
  std::vector<Child> take_children();

  // How often something happened that other threads, or the program, can see: memory was changed, text printed.
  u64 changes() const { return changes_; }

  // A number that stands for all that decides how the blocks go on, apart from memory that they share.
  u64 state_of(std::span<const std::unique_ptr<Block>>) const;
  [[noreturn]] void fault_endless(const Block&, u64 not_started, u64 at_a_time) const;

 private:
  // exec.cpp: control
  // The warp that has its turn now; null: all have had theirs.
  Warp* next_warp(WarpTurns& turns) const {
    const std::size_t count = turns.block.warps.size();
    if (turns.next == count) return nullptr;
    const std::size_t k = turns.next++;
    turns.left = turns.length;
    return &turns.block.warps[schedule_ == Schedule::descending ? count - 1 - k : k];
  }
  bool run_fragments(Warp&, u64& slice, u64 begun);
  std::size_t pick(const Warp&) const;
  // fragment_run.cpp: `begun` instructions of the fragment's turn have been executed.
  class FragmentRun;
  void run_fragment(Warp&, std::size_t index, u64& slice, u64 begun);
  void branch(Warp&, Fragment&, const Instruction&, Mask taken);
  void branch_table(Warp&, Fragment&, const Instruction&);
  void diverge(Warp&, const Fragment&, u32 reconverge, std::span<const std::pair<u32, Mask>> ways);
  void arrive(Warp&, int join, Mask);
  void complete(Warp&, int join);
  bool call(Warp&, Fragment&, const Instruction&);
  Mask same_callee(const Fragment&, const Instruction&, Mask) const;
  const Function& called_by_address(const Warp&, const Fragment&, const Instruction&) const;
  void refuse_overflow(const Warp&, const Fragment&, const Function& callee, u64 local_bytes) const;
  void host_call(Warp&, Fragment&, const CallSite&, u32 number);
  std::string add_child(const struct ChildRequest&);
  void leave_function(Warp&, Fragment&);
  void leave_kernel(Warp&, std::size_t index, Mask);
  void exit_lanes(Warp&, Fragment&, Mask);
  const Fragment* running(const Block&, const Warp** warp = nullptr) const;
  void changed() { ++changes_, polls_ = idle_polls_ = 0, vain_waits_ = 0; }
  void polled() { ++polls_, ++idle_polls_, ++all_polls_; }
  std::optional<u32> jump_of_loop(const Fragment&) const;
  std::string loop_name(const Fragment&) const;
  [[noreturn]] void fault_deadlock(const Block&) const;
  [[noreturn]] void out_of_budget(const Warp&, const Fragment&) const;

  // native_run.cpp
  void begin_native(NativeCompiler*);
  void tell_from_native();
  void look_for_native();
  void set_native(Warp&, Fragment&, u64 most);
  u64 run_native(Warp&, Fragment&, u64 most);
  void set_native_block(Block&);
  bool begin_together(Warp*, WarpTurns&);
  Warp* run_together(WarpTurns&, Warp& first, u64& begun);
  void arrive_together(Warp&, Fragment&, const Instruction&);
  bool take_turn_over(u32 pc, NativeStop);

  // sync.cpp: between lanes and between warps
  bool warp_sync(Warp&, std::size_t index, const Instruction&, Mask);
  Mask same_members(const Fragment&, const Instruction&, Mask) const;
  bool try_warp_sync(Warp&);
  struct SyncLane {
    Frame* frame;
    const Instruction* in;
  };
  void shuffle_warp(Warp&, const Fragment&, const Instruction&, Mask members);
  // exchange.cpp: the effect on the lanes of `mask`. together: all of them stand at the instruction, with one frame.
  class Exchange;
  void exchange(Warp&, u32 pc, const Instruction&, const SyncLane* lane, bool together, Mask mask,
                Mask members);
  bool meet_all(Warp&, Fragment&, const Instruction&);
  void arrive_at_barrier(Warp&, Fragment&, const Instruction&, Mask, bool is_counted = false);
  void check_barrier(Block&, u32 id);
  void release_barrier(Block&, u32 id);

  // mbarriers.cpp: barriers in shared memory
  class MbarrierRun;
  void mbarrier(Warp&, Fragment&, const Instruction&, Mask);
  void arrive_at_mbarrier(Warp&, u32 pc, u32 lane, u64 address, u64 count, bool drops);
  void tell_mbarrier(const Warp&, u32 pc, u32 lane, u64 address, MbarrierStep) const;

  // access.cpp: memory
  void shared_addresses(Warp&, Fragment&, const Instruction&, Mask, u64* address);
  void copy_async(Warp&, Fragment&, const Instruction&, Mask);
  void group_copies(Warp&, const Fragment&, const Instruction&, Mask);
  void wait_for_copies(Warp&, Mask, std::optional<u32> left);
  template <class Ends> bool end_copies(Warp&, bool waits, Ends);
  bool end_copies_for(Block&, u64 barrier);
  void end_arrivals(Warp&);
  Access store_of(const Warp&, const AsyncCopies::Copy&, Mask) const;
  void load_matrices(Warp&, u32 pc, const Instruction&, Frame* const* frame, const Instruction* const* of);
  void load(Warp&, Fragment&, const Instruction&, Mask);
  void store(Warp&, Fragment&, const Instruction&, Mask);
  void atomic(Warp&, Fragment&, const Instruction&, Mask);
  void move_lanes(Warp&, Fragment&, const Instruction&, Mask, AccessKind);
  struct Located;
  bool move_row(const Warp&, const Fragment&, const Instruction&, Mask, AccessKind) const;
  template <class Find, class Move, class TellRow>
  bool move_row(const Warp&, u32 pc, u8* frame, const Instruction&, Mask, AccessKind, Find, Move,
                TellRow) const;
  MemoryAccess access_of(const Warp&, u32 pc, const u8* frame, const Instruction&, Mask, Space,
                         AccessKind) const;
  void tell_access(const Warp&, const Fragment&, const Instruction&, Mask, Space, AccessKind,
                   const u64* address, u32 row) const;
  template <class F> void for_spaces(Warp&, Fragment&, const Instruction&, Mask, AccessKind, F);
  void locate(Warp&, Fragment&, const Instruction&, Mask, Space, AccessKind, Located&);
  const Allocation* find(u32 pc, u64 address) const;
  std::string no_peer_access(AccessKind, u64 address, u32 count) const;
  static void to_register(const Instruction&, u8* frame, u32 k, const Located&, Mask);
  static void from_register(const Instruction&, const u8* frame, u32 k, const Located&, Mask);
  u8* local_bytes(Frame*, u32 lane, u64 address, std::size_t count) const;
  std::string shared_element(u32 address, u32 count) const;
  [[noreturn]] void fault_address(const Warp&, u32 pc, u32 lane, Space, AccessKind, u64 address,
                                  u32 count) const;

  // frames
  Frame* make_frame(Warp&, const Function&);
  Frame* kernel_frame(Warp&);
  // `again`: the frame was the same warp's in another block, so it needs only what differs from block to block.
  void fill_specials(Frame&, const Warp&, bool again = false);
  const std::vector<FrameLine>& image(const Function&);

  const Instruction& instruction(u32 pc) const;
  Issue issue_of(const Warp& w, u32 pc, Mask mask) const { return {pc, mask, w.block->index, w.index}; }
  template <class F> void tell(F f) const {
    for (Observer* o : observers_) f(*o);
  }
  template <class F> void tell_barrier(F f) const {
    for (Observer* o : hear_barriers_) f(*o);
  }
  template <class F> void tell_meeting(F f) const {
    for (Observer* o : hear_meetings_) f(*o);
  }
  void tell_branch(const Warp& w, u32 pc, Mask mask, Mask taken) const {
    for (Observer* o : hear_branches_) o->branch(issue_of(w, pc, mask), taken);
  }
  void tell_issue(const Warp& w, u32 pc, Mask mask) const {
    for (Observer* o : hear_issues_) o->issue(issue_of(w, pc, mask));
  }
  std::vector<std::string> calls_of(const Warp&, u32 lane, u32 pc) const;
  [[noreturn]] void fault(FaultCode, u32 pc, const Warp&, u32 lane, const std::string& what) const;
  Fault fault_at(FaultCode, u32 pc, const Warp&, u32 lane, const std::string& what) const;
  std::string thread_name(const Warp&, u32 lane) const;

  Memory& memory_;
  const Peers* peers_;  // null: there is one GPU
  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const u8* params_;
  Footprint* footprint_ = nullptr;  // null: this one runs all blocks
  // By pc, as an instruction mostly finds the same one again: in this turn of a block, as nothing is freed meanwhile but by itself.
  static constexpr std::size_t kFound = 16;
  mutable const Allocation* last_found_[kFound] = {};
  // By pc: how often it is not asked whether an access is of a row, since the last one was not.
  static constexpr u8 kNotAsked = 15;
  mutable u8 no_row_[kFound] = {};
  void forget_found() { std::ranges::fill(last_found_, nullptr); }
  std::span<Observer* const> observers_;
  std::vector<Observer*> hear_issues_, hear_branches_, hear_barriers_, hear_meetings_, hear_accesses_,
      take_rows_, take_lanes_;
  std::vector<Observer*> take_lanes_and_hear_issues_;
  u64 hear_shared_accesses_ = 0;                      // observers
  std::vector<Observer*> told_branches_, told_rows_;  // of native code's, by it: all but the counters
  const AddressFunction lane_addresses_ = lane_addresses();
  const RowFunction find_row_ = find_row();
  const NativeCode* native_ = nullptr;  // of the kernel; null: there is none
  // Null: nobody is asked for it. Otherwise at which number of executed instructions it is asked next.
  NativeCompiler* compiler_ = nullptr;
  u64 next_look_for_native_ = ~u64(0);
  std::chrono::steady_clock::time_point last_look_;
  LaunchCounters* counters_ = nullptr;  // for native code
  std::optional<NativeCall> native_call_;
  bool rows_are_threads_ = false;                 // a warp's threads follow each other in the block's x
  std::vector<NativeIssues> uncounted_segments_;  // where nobody counts
  std::vector<Counters> uncounted_events_;
  Schedule schedule_;
  u32 first_warps_;  // Settings::first_warps
  const Capacity capacity_;
  std::vector<std::vector<FrameLine>> images_;  // by function: a frame as a call begins
  std::vector<u32> shared_offset_;              // by variable: in this kernel's shared memory
  u64 executed_ = 0, budget_;
  u64 call_at_ = ~u64(0);
  std::function<void()> call_;
  u64 ended_ = 0;  // blocks
  u64 changes_ = 0;
  std::vector<Child> children_;
  // Reads of what other threads write (volatile, atomic …), in the turn of a fragment and in that of a block, since
  // something has changed: who reads and reads gives way to the others.
  u32 polls_ = 0, idle_polls_ = 0;
  bool gave_way_ = false;
  u64 all_polls_ = 0;
  u64 vain_waits_ = 0;  // at barriers in shared memory, since something has changed

  friend class LaneHostCall;
  friend struct NativeSteps;
  friend struct NativeHelpers;
};

}  // namespace gpusim
