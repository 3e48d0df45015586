// The part of a simulated GPU that runs kernels: memory, modules, launches. (gpu.h: the whole.)
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/launch_info.h"
#include "base/base.h"
#include "execution/launch_sampler.h"
#include "gpusim/schedule.h"
#include "memory/memory.h"
#include "memory/peers.h"
#include "ptx/kernel_info.h"

namespace gpusim {

class Observer;  // execution/events.h

// Limits that differ between GPUs. The defaults are those of compute capability 8.0; GPUSIM_MACHINE selects another GPU.
struct Capacity {
  u32 multiprocessors = 108;
  u32 threads = 2048, blocks = 32, registers = 65536;  // per multiprocessor
  u32 shared_bytes = 164 * 1024;
  u32 shared_bytes_of_block = 163 * 1024;  // after cudaFuncSetAttribute
  u32 shared_bytes_reserved() const { return shared_bytes - shared_bytes_of_block; }
  bool operator==(const Capacity&) const = default;
};

// How many blocks are resident on a multiprocessor, limited by threads, shared memory and the number of blocks; 0: one is too large.
u32 blocks_per_sm(const Capacity&, u64 threads, u64 shared_bytes);

// How a kernel can fail. The values are those of the cudaError_t that a GPU returns.
enum class FaultCode : int {
  illegal_address = 700,
  timeout = 702,  // deadlocked, or it does not end
  assertion = 710,
  misaligned_address = 716,
  launch_failure = 719,
};
struct Fault {
  FaultCode code = FaultCode::launch_failure;
  std::string
      message;  // one line: file:line:column, what happened, which thread, and the calls that led there
  std::vector<std::string> called_at =
      {};                   // file:line:column of the calls that led there, the innermost first
  bool never_ends = false;  // the kernel waits for something that no thread does
};

class Module {
 public:
  virtual ~Module() = default;
  virtual const Program& program() const = 0;
  virtual const KernelInfo* kernel(std::string_view mangled_name) const = 0;
  struct Variable {
    std::string name;
    u64 address = 0;  // __device__ and __constant__ variables live in Memory
    std::size_t size = 0;
  };
  virtual const Variable* variable(std::string_view name) const = 0;
};

struct LaunchConfig {
  Dim3 grid, block;
  u32 dynamic_shared_bytes = 0;
  const LaunchMoment* moment = nullptr;  // LaunchInfo::moment
};

// Whether other GPUs may change the memory that a grid waits for. none: there are no others; busy: they run; idle: they seem to wait
// themselves; stuck: they certainly wait.
enum class PeerState : u8 { none, busy, idle, stuck };
// ended: all blocks have ended; pauses: the turn is over; waits: every running block waits for another GPU.
enum class RunState : u8 { ended, pauses, waits };

class RunningLaunch;  // launch/launch.h

// (Programs include this header, so it is limited to C++17.)
inline bool operator==(const Turns& a, const Turns& b) {
  return a.lengths == b.lengths && a.resident_blocks == b.resident_blocks;
}

// What programs and tests set for every GPU of a process.
struct Settings {
  Capacity capacity;

  // If not empty, only these blocks run (gpusim/chosen_blocks.h).
  std::vector<u64> chosen_blocks;
  u64 most_blocks = 0;  // at most this many blocks of a grid run; 0: all of them
  u32 first_warps = 0;  // only the first warps of each block run; 0: all of them

  // The order of lanes, warps and blocks, and when a launch is stopped (gpusim/schedule.h).
  Schedule schedule = Schedule::lockstep;
  StartOrder start_order = StartOrder::first_to_last;
  Turns turns;
  struct Budget {
    u64 all, for_each_warp;
    bool operator==(const Budget&) const = default;
    u64 of(u64 warps) const {  // a huge grid gets some time for each of its warps
      return std::max(all, all + for_each_warp * std::min(warps, u64(1) << 44));
    }
  };
  Budget budget = {u64(1) << 33, u64(1) << 16};
  double processor_seconds = 0;  // of this process, after which launches are stopped; 0: never

  // If not null, called now and then while a kernel runs: other processes learn that this one is busy.
  void (*still_runs)() = nullptr;

  // How many threads of the host run blocks at the same time, where that changes no result (launch/parallel_launch.h).
  static constexpr u32 kMostHostThreads = 256;
  // Unless the user asks for more: a container may own only a few of the cores that it sees.
  static constexpr u32 kUsualHostThreads = 16;
  u32 host_threads = 1;
  u64 fewest_shared_warps = 512;  // a smaller grid ends before more threads have started
  bool replay = false;            // launches whose result is known are not run again (launch/replay.h)

  bool operator==(const Settings&) const = default;
};

class Device : public Settings {
 public:
  // `number`: which GPU of the process this is.
  explicit Device(u32 number = 0) : memory(number), number(number) {}

  Memory memory;
  const u32 number;
  const Peers* peers = nullptr;  // the other GPUs of the process

  // Parses PTX text and places its variables in memory. A module with an unsupported instruction loads; its
  // kernel cannot be launched. Malformed text: null, and *error says where and what ("ptx line 12: …").
  std::unique_ptr<Module> load(std::string_view ptx, std::string* error);

  // Runs a kernel to its end. `params` holds kernel.param_bytes bytes laid out by KernelInfo::params.
  // The caller has checked the launch limits. Returns the fault that stopped it, if any.
  std::optional<Fault> launch(const Module&, const KernelInfo&, const LaunchConfig&, const u8* params);
  // The same launch, to be run in turns. Only one may exist at a time.
  std::unique_ptr<RunningLaunch> begin(const Module&, const KernelInfo&, const LaunchConfig&,
                                       const u8* params);

  // Observers of every launch, in the order in which they are told. Not owned.
  std::vector<Observer*> observers;
  // Decides which launches some of the observers hear of; null: they hear of all. Not owned.
  LaunchSampler* sampler = nullptr;

  u64 launches() const { return launches_; }  // that have begun
  void count_launch() { ++launches_; }        // for one that begins elsewhere (run_by_schedule)
  u64 replayed() const;                       // of these, skipped because the result was known

 private:
  u64 launches_ = 0;
  std::shared_ptr<class Replays> replays_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
