// The functions that gpusim/*.h offers programs. They apply to all GPUs; a trace is of the GPU that the
// calling host thread uses.
#include <algorithm>

#include "gpusim/accesses.h"
#include "gpusim/array_names.h"
#include "gpusim/check.h"
#include "gpusim/chosen_blocks.h"
#include "gpusim/devices.h"
#include "gpusim/fresh_memory.h"
#include "gpusim/report.h"
#include "gpusim/schedule.h"
#include "gpusim/trace.h"
#include "reports/access_record.h"
#include "reports/trace.h"
#include "runtime/environment.h"
#include "runtime/exploring.h"
#include "runtime/machine.h"
#include "runtime/process.h"
#include "runtime/work.h"

namespace gpusim {

using runtime::device;

namespace {

// Waits for all work first, because a setting applies to the work that comes after it.
template <class F> void for_each_gpu(F f) {
  runtime::finish_all();
  for (const auto& context : runtime::process().contexts) f(context->gpu);
}

// GPU 0, which holds the findings and counters of all GPUs.
Gpu& first() { return runtime::process().contexts[0]->gpu; }

}  // namespace

void use_devices(unsigned count) {
  const DeviceLock lock;
  runtime::use_devices(std::clamp(count, 1u, Memory::kMostGpus));
}

bool enable_checks(const std::string& which) {
  const DeviceLock lock;
  runtime::exit_with_findings();
  const bool sampled = first().checks.is_sampling();
  bool known = true;
  for_each_gpu([&](Gpu& gpu) { known = known && gpu.checks.enable(which); });
  if (known) runtime::process().checks = which;
  if (known) runtime::process().exits_with_faults = false;  // the program judges faults itself
  if (known && sampled) {                                   // the program reads its findings itself
    first().findings.print(false);
    first().findings.clear();
  }
  return known;
}
std::string checks_for_kernels() { return Checks::names_for_kernels(); }
const std::vector<Finding>& findings() { return first().findings.all(); }
const std::vector<Proof>& proofs() { return first().findings.proofs(); }
void prove_launches(bool on) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.checks.prove(on); });
}
const Proof* proof_of(const Report& report) {
  const Proof* worst = nullptr;
  for (const Proof& p : proofs())
    if (p.kernel == report.kernel && std::ranges::equal(p.grid, report.grid) &&
        std::ranges::equal(p.block, report.block) &&
        (!worst || p.compiled.verdict > worst->compiled.verdict))  // not_proved is the largest
      worst = &p;
  return worst;
}
void clear_findings() {
  const DeviceLock lock;
  first().findings.clear();
}
const std::string& last_fault() { return first().findings.last_fault(); }
const std::string& last_fault_quoted() { return first().findings.last_fault_quoted(); }
void print_faults(bool on) {
  const DeviceLock lock;
  runtime::process().print_faults = on;
}

void enable_reports(bool on) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.reports.keep(on); });
}
// The harness of the chapters calls this. Other programs are predicted if GPUSIM_REPORT asks for it.
void enable_predictions(bool on) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) {
    gpu.reports.predict_for(on ? std::optional(machine_from_environment(timing::Machine::Kernels::known))
                               : std::nullopt);
  });
}
void answer_for_machine() {
  const DeviceLock lock;
  runtime::finish_all();
  if (!runtime::process().machine) runtime::answer_for(machine_from_environment());
}
const std::vector<Report>& reports() { return first().reports.all(); }
const Report& last_report() {
  static const Report none;
  return reports().empty() ? none : reports().back();
}
std::vector<LinkTraffic> link_traffic() {
  const DeviceLock lock;
  return first().reports.links();
}
void clear_reports() {
  const DeviceLock lock;
  first().reports.clear();
}

void set_schedule(Schedule schedule) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.schedule = schedule; });
}
void set_fresh_memory(FreshMemory what) {
  const DeviceLock lock;
  const u8 byte = what == FreshMemory::nan    ? Backing::kNan
                  : what == FreshMemory::zero ? Backing::kZero
                                              : Backing::kLarge;
  for_each_gpu([&](Gpu& gpu) { gpu.device.memory.fresh = byte; });
}
bool name_array(const void* array, const std::string& name, std::size_t element_bytes) {
  const DeviceLock lock;
  bool is_there = false;
  for_each_gpu([&](Gpu& gpu) {
    is_there |= gpu.device.memory.give_name(reinterpret_cast<u64>(array), {name, u32(element_bytes)});
  });
  return is_there;
}
void set_start_order(StartOrder order) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.start_order = order; });
}
void set_turns(const Turns& turns) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.turns = turns; });
}
void set_replay(bool on) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.replay = on; });
}
unsigned long long replayed_launches() {
  const DeviceLock lock;
  return first().device.replayed();
}
void set_host_threads(unsigned threads) {
  const DeviceLock lock;
  for_each_gpu(
      [&](Gpu& gpu) { gpu.device.host_threads = std::clamp(threads, 1u, Settings::kMostHostThreads); });
}
void set_instruction_budget(unsigned long long all, unsigned long long for_each_warp) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.budget = {all, for_each_warp}; });
}
void set_time_limit(double processor_seconds) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.processor_seconds = processor_seconds; });
}
void run_only_blocks(const std::vector<std::uint64_t>& blocks) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.chosen_blocks.assign(blocks.begin(), blocks.end()); });
}
void run_first_warps(unsigned warps) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.first_warps = warps; });
}
void run_some_blocks(std::uint64_t most) {
  const DeviceLock lock;
  for_each_gpu([&](Gpu& gpu) { gpu.device.most_blocks = most; });
}

AccessRecord::AccessRecord() {
  const DeviceLock lock;
  recorder_ = std::make_unique<AccessRecorder>(device());
}
AccessRecord::~AccessRecord() {
  const DeviceLock lock;
  recorder_.reset();
}
const std::vector<GlobalBytes>& AccessRecord::loads() const { return recorder_->loads(); }
const std::vector<GlobalBytes>& AccessRecord::stores() const { return recorder_->stores(); }

Trace::Trace(TraceOptions options) {
  const DeviceLock lock;
  const auto& exploring = runtime::process().exploring;
  if (!exploring || !exploring->schedule) {
    recorder_ = std::make_unique<TraceRecorder>(device(), options);
    return;
  }
  scheduled_ = std::make_unique<ScheduledTrace>(*exploring->schedule);
  exploring->trace = scheduled_.get();
}
Trace::~Trace() {
  const DeviceLock lock;
  if (scheduled_) runtime::process().exploring->trace = nullptr;
  recorder_.reset();
}
const std::vector<LaunchTrace>& Trace::launches() const {
  return scheduled_ ? scheduled_->launches() : recorder_->launches();
}
std::string Trace::json() const {
  std::string out;
  for (const LaunchTrace& each : launches()) out += (out.empty() ? "[\n" : ",\n") + to_json(each);
  return out.empty() ? "[]\n" : out + "]\n";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
