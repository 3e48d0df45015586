// Launches of kernels: what is checked, and what a launch does, at once or as the work of a stream or of a graph.
#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/call_configuration.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/exploring.h"
#include "runtime/host_watch.h"
#include "runtime/kernel_task.h"
#include "runtime/launch_limits.h"
#include "runtime/machine.h"
#include "runtime/registry.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

// How the program launches: <<<…>>> returns nothing, calls return the error.
enum class LaunchedBy { brackets, call };
// Where the last <<<…>>> of this thread stands.
thread_local void* launched_from = nullptr;

// The innermost line of a launch by brackets would be that of the host stub, which is the kernel's.
ApiCall launch_site(LaunchedBy by) {
  return by == LaunchedBy::brackets ? ApiCall::at(static_cast<char*>(launched_from) - 1) : ApiCall::here();
}

cudaError_t refuse_as(LaunchedBy by, cudaError_t error, const std::string& why) {
  if (by == LaunchedBy::call) return refuse(error, why);
  std::vector<Refusal>& refusals = process().refusals;
  const std::size_t before = refusals.size();
  refuse_launch(error, why);
  if (refusals.size() > before) refusals.back().site = launch_site(by);
  return error;
}

Dim3 to_dim3(dim3 d) { return {d.x, d.y, d.z}; }

// For a cooperative launch, whose blocks may wait for each other: all of them must be on the GPU at the same
// time.
cudaError_t check_resident(const LoadedKernel& kernel, dim3 grid, dim3 block, size_t shared_bytes,
                           std::string* why) {
  const u64 blocks = u64(grid.x) * grid.y * grid.z, threads = u64(block.x) * block.y * block.z;
  const u64 resident =
      u64(device().capacity.multiprocessors) * resident_blocks(kernel, threads, shared_bytes);
  if (blocks <= resident) return cudaSuccess;
  *why = kernel.info->pretty_name + " is launched with " + std::to_string(blocks) +
         " cooperative blocks; the GPU holds " + std::to_string(resident) + " of them at a time";
  return cudaErrorCooperativeLaunchTooLarge;
}

// Why the stream cannot take the kernel; empty if it can.
std::string why_not_in(cudaStream_t in, const LoadedKernel& kernel) {
  const CUstream_st* const stream = find_stream(in);
  const std::string launched = kernel.info->pretty_name + " is launched into ";
  if (!stream) return launched + "a stream that does not exist, or that was destroyed";
  if (stream->context == &current()) return "";
  return launched + "a stream of " + gpu_name(*stream->context) + " while " + gpu_name(current()) +
         " is current: call cudaSetDevice(" + std::to_string(stream->context->gpu.device.number) + ") first";
}

// The kernel, if it can be launched with this configuration; null if it is refused, with *error.
const LoadedKernel* launchable(const void* stub, dim3 grid, dim3 block, size_t shared_bytes,
                               bool is_cooperative, LaunchedBy by, cudaError_t* error) {
  const LoadedKernel* kernel = find_kernel(stub, error);
  if (!kernel) return nullptr;
  std::string why;
  *error = check_limits(*kernel, grid, block, shared_bytes, &why);
  if (!why.empty()) current().gpu.findings.note_refusal(why);
  if (!*error && is_cooperative) *error = check_resident(*kernel, grid, block, shared_bytes, &why);
  if (*error) {
    refuse_as(by, *error, why);
    return nullptr;
  }
  if (!kernel->info->unsupported.empty()) {
    tell(kernel->info->unsupported);
    *error = cudaErrorNotSupported;
  }
  if (const std::string excess = too_large(*kernel->info); !*error && !excess.empty()) {
    tell(excess);
    *error = cudaErrorInvalidPtx;
  }
  refuse(*error);
  return *error ? nullptr : kernel;
}

// The arguments of the kernel in a node of a graph.
struct KeptArguments {
  std::vector<std::vector<u8>> values;
  std::vector<void*> pointers;
};

// Whether there is a value for each parameter.
bool are_given(const KernelInfo& kernel, void** arguments) {
  return kernel.params.empty() ||
         (arguments && std::all_of(arguments, arguments + kernel.params.size(), [](void* a) { return a; }));
}

std::shared_ptr<KeptArguments> keep(const KernelInfo& kernel, void** arguments) {
  auto kept = std::make_shared<KeptArguments>();
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const u8* const first = static_cast<const u8*>(arguments[i]);
    kept->values.emplace_back(first, first + kernel.params[i].size);
  }
  for (std::vector<u8>& value : kept->values) kept->pointers.push_back(value.data());
  return kept;
}

cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                   bool is_cooperative, cudaStream_t in) {
  const DeviceLock lock;
  const StubCall call = take_stub_call();
  launched_from = call.from;
  const LaunchedBy by = launched_from ? LaunchedBy::brackets : LaunchedBy::call;
  cudaError_t error = cudaSuccess;
  if (!call.is_configured) {
    const LoadedKernel* const called = find_kernel(stub, &error);
    return called ? refuse_as(
                        by, cudaErrorMissingConfiguration,
                        called->info->pretty_name + " is called like a function, without <<<grid, block>>>")
                  : error;
  }
  error = forbid_implicit(in);
  if (error) return error;
  if (CUstream_st* const s = capturing(in)) {
    const auto shared = unsigned(std::min<size_t>(shared_bytes, UINT_MAX));  // kernel_work refuses more
    const GraphWork work = kernel_work({const_cast<void*>(stub), grid, block, shared, arguments, nullptr},
                                       is_cooperative, &error);
    return error ? error : captured(*s, work);
  }
  const LoadedKernel* const kernel = launchable(stub, grid, block, shared_bytes, is_cooperative, by, &error);
  if (!kernel) return error;
  if (!are_given(*kernel->info, arguments)) return refuse(cudaErrorInvalidValue);
  if (const std::string why = why_not_in(in, *kernel); !why.empty())
    return refuse_as(by, cudaErrorInvalidResourceHandle, why);
  // After a fault no kernel runs. The launch itself succeeds until a call has reported the fault.
  if (device_lost()) return cudaPeekAtLastError();

  std::vector<u8> parameters(kernel->info->param_bytes);
  for (std::size_t i = 0; i < kernel->info->params.size(); ++i) {
    const ParamInfo& parameter = kernel->info->params[i];
    std::memcpy(parameters.data() + parameter.offset, arguments[i], parameter.size);
  }
  LaunchConfig config = {to_dim3(grid), to_dim3(block), u32(shared_bytes)};
  if (is_multi_gpu()) {
    give(*find_stream(in),
         std::make_unique<KernelTask>(*kernel, config, std::move(parameters), is_cooperative));
    return cudaSuccess;
  }
  tell_whether_cooperative(*kernel->module, is_cooperative);
  LaunchMoment moment;
  const CUstream_st* const s = begin_now(in);
  if (s) {
    moment = moment_in(*s);
    config.moment = &moment;
  }
  std::optional<Fault> fault;
  if (!process().exploring ||
      !process().exploring->has_run({{&device(), kernel->module, kernel->info, config, parameters}}, &fault))
    fault = device().launch(*kernel->module, *kernel->info, config, parameters.data());
  if (fault) kernel_faulted(*fault);
  else if (has_used_host_memory()) watch_launch(kernel->info->pretty_name, launch_site(by), s);
  return cudaSuccess;
}

}  // namespace

GraphWork gpusim::runtime::kernel_work(const cudaKernelNodeParams& what, bool is_cooperative,
                                       cudaError_t* error) {
  const LoadedKernel* const kernel = launchable(what.func, what.gridDim, what.blockDim, what.sharedMemBytes,
                                                is_cooperative, LaunchedBy::call, error);
  if (!kernel) return {};
  if (!are_given(*kernel->info, what.kernelParams) || what.extra) {
    *error = refuse(cudaErrorInvalidValue);
    return {};
  }
  const auto kept = keep(*kernel->info, what.kernelParams);
  cudaKernelNodeParams own = what;
  own.kernelParams = kept->pointers.data();
  return {cudaGraphNodeTypeKernel,
          [own, kept, is_cooperative](cudaStream_t stream) {
            return launch(own.func, own.gridDim, own.blockDim, own.kernelParams, own.sharedMemBytes,
                          is_cooperative, stream);
          },
          own, current_number()};
}

extern "C" {

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return launch(stub, grid, block, arguments, shared_bytes, false, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch(stub, grid, block, arguments, shared_bytes, true, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub, void** arguments) {
  const DeviceLock lock;
  if (!config) return refuse(cudaErrorInvalidValue);
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeCooperative && config->attrs[i].val.cooperative)
      return cudaLaunchCooperativeKernel(stub, config->gridDim, config->blockDim, arguments,
                                         config->dynamicSmemBytes, config->stream);
  return cudaLaunchKernel(stub, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                          config->stream);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
