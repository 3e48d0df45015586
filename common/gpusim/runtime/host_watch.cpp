#include "runtime/host_watch.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "analysis/parameters.h"
#include "runtime/process.h"
#include "runtime/work.h"

namespace gpusim::runtime {

bool is_host_watched = false;

namespace {

constexpr u64 kPage = 4096;
constexpr std::size_t kMostRanges = 32;  // that are watched at a time; of more, the oldest are forgotten
constexpr std::size_t kMostTouches = 8;  // until the next call of the runtime
constexpr std::size_t kMostStretches = 65536;  // of one allocation: those that come first

// What is no longer watched keeps its addresses: another thread may still be in the handler because of it.
struct Range {
  bool is_watched = false;
  u64 address = 0, bytes = 0;
  std::vector<HostMemoryUse::Stretch> stretches;  // of these bytes, those that are used; empty: all are
  u64 base = 0, size = 0;                         // what messages call them a part of
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
  bool holds(u64 at) const {
    if (!is_watched || at - address >= bytes) return false;
    if (stretches.empty()) return true;
    const auto next = std::ranges::upper_bound(stretches, at, {}, &HostMemoryUse::Stretch::begin);
    return next != stretches.begin() && at < std::prev(next)->end;
  }
};

struct Touch {
  const Range* range;
  u64 address;
  bool writes;
  ApiCall site;
};

// The code under this lock touches no watched memory, so a thread that the handler interrupts never holds it.
std::atomic_flag is_locked = ATOMIC_FLAG_INIT;
struct RangesLock {
  RangesLock() {
    while (is_locked.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~RangesLock() { is_locked.clear(std::memory_order_release); }
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
      std::to_string(touch.address - r.base) + " of " + bytes_name(r.size) + " that " + r.what +
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

// Whether host memory at this address may be watched: its pages hold nothing else.
bool may_be_watched(u64 address) {
  if (is_multi_gpu() || !current().gpu.checks.look_for_races() || !handles_segmentation_faults())
    return false;
  const Context& first = *process().contexts[0];
  const Allocation* const a = first.gpu.device.memory.find(address);
  const auto ours = a ? first.mapped_is_ours.find(a->base) : first.mapped_is_ours.end();
  return ours != first.mapped_is_ours.end() && ours->second;
}

// From now on, and until the program has waited for the last work of the stream.
void watch(Range now, const CUstream_st* in) {
  report_at_end();
  now.is_watched = true;
  now.is_ordered = in != nullptr;
  now.stream = in ? in->number : 0;
  now.tick = in ? in->clock[in->number] : 0;
  now.waits = process().waits;
  const RangesLock lock;
  std::swap(ranges[next_range++ % kMostRanges], now);
  is_host_watched = true;
}

}  // namespace

void watch_host_memory(u64 address, std::size_t bytes, GpuUse use, const std::string& what,
                       const CUstream_st* in) {
  if (bytes == 0 || !may_be_watched(address)) return;
  Range r;
  r.address = r.base = address;
  r.bytes = r.size = bytes;
  r.use = use;
  r.what = what;
  r.site = ApiCall::here();
  watch(std::move(r), in);
}

bool has_used_host_memory() {
  const HostMemoryUse* const launch = current().gpu.checks.host_memory_use();
  return launch && !launch->is_empty();
}

void watch_launch(const std::string& kernel, const ApiCall& site, const CUstream_st* in) {
  const HostMemoryUse* const launch = current().gpu.checks.host_memory_use();
  const Memory& memory = process().contexts[0]->gpu.device.memory;
  for (const GpuUse use : {GpuUse::writes, GpuUse::reads}) {
    const auto stretches = launch->stretches(use == GpuUse::writes);
    for (auto first = stretches.begin(); first != stretches.end();) {
      const Allocation* const a = memory.find(first->begin);
      if (!a) break;
      const auto behind = std::ranges::partition_point(
          first, stretches.end(), [a](const auto& s) { return s.begin < a->base + a->size; });
      const auto last = first + std::min<std::ptrdiff_t>(behind - first, kMostStretches);
      if (may_be_watched(first->begin)) {
        Range r;
        r.address = first->begin;
        r.bytes = std::prev(last)->end - r.address;
        r.stretches.assign(first, last);
        r.base = a->base;
        r.size = a->size;
        r.use = use;
        r.what = kernel;
        r.site = site;
        watch(std::move(r), in);
      }
      first = behind;
    }
  }
}

void lift_host_watch() {
  for (const Range& r : ranges)
    if (r.is_watched) r.protect(PROT_READ | PROT_WRITE);
  report_touches();
}

void set_host_watch() {
  const RangesLock lock;
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
  const RangesLock lock;
  const auto has_page = [&](const Range& r) { return address >= r.first_page() && address < r.end_page(); };
  if (std::ranges::none_of(ranges, has_page)) return false;
  void* const page = reinterpret_cast<void*>(address / kPage * kPage);
  if (mprotect(page, kPage, PROT_READ | PROT_WRITE) != 0) return false;
  const auto is_meant = [&](const Range& r) {
    return r.holds(address) && (writes || r.use == GpuUse::writes);
  };
  if (const auto r = std::ranges::find_if(ranges, is_meant); r != ranges.end())
    if (const std::size_t k = touch_count++; k < kMostTouches)
      touches[k] = {r, address, writes, ApiCall::at(pc)};
  return true;
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
