// The counters of a real GPU: none.
#include "harness/check.h"
#include "harness/counters.h"

namespace harness {

std::optional<Counters> count_launches(const std::function<void()>& launch) {
  launch();
  check_launch("counted kernel", HARNESS_WHERE);
  return std::nullopt;
}

}  // namespace harness
