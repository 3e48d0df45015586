#include "runtime/work.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/kernel_task.h"

namespace gpusim::runtime {
namespace {

template <class F> void for_each_stream(Context& c, F f) {
  f(c.legacy);
  f(c.per_thread);
  std::vector<CUstream_st*> made(c.streams.begin(), c.streams.end());
  std::ranges::sort(made, {}, &CUstream_st::number);  // the same order in every run
  for (CUstream_st* s : made) f(*s);
}
template <class F> void for_each_stream(F f) {
  for (const auto& context : process().contexts) for_each_stream(*context, f);
}

// The GPUs whose streams a task of the default stream waits for, and which wait for it.
std::vector<Context*> in_line(const CUstream_st& legacy, const Task& task) {
  std::vector<Context*> all = task.with;
  if (std::ranges::find(all, legacy.context) == all.end()) all.push_back(legacy.context);
  return all;
}

// Whether the default stream of another GPU has earlier work for which the streams of this GPU wait.
bool waits_for_another(const Context& c, u64 order) {
  return std::ranges::any_of(process().contexts, [&](const auto& other) {
    return other.get() != &c && std::ranges::any_of(other->legacy.tasks, [&](const auto& task) {
             return task->order < order && std::ranges::find(task->with, &c) != task->with.end();
           });
  });
}

// Whether the first task of a stream may begin. CUDA's legacy default stream waits for earlier work of the
// other streams of its GPU, and they wait for it, except for streams made with cudaStreamNonBlocking. A copy
// between two GPUs waits for the streams of both.
bool may_begin(const CUstream_st& s) {
  const u64 order = s.tasks.front()->order;
  const auto is_behind = [&](const CUstream_st& other) {
    return other.tasks.empty() || other.tasks.front()->order > order;
  };
  if (!is_blocking(s)) return true;
  if (waits_for_another(*s.context, order)) return false;
  if (!is_legacy(s)) return is_behind(s.context->legacy);
  bool may = true;
  for (Context* context : in_line(s, *s.tasks.front()))
    for_each_stream(*context, [&](const CUstream_st& other) {
      may &= &other == &s || !is_blocking(other) || is_behind(other);
    });
  return may;
}

// Begins the next work of a stream: its clock is then after what the host had waited for, and after the work
// of the streams that it waits for.
void begin(CUstream_st& s, const Clock& host, const std::vector<Context*>& of) {
  join(s.clock, host);
  if (is_legacy(s)) {
    for (Context* context : of)
      for_each_stream(*context, [&](const CUstream_st& other) {
        if (is_blocking(other)) join(s.clock, other.clock);
      });
  } else if (is_blocking(s)) {
    join(s.clock, s.context->legacy.clock);
  }
  if (s.clock.size() <= s.number) s.clock.resize(s.number + 1);
  ++s.clock[s.number];
}
void begin(CUstream_st& s, Task& task) {
  task.has_begun = true;
  begin(s, task.host, in_line(s, task));
  for (Context* context : task.with) join(context->legacy.clock, s.clock);
}

// Does what the stream's tasks can do now. Returns whether anything has moved. (A task may destroy other
// streams, but not its own.)
bool step(CUstream_st& s) {
  bool moved = false;
  while (!s.tasks.empty()) {
    Task& task = *s.tasks.front();
    if (!task.has_begun) {
      if (!may_begin(s)) return moved;
      begin(s, task);
    }
    const OnGpu on(*s.context);
    const Progress step = task.step(s);
    if (step != Progress::waits) moved = true;
    if (step != Progress::done) return moved;
    s.tasks.pop_front();
  }
  return moved;
}

bool has_other_threads() {
  std::error_code error;
  const auto threads = std::filesystem::directory_iterator("/proc/self/task", error);
  return std::distance(begin(threads), end(threads)) > 1;
}

// Ends the tasks that can never go on, unless one of them can go on after all.
void give_up() {
  bool tell = true, gone_on = false;
  for_each_stream([&](CUstream_st& s) {
    if (gone_on || s.tasks.empty() || !s.tasks.front()->has_begun) return;
    const OnGpu on(*s.context);
    gone_on = !s.tasks.front()->is_stuck(s);
  });
  for_each_stream([&](CUstream_st& s) {
    if (gone_on || s.tasks.empty() || !s.tasks.front()->has_begun) return;
    const OnGpu on(*s.context);
    Task& task = *s.tasks.front();
    const Progress step = task.step(s);  // it may go on, now that an earlier task was given up
    gone_on = step == Progress::moved;
    if (step == Progress::waits && task.give_up(s, tell)) tell = false;
    else if (step != Progress::done) return;
    s.tasks.pop_front();
  });
}

class HostAct final : public Task {
 public:
  explicit HostAct(std::function<void(const CUstream_st&)> act) : act_(std::move(act)) {}
  Progress step(CUstream_st& s) override {
    if (!device_lost()) act_(s);
    return Progress::done;
  }

