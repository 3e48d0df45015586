// The observer behind gpusim::Trace.
#pragma once

#include "execution/device.h"
#include "execution/events.h"
#include "gpusim/trace.h"

namespace gpusim {

// Among the device's observers while it lives.
class TraceRecorder final : public SerialObserver {
 public:
  TraceRecorder(Device&, TraceOptions);
  ~TraceRecorder() override;
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  Interests interests() const override {
    return {.issues = true, .branches = true, .accesses = true, .meetings = true};
  }
  void launch_begin(const LaunchInfo&) override;
  void launch_end(const LaunchInfo&, bool completed) override;
  void issue(const Issue& i) override {
    if (is_traced(i)) add(i);
  }
  void branch(const Issue&, Mask taken) override;
  void access(const Access&) override;
  void shuffled(const Issue&, Mask members, Mask here, const u32* from) override;

  const std::vector<LaunchTrace>& launches() const { return launches_; }

 private:
  bool is_traced(const Issue& i) const {
    return recording_ && i.block == options_.block && (options_.warp < 0 || i.warp == u32(options_.warp));
  }
  void add(const Issue&);
  TraceStep* newest(const Issue&);
  int index_of(const std::string& file);

  Device& device_;
  TraceOptions options_;
  std::vector<LaunchTrace> launches_;
  bool recording_ = false;
  const Program* program_ = nullptr;  // of the launch that is recorded
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
