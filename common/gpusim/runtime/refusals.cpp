#include "runtime/refusals.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/misuse.h"

namespace gpusim::runtime {
namespace {

constexpr std::size_t kMostRefusals = 16;  // that are remembered

// Whether the error says that the program has made a mistake. Others are answers (cudaErrorNotReady), follow from a fault that
// was told, or were told when they happened.
bool is_mistake(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
    case cudaErrorMemoryAllocation:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidDevice:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorHostMemoryAlreadyRegistered:
    case cudaErrorHostMemoryNotRegistered: return true;
    default: return false;
  }
}

void tell_refusal(const Refusal& refusal, const Place& place, const std::string& advice) {
  Finding f;
  f.check = "refused call";
  f.place = place;
  f.message =
      refusal.what + (refusal.what.empty() ? "" : ": ") + cudaGetErrorString(refusal.code) + "; " + advice;
  tell(place.line ? to_text(f) : f.check + ": " + f.message);
}

void tell_refusals(bool succeeds) {
  Process& p = process();
  if (p.refusals.empty() || !p.print_faults || is_forked()) return;
  const DeviceLock lock;
  const Checks& checks = p.contexts[0]->gpu.checks;
  std::vector<Place> told;
  const Refusal* doubtful = nullptr;
  for (const Refusal& refusal : p.refusals) {
    const ApiCall::Line line = refusal.site.line();
    const Place place = {line.file, line.number, 0, {}};
    if (place.line && std::ranges::any_of(told, [&](const Place& p) { return same_place(p, place); }))
      continue;
    const bool is_launch = refusal.returns == Returns::nothing;
    if (!is_launch && !checks.is_ignored(place)) {
      if (!doubtful && !refusal.what.empty()) doubtful = &refusal;
      continue;
    }
    tell_refusal(
        refusal, place,
        is_launch
            ? "the program never asks for the error: call cudaGetLastError() after the launch"
            : "the program ignores the error: check what the call returns, and clear the error with cudaGetLastError() if the program goes on");
    ++p.faults;
    told.push_back(place);
    if (!p.exits_with_faults) return;  // by default, the first only
  }
  if (!doubtful || !told.empty() || !succeeds) return;
  const ApiCall::Line line = doubtful->site.line();
  tell_refusal(*doubtful, {line.file, line.number, 0, {}},
               "the program never asks cudaGetLastError() for the error");
}

void tell_refusals_at_end() {
#if defined(__GLIBC__)
  on_exit([](int status, void*) { tell_refusals(status == 0); }, nullptr);
#else
  std::atexit([] { tell_refusals(true); });
#endif
}

}  // namespace

void note_refusal(cudaError_t code, const std::string& what, Returns returns) {
  if (what.empty() && !is_mistake(code)) return;
  const DeviceLock lock;
  static const bool registered = (tell_refusals_at_end(), true);
  (void)registered;
  std::vector<Refusal>& refusals = process().refusals;
  if (refusals.size() < kMostRefusals) refusals.push_back({code, what, ApiCall::here(), returns});
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
