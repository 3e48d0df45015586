// The observer behind gpusim::AccessRecord.
#pragma once

#include <vector>

#include "execution/device.h"
#include "execution/events.h"
#include "gpusim/accesses.h"

namespace gpusim {

// Among the device's observers while it lives.
class AccessRecorder final : public SerialObserver {
 public:
  explicit AccessRecorder(Device&);
  ~AccessRecorder() override;
  AccessRecorder(const AccessRecorder&) = delete;
  AccessRecorder& operator=(const AccessRecorder&) = delete;

  Interests interests() const override { return {.accesses = true}; }
  void access(const Access&) override;

  const std::vector<GlobalBytes>& loads() const { return loads_; }
  const std::vector<GlobalBytes>& stores() const { return stores_; }

 private:
  Device& device_;
  std::vector<GlobalBytes> loads_, stores_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
