#include "runtime/host_watch.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdlib>

#include "analysis/parameters.h"
#include "runtime/process.h"
#include "runtime/work.h"

namespace gpusim::runtime {

bool is_host_watched = false;

namespace {

constexpr u64 kPage = 4096;
constexpr std::size_t kMostRanges = 16;  // that are watched at a time; of more, the oldest are forgotten
constexpr std::size_t kMostTouches = 8;  // until the next call of the runtime

// What is no longer watched keeps its addresses: another thread may still be in the handler because of it.
struct Range {
  std::atomic<bool> is_watched = false;
  u64 address = 0, bytes = 0;
  GpuUse use = GpuUse::reads;
  std::string what;
  bool is_ordered = false;  // by these two; else by `waits`
  u32 stream = 0, tick = 0;
  u64 waits = 0;
  ApiCall site;

  u64 first_page() const { return address / kPage * kPage; }
  u64 end_page() const { return (address + bytes + kPage - 1) / kPage * kPage; }
  bool protect(int how) const {
    return mprotect(reinterpret_cast<void*>(first_page()), end_page() - first_page(), how) == 0;
  }
};

struct Touch {
  const Range* range;
  u64 address;
  bool writes;
  ApiCall site;
};

std::array<Range, kMostRanges> ranges;
std::size_t next_range = 0;
std::array<Touch, kMostTouches> touches;
std::atomic<std::size_t> touch_count = 0;

bool is_waited_for(const Range& r) {
  if (!r.is_ordered) return process().waits != r.waits;
  const Clock& host = process().host_clock;
  return r.stream < host.size() && host[r.stream] >= r.tick;
}

void report(const Touch& touch) {
  const Range& r = *touch.range;
  Finding f;
  f.check = "race";
  f.place = place_of(touch.site);
  f.other = place_of(r.site);
  f.message =
      std::string("the host ") + (touch.writes ? "writes" : "reads") + " byte " +
      std::to_string(touch.address - r.address) + " of " + bytes_name(r.bytes) + " that " + r.what +
      " may still " + (r.use == GpuUse::writes ? "write" : "read") +
      ": wait for that work first (cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize)";
  process().contexts[0]->gpu.findings.report(std::move(f));
}

void report_touches() {
  const std::size_t count = std::min(touch_count.exchange(0), kMostTouches);
  for (std::size_t k = 0; k < count; ++k) report(touches[k]);
}

void report_at_end() {
  static const int is_registered = std::atexit([] { const DeviceLock lock; });  // which reports
  (void)is_registered;
}

}  // namespace

void watch_host_memory(u64 address, std::size_t bytes, GpuUse use, const std::string& what,
                       const CUstream_st* in) {
  if (bytes == 0 || is_multi_gpu() || !current().gpu.checks.look_for_races()) return;
  const Context& first = *process().contexts[0];
  const Allocation* const a = first.gpu.device.memory.find(address);
  const auto ours = a ? first.mapped_is_ours.find(a->base) : first.mapped_is_ours.end();
  if (ours == first.mapped_is_ours.end() || !ours->second || !handles_segmentation_faults()) return;
  report_at_end();
  Range& r = ranges[next_range++ % kMostRanges];
  r.is_watched = false;
  r.address = address;
  r.bytes = bytes;
  r.use = use;
  r.what = what;
  r.is_ordered = in != nullptr;
  r.stream = in ? in->number : 0;
  r.tick = in ? in->clock[in->number] : 0;
  r.waits = process().waits;
  r.site = ApiCall::here();
  r.is_watched = true;
  is_host_watched = true;
}

void lift_host_watch() {
  for (const Range& r : ranges)
    if (r.is_watched) r.protect(PROT_READ | PROT_WRITE);
  report_touches();
}

void set_host_watch() {
  is_host_watched = false;
  const bool may_watch = handles_segmentation_faults() && current().gpu.checks.look_for_races();
  for (Range& r : ranges) {
    const Allocation* const a =
        r.is_watched ? process().contexts[0]->gpu.device.memory.find(r.address) : nullptr;
    r.is_watched = a && may_watch && !is_waited_for(r);
    if (r.is_watched) is_host_watched = true;
  }
  // Readable pages first, because a page may hold the ends of two ranges.
  for (const GpuUse use : {GpuUse::reads, GpuUse::writes})
    for (const Range& r : ranges)
      if (r.is_watched && r.use == use) r.protect(use == GpuUse::writes ? PROT_NONE : PROT_READ);
}

bool is_watched_access(u64 address, bool writes, void* pc) {
  for (const Range& r : ranges) {
    if (address < r.first_page() || address >= r.end_page()) continue;
    void* const page = reinterpret_cast<void*>(address / kPage * kPage);
    if (mprotect(page, kPage, PROT_READ | PROT_WRITE) != 0) continue;
    for (const Range& exact : ranges) {
      if (!exact.is_watched || address - exact.address >= exact.bytes) continue;
      if (exact.use == GpuUse::reads && !writes) continue;
      const std::size_t k = touch_count++;
      if (k < kMostTouches) touches[k] = {&exact, address, writes, ApiCall::at(pc)};
      break;
    }
    return true;
  }
  return false;
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
