#include "runtime/process.h"

#include <cstdio>
#include <cstdlib>

namespace gpusim::runtime {
namespace {

void leave_with_findings() {
  const DeviceLock lock;
  Gpu& gpu = current().gpu;
  gpu.checks.program_ends();
  const unsigned long long errors = gpu.findings.errors();
  if (errors == 0) return;
  std::fflush(nullptr);
  std::fprintf(stderr, "gpusim: %llu finding%s; exit status 1\n", errors, errors == 1 ? "" : "s");
  std::_Exit(1);
}

}  // namespace

Process& process() {
  static Process& instance = *new Process;
  return instance;
}

void exit_with_findings() {
  if (!process().exits_with_findings) std::atexit(leave_with_findings);
  process().exits_with_findings = true;
}

}  // namespace gpusim::runtime
