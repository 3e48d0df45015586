// The reports of one GPU: switching them on, keeping them, printing them.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "execution/device.h"
#include "gpusim/report.h"
#include "timing/machine.h"

namespace gpusim {

class LaunchCounters;  // counting/counters.h
namespace timing {
class Predictor;
}

class Reports {
 public:
  // `first`: those of the first GPU of a process, which keep and print all.
  explicit Reports(Device& device, Reports* first = nullptr);
  ~Reports();
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  // From now on every launch's report is kept, or not.
  void keep(bool on);
  // From now on reports say how long the launch would take on a machine, or not (null).
  void predict_for(std::optional<timing::Machine> machine);
  // … the same that these do.
  void predict_as(const Reports&);
  // From now on every launch's report is printed, or not (null).
  void print_to(std::FILE* out);
  // From now on every launch's report is handed to this function, or to none (null).
  void hand_to(std::function<void(const Report&)> reader);

  const std::vector<Report>& all() const { return kept_; }
  void clear() { kept_.clear(), links_.clear(); }

  // What went from GPU to GPU, of all launches and copies.
  const std::vector<LinkTraffic>& links() const { return links_; }
  void add(const LinkTraffic&);
  bool are_wanted() const { return keep_ || print_to_ || reader_; }

  // What counts; among the device's observers while reports are wanted.
  const Observer* observer() const;

 private:
  void attach_if_needed();
  void attach(Observer&, bool is_needed);
  void take(Report);

  Device& device_;
  Reports* first_;
  bool keep_ = false;
  std::FILE* print_to_ = nullptr;
  std::function<void(const Report&)> reader_;
  std::vector<Report> kept_;
  std::vector<LinkTraffic> links_;
  std::unique_ptr<timing::Predictor> predictor_;  // hears of the end of a launch before the counters do
  std::unique_ptr<LaunchCounters> counters_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
