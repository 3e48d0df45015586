// A kernel that waits or runs in a stream, if there are several GPUs. Each GPU runs one kernel at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exploration/execution.h"
#include "launch/launch.h"
#include "runtime/registry.h"
#include "runtime/work.h"

namespace gpusim::runtime {

class KernelTask final : public Task {
 public:
  KernelTask(const LoadedKernel&, const LaunchConfig&, std::vector<u8> parameters, bool is_cooperative);
  ~KernelTask() override;

  Progress step(CUstream_st&) override;
  bool is_stuck(CUstream_st&) override;
  bool give_up(CUstream_st&, bool tell) override;

  bool is_held() const { return held_ == Held::held; }
  ExploredLaunch launch() const;
  void let_go(bool has_run);

  const std::string& name() const { return kernel_.info->pretty_name; }

 private:
  void begin(CUstream_st&);
  void end(Context&, bool tell);
  bool is_to_be_held(Context&);
  static void free_gpu(Context& c) { c.kernel = nullptr; }
  static std::string what_others_do(const Context& self);

  LoadedKernel kernel_;
  LaunchConfig config_;
  std::vector<u8> parameters_;
  bool is_cooperative_;
  Context* context_ = nullptr;
  std::unique_ptr<RunningLaunch> running_;
  enum class Held { not_yet, held, let_go, has_run } held_ = Held::not_yet;  // where launches are explored
};

// Where launches are explored, each GPU holds its kernel back until the program waits: those that are held then run together. Explores
// them and lets them go. False: there are none.
bool let_held_kernels_go();

// Sets the variable from which kernels with cooperative_groups.h learn whether they may wait for the whole
// grid (gpusim/detail/group_shuffles.h).
void tell_whether_cooperative(const Module&, bool is_cooperative);
// "GPU 1"
std::string gpu_name(const Context&);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
