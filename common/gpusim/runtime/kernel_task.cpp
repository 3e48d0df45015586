#include "runtime/kernel_task.h"

#include <cstring>
#include <optional>
#include <utility>

#include "runtime/errors.h"

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
  if (running_) free_gpu(*context_);
}

Progress KernelTask::step(CUstream_st& s) {
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
