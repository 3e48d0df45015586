// What programs take from NVIDIA's cuda-samples (Common/): a stop watch of the host.
#pragma once

#include <chrono>

class StopWatchInterface {
 public:
  StopWatchInterface() = default;
  virtual ~StopWatchInterface() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  virtual float getTime() = 0;         // all that it ran, in ms
  virtual float getAverageTime() = 0;  // of its runs
};

class StopWatchLinux : public StopWatchInterface {
 public:
  void start() override {
    begin = Clock::now();
    runs = true;
  }
  void stop() override {
    total += since();
    ++sessions;
    runs = false;
  }
  void reset() override {
    total = 0;
    sessions = 0;
    if (runs) begin = Clock::now();
  }
  float getTime() override { return float(runs ? total + since() : total); }
  float getAverageTime() override { return sessions > 0 ? float(total / sessions) : 0; }

 private:
  using Clock = std::chrono::steady_clock;
  double since() const { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }
  Clock::time_point begin;
  double total = 0;
  int sessions = 0;
  bool runs = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) { return (*timer = new StopWatchLinux) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  if (*timer) delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) { return *timer ? (*timer)->start(), true : true; }
inline bool sdkStopTimer(StopWatchInterface** timer) { return *timer ? (*timer)->stop(), true : true; }
inline bool sdkResetTimer(StopWatchInterface** timer) { return *timer ? (*timer)->reset(), true : true; }
inline float sdkGetTimerValue(StopWatchInterface** timer) { return *timer ? (*timer)->getTime() : 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return *timer ? (*timer)->getAverageTime() : 0;
}
// SPDX-License-Identifier: MIT
