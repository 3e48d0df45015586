// What a program's object files registered before main: modules (PTX text), kernels and device variables,
// each known by the address of its host-side stand-in. A module is loaded when something of it is first used.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver_types.h"

#include "execution/device.h"

namespace gpusim::runtime {

struct Image {  // a module's text
  const char* ptx = nullptr;
};
struct Symbol {
  const Image* image = nullptr;
  std::string name;  // in the PTX
};
struct Registry {
  std::vector<std::unique_ptr<Image>> images;
  std::map<const void*, Symbol> kernels, variables;
};

struct LoadedKernel {
  const Module* module = nullptr;
  const KernelInfo* info = nullptr;
  u32 dynamic_shared_limit = 0;  // bytes; raised by cudaFuncSetAttribute
};

// What of it a GPU has loaded.
struct Loaded {
  struct Result {
    const Module* module = nullptr;
    std::string error;  // why there is none
  };
  std::map<const Image*, Result> images;
  std::map<const void*, LoadedKernel> kernels;  // by host stub
};

// The kernel whose host stub is `stub`, its module loaded. Null after refusing with *error.
LoadedKernel* find_kernel(const void* stub, cudaError_t* error);

// The device variable whose host shadow is `shadow`. Null after refusing with *error.
const Module::Variable* find_variable(const void* shadow, cudaError_t* error);

// cudaDeviceReset: modules are loaded afresh, with fresh variables, when next used.
void unload_modules();

}  // namespace gpusim::runtime
