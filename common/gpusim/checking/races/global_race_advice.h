// What a finding says about a race in global memory: why nothing orders the two accesses, and what to try.
#pragma once

#include <string>

#include "checking/races/checked_launches.h"
#include "checking/races/happens_before.h"

namespace gpusim {

class GlobalRaceAdvice {
 public:
  GlobalRaceAdvice(const CheckedLaunches& launches, HappensBefore& order, const GlobalShadow& shadow)
      : launches_(launches), order_(order), shadow_(shadow) {}

  // `now` is an access of the current launch.
  std::string advice(const Touch& then, const Touch& now) const;

 private:
  std::string between_gpus(const Touch& then, const Touch& now) const;
  std::string lock_without_fences(const Touch& then, const Touch& now) const;
  std::string broken_message(const Touch& then, const Touch& now) const;
  std::string flag_name(const HappensBefore::Gap&) const;
  const CheckedLaunch& launch() const { return launches_.current(); }

  const CheckedLaunches& launches_;
  HappensBefore& order_;
  const GlobalShadow& shadow_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
