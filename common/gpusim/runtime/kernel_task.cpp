#include "runtime/kernel_task.h"

#include <cstring>
#include <optional>
#include <utility>

#include "runtime/errors.h"
#include "runtime/exploring.h"

namespace gpusim::runtime {

void tell_whether_cooperative(const Module& module, bool is_cooperative) {
  const Module::Variable* barrier = module.variable("__gpusim_grid_barrier");
  if (!barrier) return;
  const u32 contents[2] = {0, is_cooperative};
  u8* bytes = device().memory.resolve(barrier->address, sizeof contents);
  if (bytes) std::memcpy(bytes, contents, sizeof contents);
}

std::string gpu_name(const Context& c) { return "GPU " + std::to_string(c.gpu.device.number); }

KernelTask::KernelTask(const LoadedKernel& kernel, const LaunchConfig& config, std::vector<u8> parameters,
                       bool is_cooperative)
    : kernel_(kernel), config_(config), parameters_(std::move(parameters)), is_cooperative_(is_cooperative) {}

KernelTask::~KernelTask() {
  if (running_ || held_ == Held::held) free_gpu(*context_);
}

Progress KernelTask::step(CUstream_st& s) {
  Context& c = *s.context;
  if (!running_) {
    if (device_lost()) return Progress::done;
    if (held_ == Held::has_run) return Progress::done;
    if (c.kernel || is_to_be_held(c)) return Progress::waits;
    begin(s);
  }
  const u64 before = running_->changes();
  const RunState going = running_->run(PeerState::busy);
  if (going == RunState::ended) return end(c, true), Progress::done;
  return going == RunState::pauses || running_->changes() != before ? Progress::moved : Progress::waits;
}

// True: the kernel waits to be explored together with those of the other GPUs.
bool KernelTask::is_to_be_held(Context& c) {
  if (!process().exploring || held_ != Held::not_yet) return false;
  held_ = Held::held;
  context_ = &c;
  c.kernel = this;
  return true;
}

bool let_held_kernels_go() {
  std::vector<KernelTask*> held;
  for (const auto& context : process().contexts)
    if (auto* const task = static_cast<KernelTask*>(const_cast<void*>(context->kernel));
        task && task->is_held())
      held.push_back(task);
  if (held.empty()) return false;
  std::vector<ExploredLaunch> launches;
  for (const KernelTask* task : held) launches.push_back(task->launch());
  std::optional<Fault> fault;
  const bool has_run = process().exploring->has_run(std::move(launches), &fault);
  for (KernelTask* task : held) task->let_go(has_run);
  if (fault) kernel_faulted(*fault);
  return true;
}

ExploredLaunch KernelTask::launch() const {
  const OnGpu on(*context_);
  tell_whether_cooperative(*kernel_.module, is_cooperative_);
  return {&context_->gpu.device, kernel_.module, kernel_.info, config_, parameters_};
}

void KernelTask::let_go(bool has_run) {
  held_ = has_run ? Held::has_run : Held::let_go;
  free_gpu(*context_);
}

bool KernelTask::is_stuck(CUstream_st&) {
  return !running_ || running_->run(PeerState::idle) == RunState::waits;
}

bool KernelTask::give_up(CUstream_st& s, bool tell) {
  if (!running_ || running_->run(PeerState::stuck) != RunState::ended) return false;
  end(*s.context, tell);
  return true;
}

void KernelTask::begin(CUstream_st& s) {
  context_ = s.context;
  context_->kernel = this;
  tell_whether_cooperative(*kernel_.module, is_cooperative_);
  const LaunchMoment moment = moment_in(s);
  config_.moment = &moment;
  running_ = device().begin(*kernel_.module, *kernel_.info, config_, parameters_.data());
}

void KernelTask::end(Context& c, bool tell) {
  std::optional<Fault> fault = running_->fault();
  if (fault && fault->never_ends) fault->message += what_others_do(c);
  running_.reset();
  free_gpu(c);
  if (fault) kernel_faulted(*fault, tell);
}

// The end of a message: "; GPU 1 runs all_reduce, too, GPU 2 runs no kernel".
std::string KernelTask::what_others_do(const Context& self) {
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

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
