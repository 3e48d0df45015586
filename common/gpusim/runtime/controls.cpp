// What gpusim/*.h offers programs, asked of the GPU that the calling host thread uses.
#include "gpusim/check.h"
#include "gpusim/chosen_blocks.h"
#include "gpusim/report.h"
#include "gpusim/schedule.h"
#include "gpusim/trace.h"
#include "observers/trace.h"
#include "runtime/process.h"

namespace gpusim {

using runtime::current;
using runtime::device;

bool enable_checks(const std::string& which) {
  const DeviceLock lock;
  runtime::exit_with_findings();
  return current().gpu.checks.enable(which);
}
const std::vector<Finding>& findings() { return current().gpu.findings.all(); }
void clear_findings() {
  const DeviceLock lock;
  current().gpu.findings.clear();
}
const std::string& last_fault() { return current().gpu.findings.last_fault(); }
const std::string& last_fault_quoted() { return current().gpu.findings.last_fault_quoted(); }
void print_faults(bool on) {
  const DeviceLock lock;
  runtime::process().print_faults = on;
}

void enable_reports(bool on) {
  const DeviceLock lock;
  current().gpu.reports.keep(on);
}
const std::vector<Report>& reports() { return current().gpu.reports.all(); }
const Report& last_report() {
  static const Report none;
  return reports().empty() ? none : reports().back();
}
void clear_reports() {
  const DeviceLock lock;
  current().gpu.reports.clear();
}

void set_schedule(Schedule schedule) {
  const DeviceLock lock;
  device().schedule = schedule;
}
void set_start_order(StartOrder order) {
  const DeviceLock lock;
  device().start_order = order;
}
void set_turns(const Turns& turns) {
  const DeviceLock lock;
  device().turns = turns;
}
void set_instruction_budget(unsigned long long all, unsigned long long for_each_warp) {
  const DeviceLock lock;
  device().budget = {all, for_each_warp};
}
void run_only_blocks(const std::vector<std::uint64_t>& blocks) {
  const DeviceLock lock;
  device().chosen_blocks.assign(blocks.begin(), blocks.end());
}

Trace::Trace(TraceOptions options) {
  const DeviceLock lock;
  recorder_ = std::make_unique<TraceRecorder>(device(), options);
}
Trace::~Trace() {
  const DeviceLock lock;
  recorder_.reset();
}
const std::vector<LaunchTrace>& Trace::launches() const { return recorder_->launches(); }
std::string Trace::json() const {
  std::string out;
  for (const LaunchTrace& each : launches()) out += (out.empty() ? "[\n" : ",\n") + to_json(each);
  return out.empty() ? "[]\n" : out + "]\n";
}

}  // namespace gpusim
