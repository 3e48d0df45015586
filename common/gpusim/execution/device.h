// The part of a simulated GPU that runs kernels: memory, modules, launches. (gpu.h: the whole.)
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "execution/events.h"
#include "execution/launch_sampler.h"
#include "gpusim/schedule.h"
#include "memory/memory.h"
#include "memory/peers.h"
#include "ptx/kernel_info.h"

namespace gpusim {

// What differs from GPU to GPU: those of compute capability 8.0, unless GPUSIM_MACHINE names another one.
struct Capacity {
  u32 multiprocessors = 108;
  u32 threads = 2048, blocks = 32, registers = 65536;  // of a multiprocessor
  u32 shared_bytes = 164 * 1024;
  u32 shared_bytes_of_block = 163 * 1024;  // after cudaFuncSetAttribute
  u32 shared_bytes_reserved() const { return shared_bytes - shared_bytes_of_block; }
};

// Blocks that are on one multiprocessor at the same time, as far as threads and shared memory decide it; 0: too large.
u32 blocks_per_sm(const Capacity&, u64 threads, u64 shared_bytes);

// How a kernel can go wrong: the values are those of cudaError_t that a GPU gives.
enum class FaultCode : int {
  illegal_address = 700,
  timeout = 702,  // deadlocked, or it does not end
  assertion = 710,
  misaligned_address = 716,
  launch_failure = 719,
};
struct Fault {
  FaultCode code = FaultCode::launch_failure;
  std::string message;  // one line for a person: file:line:column: what, who; and where it was called
  std::vector<std::string> called_at =
      {};                   // file:line:column of the calls that led there, the innermost first
  bool never_ends = false;  // it waits for what nobody does
};

class Module {
 public:
  virtual ~Module() = default;
  virtual const Program& program() const = 0;
  virtual const KernelInfo* kernel(std::string_view mangled_name) const = 0;
  struct Variable {
    std::string name;
    u64 address = 0;  // of __device__ and __constant__ variables, which live in Memory
    std::size_t size = 0;
  };
  virtual const Variable* variable(std::string_view name) const = 0;
};

struct LaunchConfig {
  Dim3 grid, block;
  u32 dynamic_shared_bytes = 0;
  const LaunchMoment* moment = nullptr;  // LaunchInfo::moment
};

// Who may change the memory for which a grid waits: nobody else; other GPUs; they could, but seem to wait themselves; they do.
enum class Others : u8 { none, busy, idle, stuck };
// How far a grid has come: to its end; as far as its turn lasts; to where it waits for others.
enum class RunState : u8 { ended, pauses, waits };

class RunningLaunch;  // launch/launch.h

// What programs and tests set for every GPU of a process.
struct Settings {
  Capacity capacity;

  // Unless empty, the only blocks that run (gpusim/chosen_blocks.h).
  std::vector<u64> chosen_blocks;
  u64 most_blocks = 0;  // that run of a larger grid; 0: all
  u32 first_warps = 0;  // of each block, that run; 0: all

  // The order of lanes, warps and blocks, and when a launch is stopped (gpusim/schedule.h).
  Schedule schedule = Schedule::lockstep;
  StartOrder start_order = StartOrder::first_to_last;
  Turns turns;
  struct Budget {
    u64 all, for_each_warp;
    u64 of(u64 warps) const {  // a huge grid is given time for each of its warps
      return std::max(all, all + for_each_warp * std::min(warps, u64(1) << 44));
    }
  };
  Budget budget = {u64(1) << 33, u64(1) << 16};

  // Called now and then while a kernel runs, unless null: somebody wants to know that it still does.
  void (*still_runs)() = nullptr;

  // How many threads of this computer run blocks at the same time, where that changes nothing that can be seen (launch/parallel_launch.h).
  static constexpr u32 kMostHostThreads = 256;
  static constexpr u32 kUsualHostThreads =
      16;  // unless more are asked for: a container may have few of the cores that it sees
  class NativeCompiler* native = nullptr;  // null: kernels are interpreted
  u32 host_threads = 1;
  u64 fewest_shared_warps = 512;  // of a grid; a smaller one has ended before threads have begun
};

class Device : public Settings {
 public:
  // `number` tells the GPUs of a process apart.
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
  // The same, to be run bit by bit. One at a time.
  std::unique_ptr<RunningLaunch> begin(const Module&, const KernelInfo&, const LaunchConfig&,
                                       const u8* params);

  // Told of every launch, in this order. Not owned.
  std::vector<Observer*> observers;
  // Decides which launches some of them hear of; null: of all. Not owned.
  LaunchSampler* sampler = nullptr;

 private:
  u64 launches_ = 0;
};

}  // namespace gpusim
