// The time model as an observer: records a launch, predicts its time when it ends, and hands that to the launch's report.
#pragma once

#include "gpusim/report.h"
#include "timing/prediction.h"
#include "timing/recorder.h"

namespace gpusim::timing {

class Predictor final : public SerialObserver {
 public:
  explicit Predictor(Machine machine) : machine_(std::move(machine)) {}

  const Machine& machine() const { return machine_; }

  Interests interests() const override { return {.issues = true, .branches = true, .accesses = true}; }
  void launch_begin(const LaunchInfo& launch) override { recorder_.launch_begin(launch); }
  void launch_end(const LaunchInfo&, bool completed) override;
  void block_begin(u64 block) override { recorder_.block_begin(block); }
  void block_end(u64 block) override { recorder_.block_end(block); }
  void issue(const Issue& i) override { recorder_.issue(i); }
  void branch(const Issue& i, Mask taken) override { recorder_.branch(i, taken); }
  void access(const Access& a) override { recorder_.access(a); }

  bool hears_replays() const override { return true; }
  std::shared_ptr<const void> conclusion() const override {
    return std::make_shared<const Prediction>(prediction_);
  }
  void replayed(const LaunchInfo& launch, const std::shared_ptr<const void>& conclusion) override {
    program_ = launch.program;
    prediction_ = *static_cast<const Prediction*>(conclusion.get());
  }

  // Adds what was predicted of the launch that ended last.
  void complete(gpusim::Report&) const;

 private:
  const Machine machine_;
  Recorder recorder_{machine_};
  Prediction prediction_;
  const Program* program_ = nullptr;
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
