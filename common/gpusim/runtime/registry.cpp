#include "runtime/registry.h"

#include "runtime/errors.h"
#include "runtime/process.h"

namespace gpusim::runtime {
namespace {

const Module* load(const Image& image) {
  Loaded::Result& loaded = current().loaded.images[&image];
  if (!loaded.module && loaded.error.empty()) {
    loaded.module = current().gpu.load(image.ptx, &loaded.error);
    if (!loaded.module) tell("this program's device code does not load: " + loaded.error);
  }
  return loaded.module;
}

}  // namespace

LoadedKernel* find_kernel(const void* stub, cudaError_t* error) {
  std::map<const void*, LoadedKernel>& loaded = current().loaded.kernels;
  if (const auto known = loaded.find(stub); known != loaded.end()) return &known->second;
  const Registry& r = process().registry;
  const auto symbol = r.kernels.find(stub);
  if (symbol == r.kernels.end()) {  // the errors are those of an H100 under CUDA 13.0
    *error = refuse(stub ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction);
    return nullptr;
  }
  const Module* module = load(*symbol->second.image);
  if (!module) {
    *error = refuse(cudaErrorInvalidPtx);
    return nullptr;
  }
  const KernelInfo* info = module->kernel(symbol->second.name);
  if (!info) {
    *error = refuse(cudaErrorInvalidDeviceFunction);
    return nullptr;
  }
  // Static and dynamic shared memory together fit in 48 KiB unless the program asks for more.
  const u32 limit = info->static_shared_bytes < Limits::static_shared_bytes
                        ? Limits::static_shared_bytes - info->static_shared_bytes
                        : 0;
  return &(loaded[stub] = {module, info, limit});
}

const Module::Variable* find_variable(const void* shadow, cudaError_t* error) {
  const Registry& r = process().registry;
  const auto symbol = r.variables.find(shadow);
  const Module* module = symbol == r.variables.end() ? nullptr : load(*symbol->second.image);
  const Module::Variable* variable = module ? module->variable(symbol->second.name) : nullptr;
  if (!variable) *error = refuse(cudaErrorInvalidSymbol);
  return variable;
}

void unload_modules() {
  current().loaded.kernels.clear();
  std::erase_if(current().loaded.images, [](const auto& each) { return each.second.module; });
  current().gpu.unload_modules();
}

}  // namespace gpusim::runtime

// The functions that code from the compiler calls. The handle of a module is its Image.
using gpusim::DeviceLock;
using namespace gpusim::runtime;

extern "C" {

struct FatBinaryWrapper {
  int magic, version;
  const char* data;  // PTX text, NUL-terminated
  void* unused;
};

void** __cudaRegisterFatBinary(const FatBinaryWrapper* wrapper) {
  const DeviceLock lock;
  auto& images = process().registry.images;
  images.push_back(std::make_unique<Image>());
  images.back()->ptx = wrapper->data;
  process().contexts[0]->gpu.checks.note_module(wrapper->data);
  return reinterpret_cast<void**>(images.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

// Runs when the process ends. It does nothing: the operating system frees everything, and other destructors
// may still use device memory.
void __cudaUnregisterFatBinary(void**) {}

int __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*, void*, void*,
                           void*, int*) {
  const DeviceLock lock;
  process().registry.kernels[stub] = {reinterpret_cast<Image*>(handle), name};
  return 0;
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, size_t, int, int) {
  const DeviceLock lock;
  process().registry.variables[shadow] = {reinterpret_cast<Image*>(handle), name};
}

}  // extern "C"
// SPDX-License-Identifier: MIT
