// The runtime's state: the GPUs, what programs have made on them, and what object files have registered. It
// is the only global state; everything else belongs to a Gpu.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "texture_types.h"

#include "gpu.h"
#include "runtime/clock.h"
#include "runtime/host_watch.h"
#include "runtime/process_lock.h"
#include "runtime/refusals.h"
#include "runtime/registry.h"
#include "timing/machine.h"

struct cublasContext;
struct curandGenerator_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;

namespace gpusim {
namespace runtime {

// The descriptions from which a texture or surface object was made.
struct TextureObject {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

// A GPU with everything that programs have made and set on it: CUDA's primary context. The comments name the
// file that uses a member.
struct Context {
  Context();  // of GPU 0
  Context(u32 number, Context& first);
  ~Context();

  Gpu gpu;
  Loaded loaded;                                 // registry.cpp
  std::map<u64, bool> mapped_is_ours;            // allocations.cpp: mapped host memory; false: the program's
  std::set<cudaStream_t> streams;                // streams.cpp
  CUstream_st& legacy;                           //   the two streams that always exist
  CUstream_st& per_thread;                       //
  std::set<cudaEvent_t> events;                  //
  Clock destroyed;                               //   the work of streams that were destroyed
  const void* kernel = nullptr;                  // kernel_task.cpp: with several GPUs, the task that runs
  std::set<const cudaArray*> arrays;             // arrays.cpp
  std::map<u64, TextureObject> texture_objects;  // textures.cpp
  std::set<cublasContext*> cublas_handles;       // libraries/cublas_call.cpp
  std::set<curandGenerator_st*> random_generators;  // libraries/curand.cpp
  cudaError_t pending = cudaSuccess;                // errors.cpp: a fault that no call has seen yet
  cudaError_t sticky = cudaSuccess;                 //   a fault that has been seen
  unsigned flags =
      cudaDeviceScheduleAuto;  // device_info.cpp: settings without effect, which programs read back
  cudaFuncCache cache_preference = cudaFuncCachePreferNone;
  std::map<int, std::size_t> limits = {{cudaLimitStackSize, 1024},
                                       {cudaLimitPrintfFifoSize, 1 << 20},
                                       {cudaLimitMallocHeapSize, 8 << 20},
                                       {cudaLimitDevRuntimeSyncDepth, 2},
                                       {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                       {cudaLimitMaxL2FetchGranularity, 64},
                                       {cudaLimitPersistingL2CacheSize, 0}};
};

class RemoteRanks;
class Exploring;

struct Process {
  Process();

  // A host thread holds this while it uses the runtime (DeviceLock). It is recursive, because calls of the
  // API call each other.
  ProcessLock mutex;
  std::vector<std::unique_ptr<Context>> contexts;  // indexed by GPU; at least one
  u32 visible = 1;                                 // GPUs that the program sees
  Peers peers;
  bool streams_wait = false;            // work.cpp: see expect_others
  bool overlaps = false;                //   see expect_overlap
  RemoteRanks* remote_ranks = nullptr;  //   the other processes; null: there are none
  u32 graph_launches = 0;               //
  u32 streams_made = 0;                 //
  u64 given = 0;                        //   tasks that streams have been given
  Clock host_clock;                     //   what the program has waited for
  u64 waits = 0;                        //   how often it has waited
  double patience = 10;                 //   seconds to wait for other host threads and processes
  Registry registry;
  std::set<const CUgraph_st*> graphs;          // graphs.cpp: all that exist
  std::set<const CUgraphNode_st*> nodes;       //
  std::set<const CUgraphExec_st*> executable;  // graph_exec.cpp
  u64 nodes_made = 0;                          //
  u64 captures = 0, captures_made = 0;         // capture.cpp: those under way, and all
  std::set<std::string> told;                  // errors.cpp: lines that have been printed
  std::vector<Refusal> refusals;               // refusals.cpp: since the program asked for the last error
  unsigned long long faults = 0;  // errors.cpp: of kernels, and refused calls that the program ignores
  bool print_faults = true;
  bool has_context = false;                       // errors.cpp: a call of the runtime API has used a GPU
  bool is_configured = false;                     // configure() has been called
  bool is_told_of_end = false;                    // leave() is called at the end
  std::vector<std::function<bool()>> last_tasks;  //   see at_end
  bool prints_proofs = false;                     //   where GPUSIM_CHECK asks for it
  bool tells_of_proofs = false;                   //   where it asks for races: whether a proof can say more
  bool exits_with_findings = false;               //   which makes of findings the exit status,
  bool exits_with_faults = false;                 //   and of `faults`
  std::string checks = "none";                    // the checks that new GPUs get
  std::shared_ptr<Exploring> exploring;           // exploring.h; null: launches run at once
  std::optional<timing::Machine> machine;         // as which all GPUs answer (runtime/machine.h)
};

// The one instance. It is never destroyed: object files register before static constructors run, and
// destructors of a program may still call the API.
Process& process();

// Configures the runtime as the environment says (runtime/environment.h).
void configure();

// The context of the GPU that the calling host thread uses.
Context& current();
inline Device& device() { return current().gpu.device; }
// The GPU whose memory an address is in. For host memory, and for an address of no GPU, it is GPU 0.
Device& owner_of(u64 address);
inline Memory& memory_of(u64 address) { return owner_of(address).memory; }

// Tells the checks of bytes that the host, or the host's part of a library, has written.
void tell_written(u64 address, std::size_t bytes);
// Tells the checks what a stream's work does to memory at this moment.
// `verb`: what it does, in a word, if it neither reads nor writes.
void tell_in_stream(const std::string& what, u64 address, std::size_t bytes, bool writes, const CUstream_st&,
                    const char* verb = nullptr);
// Counts bytes that the host has copied from one GPU to another.
void count_link(u32 from, u32 to, std::size_t bytes);

// While this lives, the calling thread uses this GPU.
class OnGpu {
 public:
  explicit OnGpu(const Context&);
  ~OnGpu();

 private:
  u32 before_;
};
inline bool is_gpu(int number) { return number >= 0 && u32(number) < process().visible; }
u32 current_number();
void set_current(u32 number);

// Sets the number of GPUs that the program sees, 1 to 16, as GPUSIM_DEVICES does.
void use_devices(u32 count);

// Call this when there is more than one GPU, here or in processes that work together with this one. From then
// on streams keep work that waits (work.h), and count their work.
void expect_others();

// Call this when a program of one GPU makes a stream. Work is still done when the call that gives it returns.
// But if races are looked for, the clocks from then on tell which work could have run at the same time.
void expect_overlap();

// After this call, the program does not exit with status 0 if checks have found an error, even if the program
// ignores the finding.
void exit_with_findings();

// Calls `task` when the program ends: all work is done by then, and everything is found. If it returns false, the exit status
// is 1.
void at_end(std::function<bool()> task);

}  // namespace runtime

// Every call of the API holds one. The first one configures the GPUs (runtime/environment.h). A program with
// kernels makes it before any of its own code runs, so checks see its memory from the beginning.
struct DeviceLock {
  DeviceLock() {
    if (!runtime::process().is_configured) runtime::configure();
    if (runtime::is_host_watched && runtime::process().mutex.depth() == 1) runtime::lift_host_watch();
  }
  ~DeviceLock() {
    if (runtime::is_host_watched && runtime::process().mutex.depth() == 1) runtime::set_host_watch();
  }
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;
  std::lock_guard<runtime::ProcessLock> held{runtime::process().mutex};
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
