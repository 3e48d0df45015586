// What the runtime holds: the GPUs, what programs have made on it, and what they registered. The only state of the
// process; everything else belongs to a Gpu.
#pragma once

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
#include "runtime/process_lock.h"
#include "runtime/registry.h"
#include "timing/machine.h"

struct cublasContext;
struct curandGenerator_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;

namespace gpusim {
namespace runtime {

// What a texture or surface object was made of.
struct TextureObject {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

// A GPU, and all that programs have made and set on it: CUDA's primary context.
struct Context {
  Context();  // the first
  Context(u32 number, Context& first);
  ~Context();

  Gpu gpu;
  Loaded loaded;                       // registry.cpp
  std::map<u64, bool> mapped_is_ours;  // allocations.cpp: host memory that is mapped: ours, or the program's?
  std::set<cudaStream_t> streams;      // streams.cpp
  CUstream_st& legacy;                 //   the streams that need not be made
  CUstream_st& per_thread;             //
  std::set<cudaEvent_t> events;        //
  Clock destroyed;                     //   what those have done that are no more
  const void* kernel = nullptr;        // launch.cpp: of several GPUs: the task whose kernel runs
  std::set<const cudaArray*> arrays;   // arrays.cpp
  std::map<u64, TextureObject> texture_objects;     // textures.cpp
  std::set<cublasContext*> cublas_handles;          // libraries/cublas_call.cpp
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

class Outside;

struct Process {
  Process();

  // Host threads may use the runtime at the same time; whoever does holds this (DeviceLock). It may be taken again, because
  // calls of the API use one another.
  ProcessLock mutex;
  std::vector<std::unique_ptr<Context>> contexts;  // by GPU; one at least
  u32 visible = 1;                                 // of them
  Peers peers;
  bool streams_wait = false;   // work.cpp: see expect_others
  bool overlaps = false;       //   with one GPU: see expect_overlap
  Outside* outside = nullptr;  //
  u32 streams_made = 0;        //
  u64 given = 0;               //   tasks
  Clock host_clock;            //   what the program has waited for
  double patience = 10;        //   seconds
  Registry registry;
  std::set<const CUgraph_st*> graphs;          // graphs.cpp: all that there are
  std::set<const CUgraphNode_st*> nodes;       //
  std::set<const CUgraphExec_st*> executable;  // graph_exec.cpp
  u64 nodes_made = 0;                          //
  u64 captures = 0, captures_made = 0;         // capture.cpp: how many go on
  std::set<std::string> told;                  // lines that have been printed
  std::string unasked;  // errors.cpp: what was refused first since somebody asked for the last error
  bool print_faults = true;
  bool is_configured = false;              // by the environment
  bool exits_with_findings = false;        // leave_with_findings() is called at the end
  std::string checks = "none";             // what new GPUs are watched for
  std::optional<timing::Machine> machine;  // that all answer for (runtime/machine.h)
};

// Never destroyed: object files register before static constructors, and destructors of a program may still call the API.
Process& process();

// As the environment says.
void configure();

// That of the GPU which the calling host thread uses.
Context& current();
inline Device& device() { return current().gpu.device; }
// The GPU in whose memory an address lies, if it lies in any; host memory is mapped by the first.
Device& owner_of(u64 address);
inline Memory& memory_of(u64 address) { return owner_of(address).memory; }

// Checks hear of bytes that the host, or its side of a library, has written.
void tell_written(u64 address, std::size_t bytes);
// Checks hear of what a stream's work does to memory at this moment.
void tell_in_stream(const std::string& what, u64 address, std::size_t bytes, bool writes, const CUstream_st&);
// Counts what the host has let go from one GPU to another.
void count_link(u32 from, u32 to, std::size_t bytes);

// The calling thread uses this GPU, for as long as this lives.
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

// As GPUSIM_DEVICES; 1 to 16.
void use_devices(u32 count);

// There is more than one GPU, here or in processes with which this one works together: from now on streams keep what
// waits (work.h), and count their work.
void expect_others();

// A program of one GPU has made a stream. Its work is still done when the call that gives it returns; but from now on it is known
// what could have been done at the same time, if races are looked for.
void expect_overlap();

// From now on the program does not exit with status 0 if checks have found an error: it must not look clean because it
// ignored what was found.
void exit_with_findings();

}  // namespace runtime

// Held by every call. The first sets the GPUs up (runtime/environment.h): a program with kernels makes it before its own
// first act, so that checks see its memory from the beginning.
struct DeviceLock {
  DeviceLock() {
    if (!runtime::process().is_configured) runtime::configure();
  }
  std::lock_guard<runtime::ProcessLock> held{runtime::process().mutex};
};

}  // namespace gpusim
