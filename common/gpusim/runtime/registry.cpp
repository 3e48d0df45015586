#include "runtime/registry.h"

#include <map>
#include <string>

#include "observers/compiler_warnings.h"
#include "observers/environment.h"
#include "runtime/errors.h"

namespace gpusim::runtime {
namespace {

struct Image {
  const char* ptx = nullptr;
  std::unique_ptr<Module> module;
  std::string load_error;
};
struct Symbol {
  Image* image = nullptr;
  std::string name;  // in the PTX
};

struct Registry {
  std::vector<std::unique_ptr<Image>> images;
  std::map<const void*, Symbol> kernels, variables;
  std::map<const void*, LoadedKernel> loaded;
};

// Registration runs before static constructors and ends after static destructors.
Registry& registry() {
  static Registry& registry = *new Registry;
  return registry;
}

const Module* load(Image& image) {
  if (!image.module && image.load_error.empty()) {
    image.module = Device::instance().load(image.ptx, &image.load_error);
    if (!image.module) tell("this program's device code does not load: " + image.load_error);
  }
  return image.module.get();
}

}  // namespace

LoadedKernel* find_kernel(const void* stub, cudaError_t* error) {
  Registry& r = registry();
  if (const auto known = r.loaded.find(stub); known != r.loaded.end()) return &known->second;
  const auto symbol = r.kernels.find(stub);
  if (symbol == r.kernels.end()) {
    *error = refuse(cudaErrorInvalidDeviceFunction);
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
  return &(r.loaded[stub] = {module, info, limit});
}

const Module::Variable* find_variable(const void* shadow, cudaError_t* error) {
  Registry& r = registry();
  const auto symbol = r.variables.find(shadow);
  const Module* module = symbol == r.variables.end() ? nullptr : load(*symbol->second.image);
  const Module::Variable* variable = module ? module->variable(symbol->second.name) : nullptr;
  if (!variable) *error = refuse(cudaErrorInvalidSymbol);
  return variable;
}

void unload_modules() {
  Registry& r = registry();
  r.loaded.clear();
  for (auto& image : r.images) image->module.reset();
}

}  // namespace gpusim::runtime

// What the compiler calls. The handle of a module is its Image.
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
  // Before the program's own first act, so that checks see its memory from the beginning.
  static const bool configured = (gpusim::configure_from_environment(), true);
  (void)configured;
  auto& images = registry().images;
  images.push_back(std::make_unique<Image>());
  images.back()->ptx = wrapper->data;
  gpusim::note_compiler_warnings(wrapper->data);
  return reinterpret_cast<void**>(images.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

// Runs when the process ends; the operating system frees more surely than we do, and other destructors may
// still hold device memory.
void __cudaUnregisterFatBinary(void**) {}

int __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*, void*, void*,
                           void*, int*) {
  const DeviceLock lock;
  registry().kernels[stub] = {reinterpret_cast<Image*>(handle), name};
  return 0;
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, size_t, int, int) {
  const DeviceLock lock;
  registry().variables[shadow] = {reinterpret_cast<Image*>(handle), name};
}

}  // extern "C"
