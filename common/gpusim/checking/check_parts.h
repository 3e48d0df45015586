// The parts of a check, for host threads that run blocks of a launch at the same time: each is a check of its own that reports to
// findings of its own. What one finds is not told: the launch runs again on one thread, and the check itself finds it.
#pragma once

#include <memory>
#include <vector>

#include "checking/findings.h"

namespace gpusim {

template <class Check>
class CheckParts {
 public:
  // Part k, which has found nothing yet. make(findings) makes one.
  template <class Make> Check* get(u32 k, Make make) {
    while (parts_.size() <= k) {
      parts_.push_back(std::make_unique<Part>());
      parts_.back()->check = make(parts_.back()->findings);
    }
    parts_[k]->findings.clear();
    return parts_[k]->check.get();
  }
  Check& at(u32 k) { return *parts_[k]->check; }
  bool found_something(u32 k) const { return !parts_[k]->findings.all().empty(); }
  template <class F> void for_each(F f) {
    for (const auto& part : parts_) f(*part->check);
  }

 private:
  struct Part {
    Findings findings;
    std::unique_ptr<Check> check;
  };
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace gpusim
