// The reports of one GPU: switching them on, keeping them, printing them.
#pragma once

#include <cstdio>
#include <vector>

#include "device/device.h"
#include "observers/counters.h"

namespace gpusim {

class Reports {
 public:
  explicit Reports(Device& device) : device_(device) {}
  ~Reports();
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  // From now on every launch's report is kept, or not.
  void keep(bool on);
  // From now on every launch's report is printed, or not (null).
  void print_to(std::FILE* out);

  const std::vector<Report>& all() const { return kept_; }
  void clear() { kept_.clear(); }

  // What counts; among the device's observers while reports are kept or printed.
  const Observer* observer() const { return &counters_; }

 private:
  void attach_if_needed();
  void take(Report);

  Device& device_;
  bool keep_ = false;
  std::FILE* print_to_ = nullptr;
  std::vector<Report> kept_;
  LaunchCounters counters_{[this](Report report) { take(std::move(report)); }};
};

}  // namespace gpusim
