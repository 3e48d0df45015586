// The observer behind gpusim::Trace.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution/device.h"
#include "execution/events.h"
#include "exploration/schedule_text.h"
#include "gpusim/trace.h"

namespace gpusim {

// Among the device's observers while it lives.
class TraceRecorder : public SerialObserver {
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

 protected:
  // Adds to a list that other recorders add to as well, or stands alone; then `all` is null.
  TraceRecorder(Device&, TraceOptions, std::vector<LaunchTrace>* all);
  virtual bool is_chosen(const Issue& i) const {
    return i.block == options_.block && (options_.warp < 0 || i.warp == u32(options_.warp));
  }
  u32 gpu() const { return device_.number; }
  // A launch that runs together with the newest of the list: what it does is added to that one's trace.
  void go_on(const LaunchInfo&);

 private:
  bool is_traced(const Issue& i) const { return recording_ && is_chosen(i); }
  bool is_of(const TraceStep& step, const Issue& i) const {
    return step.warp == i.warp && step.block == i.block && step.gpu == device_.number;
  }
  void add(const Issue&);
  TraceStep* newest(const Issue&);
  int index_of(const std::string& file);

  Device& device_;
  TraceOptions options_;
  std::vector<LaunchTrace> own_;
  std::vector<LaunchTrace>& launches_;
  bool recording_ = false;
  const Program* program_ = nullptr;  // of the launch that is recorded
};

// Of the launch that runs by a schedule: the warps that it names, on every GPU.
class ScheduledTrace {
 public:
  explicit ScheduledTrace(NamedSchedule);
  ~ScheduledTrace();

  // What hears of this GPU's part of the launch. It is not among the device's observers.
  Observer& observer_of(Device&);
  // All warps stand before their first operation.
  void begin() { next_ = steps(); }
  // An operation has been done, and all warps stand before their next one.
  void add(const NamedMove&, bool is_named, const std::string& text);

  const std::vector<LaunchTrace>& launches() const { return launches_; }

 private:
  class Recorder;
  std::size_t steps() const { return launches_.empty() ? 0 : launches_.back().steps.size(); }

  const NamedSchedule schedule_;
  std::vector<LaunchTrace> launches_;
  std::map<u32, std::unique_ptr<Recorder>> recorders_;  // by GPU
  std::size_t next_ = 0;                                // where the next operation's step stands
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
