// A simulated GPU, whole: the device that runs kernels, its modules, and what watches it. A process may have several:
// they share nothing, unless one is made beside another.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checking/checks.h"
#include "checking/findings.h"
#include "execution/device.h"
#include "reports/reports.h"

namespace gpusim {

class Gpu {
 public:
  // `number` tells the GPUs of a process apart: their memory has addresses of its own.
  explicit Gpu(u32 number = 0) : device(number) {}
  // A further GPU of a program. Its findings and counters go to the first one, and races between them are found.
  Gpu(u32 number, Gpu& first)
      : device(number),
        findings(first.findings),
        checks(device, findings, &first.checks),
        reports(device, &first.reports) {}

  // Loads a module, which stays until unload_modules(). Null after an error, as Device::load.
  const Module* load(std::string_view ptx, std::string* error) {
    std::unique_ptr<Module> module = device.load(ptx, error);
    return module ? modules_.emplace_back(std::move(module)).get() : nullptr;
  }
  void unload_modules() { modules_.clear(); }

  Device device;

 private:
  Findings own_findings_;

 public:
  Findings& findings = own_findings_;
  Checks checks{device, findings};
  Reports reports{device};

 private:
  std::vector<std::unique_ptr<Module>> modules_;  // release their variables: before the device goes
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
