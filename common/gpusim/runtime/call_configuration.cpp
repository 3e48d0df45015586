// Launches by <<<…>>>: clang compiles one to a push of the configuration and a call of the kernel's host stub, which pops it.
#include <memory>
#include <utility>

#include "cuda_runtime_api.h"
#include "runtime/call_configuration.h"
#include "runtime/errors.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

struct CallConfiguration {
  dim3 grid, block;
  size_t shared_bytes;
  void* stream;
  void* launched_from;  // where the push returns to, in the statement that launches
  CallConfiguration* below;
};

// <<<…>>> pushes here; the kernel's host stub pops it and calls cudaLaunchKernel. A plain pointer, because destructors of static
// objects may launch kernels too, and this thread's objects are destroyed before them.
thread_local CallConfiguration* top_configuration = nullptr;

// Between the two calls of a host stub: where the program launches. Else null.
thread_local void* in_stub_from = nullptr;

}  // namespace

void* gpusim::runtime::take_bracket_site() { return std::exchange(in_stub_from, nullptr); }

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  top_configuration = new CallConfiguration{
      grid, block, shared_bytes, stream, __builtin_return_address(0), top_configuration};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (!top_configuration) return refuse(cudaErrorMissingConfiguration);
  const std::unique_ptr<CallConfiguration> top(top_configuration);
  *grid = top->grid;
  *block = top->block;
  *shared_bytes = top->shared_bytes;
  *static_cast<void**>(stream) = top->stream;
  in_stub_from = top->launched_from;
  top_configuration = top->below;
  return cudaSuccess;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
