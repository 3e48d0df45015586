// What a program's object files have registered before main: modules (PTX text), kernels and device
// variables. Each is known by the address of its host stub or shadow variable. A module is loaded when
// something in it is first used.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver_types.h"

#include "execution/device.h"

namespace gpusim::runtime {

struct Image {  // the text of a module
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

// The modules and kernels that a GPU has loaded.
struct Loaded {
  struct Result {
    const Module* module = nullptr;
    std::string error;  // why the module could not be loaded
  };
  std::map<const Image*, Result> images;
  std::map<const void*, LoadedKernel> kernels;  // indexed by host stub
};

// The kernel whose host stub is `stub`; loads its module. Null if it is refused, with *error.
LoadedKernel* find_kernel(const void* stub, cudaError_t* error);

// The device variable whose host shadow is `shadow`. Null if it is refused, with *error.
const Module::Variable* find_variable(const void* shadow, cudaError_t* error);

// For cudaDeviceReset: unloads all modules. When next used they are loaded again, with fresh variables.
void unload_modules();

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
