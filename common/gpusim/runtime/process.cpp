#include "runtime/process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "checking/proof.h"
#include "execution/events.h"
#include "reports/text.h"
#include "runtime/environment.h"
#include "runtime/misuse.h"
#include "runtime/work.h"

namespace gpusim::runtime {
namespace {

thread_local u32 used_gpu = 0;

// A line for each kernel, shape and verdict: of launches that differ in their arguments alone, the first one's.
void print_proofs(const std::vector<Proof>& proofs) {
  for (const auto& [proof, others] : without_arguments(proofs))
    std::fprintf(stderr, "gpusim: %s%s\n", to_text(*proof).c_str(),
                 others ? (" (so for " + std::to_string(others) + " other lists of arguments)").c_str() : "");
}

void leave() {
  if (is_forked()) return;  // the findings and reports are the parent's
  const DeviceLock lock;
  finish_all();
  Gpu& first = process().contexts[0]->gpu;
  if (process().exits_with_findings)
    for (const auto& context : process().contexts) context->gpu.checks.program_ends();
  if (process().prints_proofs) print_proofs(first.findings.proofs());
  if (process().tells_of_proofs) {
    const bool has_race =
        std::ranges::any_of(first.findings.all(), [](const Finding& f) { return f.check == "race"; });
    const std::string text = has_race ? "" : to_text_of_other_runs(first.findings.proofs());
    if (!text.empty()) std::fprintf(stderr, "gpusim: %s\n", text.c_str());
  }
  bool has_failed = false;
  for (const auto& task : process().last_tasks) has_failed |= !task();
  const unsigned long long errors =
      process().exits_with_findings
          ? first.findings.errors() + (process().exits_with_faults ? process().faults : 0)
          : 0;
  if (errors == 0 && !has_failed) return;
  std::fflush(nullptr);
  if (errors != 0)
    std::fprintf(stderr, "gpusim: %llu finding%s; exit status 1\n", errors, errors == 1 ? "" : "s");
  std::_Exit(1);
}

void expect_end() {
  if (!std::exchange(process().is_told_of_end, true)) std::atexit(leave);
}

CUstream_st& own_stream(Context& c) {
  CUstream_st& s = *new CUstream_st;
  s.context = &c;
  return s;
}

}  // namespace

Context::Context() : legacy(own_stream(*this)), per_thread(own_stream(*this)) {}
Context::Context(u32 number, Context& first)
    : gpu(number, first.gpu), legacy(own_stream(*this)), per_thread(own_stream(*this)) {}
Context::~Context() {
  delete &legacy;
  delete &per_thread;
}

Process::Process() {
  contexts.push_back(std::make_unique<Context>());
  contexts[0]->legacy.number = streams_made++;
  contexts[0]->per_thread.number = streams_made++;
}

Process& process() {
  static Process& instance = *new Process;
  return instance;
}

void configure() {
  if (std::exchange(process().is_configured, true)) return;
  explain_segmentation_faults();
  configure_from_environment();
}

u32 current_number() { return used_gpu; }
void set_current(u32 number) { used_gpu = number; }
Context& current() {
  return *process().contexts[std::min<std::size_t>(used_gpu, process().contexts.size() - 1)];
}

OnGpu::OnGpu(const Context& context) : before_(used_gpu) { used_gpu = context.gpu.device.number; }
OnGpu::~OnGpu() { used_gpu = before_; }

Device& owner_of(u64 address) {
  auto& contexts = process().contexts;
  const u32 owner = Memory::gpu_of(address);
  return contexts[owner < contexts.size() ? owner : 0]->gpu.device;
}

void tell_written(u64 address, std::size_t bytes) {
  for (Observer* observer : owner_of(address).observers) observer->host_wrote(address, bytes);
}

void tell_in_stream(const std::string& what, u64 address, std::size_t bytes, bool writes,
                    const CUstream_st& s, const char* verb) {
  if (s.context->gpu.device.observers.empty()) return;
  StreamAccess access = {what, address, bytes, writes, moment_in(s), verb, {}};
  // With several GPUs the work may be done in a later call than the one that gives it.
  if (!is_multi_gpu()) access.site = ApiCall::here();
  for (Observer* observer : s.context->gpu.device.observers) observer->in_stream(access);
}

void count_link(u32 from, u32 to, std::size_t bytes) {
  Reports& reports = process().contexts[0]->gpu.reports;
  if (from != to && bytes != 0 && reports.are_wanted()) reports.add({from, to, 1, bytes});
}

void expect_others() {
  process().streams_wait = true;
  process().overlaps = false;
  // A launch that the checks do not hear of may carry a message between GPUs that orders what they do hear of.
  Checks& checks = process().contexts[0]->gpu.checks;
  if (checks.is_sampling()) checks.enable("none");
}

void expect_overlap() { process().overlaps = !process().streams_wait; }

// GPUs that the program no longer sees keep their memory.
void use_devices(u32 count) {
  Process& p = process();
  finish_all();
  p.visible = count;
  if (p.contexts.size() >= count) return;
  expect_others();
  Gpu& first = p.contexts[0]->gpu;
  while (p.contexts.size() < count) {
    const u32 number = u32(p.contexts.size());
    p.contexts.push_back(std::make_unique<Context>(number, *p.contexts[0]));
    Context& c = *p.contexts.back();
    c.legacy.number = number_of_stream();
    c.per_thread.number = number_of_stream();
    static_cast<Settings&>(c.gpu.device) = first.device;
    c.gpu.device.memory.fresh = first.device.memory.fresh;
    c.gpu.reports.predict_as(first.reports);
    c.gpu.reports.keep(first.reports.are_wanted());
    c.gpu.checks.enable(p.checks);
  }
  for (const auto& context : p.contexts) {
    p.peers.add(context->gpu.device.number, context->gpu.device.memory);
    context->gpu.device.peers = &p.peers;
  }
}

void exit_with_findings() {
  expect_end();
  process().exits_with_findings = true;
}

void at_end(std::function<bool()> task) {
  expect_end();
  process().last_tasks.push_back(std::move(task));
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
