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

thread_local StubCall in_stub;  // between the two calls of a host stub

}  // namespace

StubCall gpusim::runtime::take_stub_call() { return std::exchange(in_stub, {}); }

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  top_configuration = new CallConfiguration{
      grid, block, shared_bytes, stream, __builtin_return_address(0), top_configuration};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (!top_configuration) {  // clang's stub calls cudaLaunchKernel all the same, which refuses
    in_stub = {__builtin_return_address(0), false};
    return cudaErrorMissingConfiguration;
  }
  const std::unique_ptr<CallConfiguration> top(top_configuration);
  *grid = top->grid;
  *block = top->block;
  *shared_bytes = top->shared_bytes;
  *static_cast<void**>(stream) = top->stream;
  in_stub = {top->launched_from};
  top_configuration = top->below;
  return cudaSuccess;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