 private:
  std::function<void(const CUstream_st&)> act_;
};

}  // namespace

bool is_multi_gpu() { return process().streams_wait; }

// Nothing notifies this process of messages from others, so it asks for them again and again, at growing
// intervals.
bool others_go_on(double patiences) {
  using Clock = std::chrono::steady_clock;
  Process& p = process();
  if (!p.remote_ranks && !has_other_threads()) return false;
  const u64 given = p.given;
  const auto has_given = [&] { return p.given != given; };
  const double patience = patiences * p.patience;
  if (!p.remote_ranks) return p.mutex.wait_for(patience, has_given);
  const auto begin = Clock::now();
  for (;;) {
    if (p.remote_ranks->take()) return true;
    const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
    if (waited > patience) return false;
    if (p.mutex.wait_for(std::clamp(waited / 8, 2e-5, 2e-3), has_given)) return true;
  }
}

CUstream_st* find_stream(cudaStream_t stream) {
  if (!stream || stream == cudaStreamLegacy) return &current().legacy;
  if (stream == cudaStreamPerThread) return &current().per_thread;
  for (const auto& context : process().contexts)
    if (context->streams.count(stream)) return stream;
  return nullptr;
}

u32 number_of_stream() { return process().streams_made++; }

void give(CUstream_st& stream, std::unique_ptr<Task> task) {
  task->order = ++process().given;
  task->host = process().host_clock;
  stream.tasks.push_back(std::move(task));
  process().mutex.notify();
  go_on();
}
void give(CUstream_st& stream, std::function<void(const CUstream_st&)> act, std::vector<Context*> with) {
  auto task = std::make_unique<HostAct>(std::move(act));
  if (is_legacy(stream)) task->with = std::move(with);
  give(stream, std::move(task));
}

bool go_on() {
  RemoteRanks* const remote = process().remote_ranks;
  bool moved = remote && remote->take();
  for_each_stream([&](CUstream_st& s) { moved |= step(s); });
  return moved;
}

void go_on_until(const std::function<bool()>& is_so) {
  while (!is_so()) {
    if (go_on()) continue;
    if (is_so()) return;
    if (let_held_kernels_go()) continue;
    if (!others_go_on()) give_up();
  }
}

const CUstream_st* begin_now(cudaStream_t stream) {
  const bool is_asked = process().overlaps && current().gpu.checks.look_for_races();
  CUstream_st* const s = is_asked ? find_stream(stream) : nullptr;
  if (s) begin(*s, process().host_clock, {s->context});
  return s;
}
LaunchMoment moment_in(const CUstream_st& s) {
  return {s.number,    s.clock[s.number], s.clock, is_multi_gpu() ? Clock() : process().host_clock,
          s.vain_wait, s.graph_launch};
}

void finish(CUstream_st& stream) {
  if (is_multi_gpu()) go_on_until([&] { return stream.tasks.empty(); });
  host_comes_after(stream.clock);
}
void finish(Context& context) {
  if (!is_multi_gpu() && !process().overlaps) return host_comes_after({});
  for_each_stream(context, [](CUstream_st& s) { finish(s); });
  host_comes_after(context.destroyed);
}
void finish_all() {
  for (const auto& context : process().contexts) finish(*context);
}

void host_comes_after(const Clock& clock) {
  join(process().host_clock, clock);
  ++process().waits;
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
