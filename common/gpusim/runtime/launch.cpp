// kernel<<<…>>>, cudaLaunchKernel, and the questions that programs ask about a kernel.
#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "launch/launch.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/launch_limits.h"
#include "runtime/machine.h"
#include "runtime/registry.h"
#include "runtime/work.h"

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

// How the program launches: <<<…>>> returns nothing, calls return the error.
enum class LaunchedBy { brackets, call };
// Between the two calls of a host stub: where the program launches. Else null.
thread_local void* in_stub_from = nullptr;
// Where the last <<<…>>> of this thread stands.
thread_local void* launched_from = nullptr;

// The innermost line of a launch would be that of the host stub, which is the kernel's.
cudaError_t refuse_as(LaunchedBy by, cudaError_t error, const std::string& why) {
  if (by == LaunchedBy::call) return refuse(error, why);
  std::vector<Refusal>& refusals = process().refusals;
  const std::size_t before = refusals.size();
  refuse_launch(error, why);
  if (refusals.size() > before) refusals.back().site = ApiCall::at(static_cast<char*>(launched_from) - 1);
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

// Sets the variable from which kernels with cooperative_groups.h learn whether they may wait for the whole
// grid (gpusim/detail/group_shuffles.h).
void tell_whether_cooperative(const Module& module, bool is_cooperative) {
  const Module::Variable* barrier = module.variable("__gpusim_grid_barrier");
  if (!barrier) return;
  const u32 contents[2] = {0, is_cooperative};
  u8* bytes = device().memory.resolve(barrier->address, sizeof contents);
  if (bytes) std::memcpy(bytes, contents, sizeof contents);
}

std::string gpu_name(const Context& c) { return "GPU " + std::to_string(c.gpu.device.number); }

// Why the stream cannot take the kernel; empty if it can.
std::string why_not_in(cudaStream_t in, const LoadedKernel& kernel) {
  const CUstream_st* const stream = find_stream(in);
  const std::string launched = kernel.info->pretty_name + " is launched into ";
  if (!stream) return launched + "a stream that does not exist, or that was destroyed";
  if (stream->context == &current()) return "";
  return launched + "a stream of " + gpu_name(*stream->context) + " while " + gpu_name(current()) +
         " is current: call cudaSetDevice(" + std::to_string(stream->context->gpu.device.number) + ") first";
}

// A kernel in a stream, if there are several GPUs. Each GPU runs one kernel at a time.
class KernelTask final : public Task {
 public:
  KernelTask(const LoadedKernel& kernel, const LaunchConfig& config, std::vector<u8> parameters,
             bool is_cooperative)
      : kernel_(kernel),
        config_(config),
        parameters_(std::move(parameters)),
        is_cooperative_(is_cooperative) {}
  ~KernelTask() override {
    if (running_) free_gpu(*context_);
  }

  Progress step(CUstream_st& s) override {
    Context& c = *s.context;
    if (!running_) {
      if (device_lost()) return Progress::done;
      if (c.kernel) return Progress::waits;
      begin(s);
    }
    const u64 before = running_->changes();
    const RunState going = running_->run(PeerState::busy);
    if (going == RunState::ended) return end(c, true), Progress::done;
    return going == RunState::pauses || running_->changes() != before ? Progress::moved : Progress::waits;
  }

  bool is_stuck(CUstream_st&) override {
    return !running_ || running_->run(PeerState::idle) == RunState::waits;
  }
  bool give_up(CUstream_st& s, bool tell) override {
    if (!running_ || running_->run(PeerState::stuck) != RunState::ended) return false;
    end(*s.context, tell);
    return true;
  }

  const std::string& name() const { return kernel_.info->pretty_name; }

 private:
  void begin(CUstream_st& s) {
    context_ = s.context;
    context_->kernel = this;
    tell_whether_cooperative(*kernel_.module, is_cooperative_);
    const LaunchMoment moment = moment_in(s);
    config_.moment = &moment;
    running_ = device().begin(*kernel_.module, *kernel_.info, config_, parameters_.data());
  }
  void end(Context& c, bool tell) {
    std::optional<Fault> fault = running_->fault();
    if (fault && fault->never_ends) fault->message += what_others_do(c);
    running_.reset();
    free_gpu(c);
    if (fault) kernel_faulted(*fault, tell);
  }
  static void free_gpu(Context& c) { c.kernel = nullptr; }

  // The end of a message: "; GPU 1 runs all_reduce, too, GPU 2 runs no kernel".
  static std::string what_others_do(const Context& self) {
    std::string text;
    for (u32 k = 0; k < process().visible; ++k) {
      const Context& c = *process().contexts[k];
      if (&c == &self) continue;
      const auto* task = static_cast<const KernelTask*>(c.kernel);
      text += (text.empty() ? "; " : ", ") + gpu_name(c) +
              (task                    ? " waits in " + task->name()
               : c.pending || c.sticky ? " has faulted"
                                       : " runs no kernel");
    }
    return text;
  }

  LoadedKernel kernel_;
  LaunchConfig config_;
  std::vector<u8> parameters_;
  bool is_cooperative_;
  Context* context_ = nullptr;
  std::unique_ptr<RunningLaunch> running_;
};

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
  launched_from = std::exchange(in_stub_from, nullptr);
  const LaunchedBy by = launched_from ? LaunchedBy::brackets : LaunchedBy::call;
  cudaError_t error = forbid_implicit(in);
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
  if (const CUstream_st* const s = begin_now(in)) {
    moment = moment_in(*s);
    config.moment = &moment;
  }
  if (const auto fault = device().launch(*kernel->module, *kernel->info, config, parameters.data()))
    kernel_faulted(*fault);
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

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  const DeviceLock lock;
  if (!attributes) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  *attributes = {};
  attributes->sharedSizeBytes = kernel->info->static_shared_bytes;
  attributes->localSizeBytes = kernel->info->local_bytes;
  attributes->maxThreadsPerBlock = int(kernel->info->max_threads);
  attributes->numRegs = int(registers_of(*kernel, 1));
  attributes->ptxVersion = 80;  // the architecture of the PTX, by which CUB chooses its tuning
  attributes->binaryVersion = 80;
  attributes->maxDynamicSharedSizeBytes = int(kernel->dynamic_shared_limit);
  attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  const DeviceLock lock;
  cudaError_t error = cudaSuccess;
  LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value < -1 || value > 100 ? refuse(cudaErrorInvalidValue) : cudaSuccess;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      u64(value) + kernel->info->static_shared_bytes > device().capacity.shared_bytes_of_block)
    return refuse(cudaErrorInvalidValue);
  kernel->dynamic_shared_limit = u32(value);
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
  const DeviceLock lock;
  cudaError_t error = cudaSuccess;
  return find_kernel(stub, &error) ? cudaSuccess : error;
}

cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig) {
  return cudaFuncSetCacheConfig(stub, cudaFuncCachePreferNone);
}
cudaError_t cudaFuncGetName(const char** name, const void* stub) {
  const DeviceLock lock;
  if (!name) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (kernel) *name = kernel->info->name.c_str();
  return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int block_threads,
                                                          size_t dynamic_shared_bytes) {
  const DeviceLock lock;
  if (!blocks || block_threads <= 0) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  *blocks = 0;
  if (u32(block_threads) > kernel->info->max_threads) return cudaSuccess;
  *blocks = int(resident_blocks(*kernel, u64(block_threads), dynamic_shared_bytes));
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int block_threads,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  if (flags > cudaOccupancyDisableCachingOverride) return refuse(cudaErrorInvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, block_threads, dynamic_shared_bytes);
}

// The largest dynamic shared memory with which this many blocks fit on a multiprocessor.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* stub, int blocks,
                                                      int block_threads) {
  const DeviceLock lock;
  if (!bytes || blocks <= 0 || block_threads <= 0) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  const u64 fixed = kernel->info->static_shared_bytes;
  if (u32(block_threads) > kernel->info->max_threads ||
      resident_blocks(*kernel, u64(block_threads), 0) < u64(blocks))
    return refuse(cudaErrorInvalidValue);
  u64 fits = 0, too_many = device().capacity.shared_bytes_of_block - fixed + 1;
  while (too_many - fits > 1) {
    const u64 middle = (fits + too_many) / 2;
    (resident_blocks(*kernel, u64(block_threads), middle) >= u64(blocks) ? fits : too_many) = middle;
  }
  *bytes = fits;
  return cudaSuccess;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
