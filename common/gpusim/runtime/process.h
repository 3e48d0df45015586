// What the runtime holds: the GPU, what programs have made on it, and what they registered. The only state of the
// process; everything else belongs to a Gpu.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "texture_types.h"

#include "gpu.h"
#include "runtime/registry.h"

struct cublasContext;
struct curandGenerator_st;

namespace gpusim {
namespace runtime {

// What a texture or surface object was made of.
struct TextureObject {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

// A GPU, and all that programs have made and set on it: CUDA's primary context.
struct Context {
  Gpu gpu;
  Loaded loaded;                       // registry.cpp
  std::map<u64, bool> mapped_is_ours;  // allocations.cpp: host memory that is mapped: ours, or the program's?
  std::set<cudaStream_t> streams;      // streams.cpp
  std::set<cudaEvent_t> events;        //
  std::set<const cudaArray*> arrays;   // arrays.cpp
  std::map<u64, TextureObject> texture_objects;     // textures.cpp
  std::set<cublasContext*> cublas_handles;          // libraries/cublas_call.cpp
  std::set<curandGenerator_st*> random_generators;  // libraries/curand.cpp
  cudaError_t pending = cudaSuccess;                // errors.cpp: a fault that no call has seen yet
  cudaError_t sticky = cudaSuccess;                 //   a fault that has been seen
  unsigned flags =
      cudaDeviceScheduleAuto;  // device_info.cpp: settings without effect, which programs read back
  cudaFuncCache cache_preference = cudaFuncCachePreferNone;
  std::map<int, std::size_t> limits = {
      {cudaLimitStackSize, 1024}, {cudaLimitPrintfFifoSize, 1 << 20}, {cudaLimitMallocHeapSize, 8 << 20}};
};

struct Process {
  // Host threads may use the runtime at the same time; whoever does holds this (DeviceLock). Recursive, because calls of
  // the API use one another.
  std::recursive_mutex mutex;
  Context context;
  Registry registry;
  std::set<std::string> told;  // lines that have been printed
  bool print_faults = true;
  bool is_configured = false;        // by the environment
  bool exits_with_findings = false;  // leave_with_findings() is called at the end
};

// Never destroyed: object files register before static constructors, and destructors of a program may still call the API.
Process& process();

// That of the GPU which the calling host thread uses.
inline Context& current() { return process().context; }
inline Device& device() { return current().gpu.device; }

// From now on the program does not exit with status 0 if checks have found an error: it must not look clean because it
// ignored what was found.
void exit_with_findings();

}  // namespace runtime

struct DeviceLock {
  std::lock_guard<std::recursive_mutex> held{runtime::process().mutex};
};

}  // namespace gpusim
