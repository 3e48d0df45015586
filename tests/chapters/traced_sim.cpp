// What the judge asks of a trace: what one block did, step by step.
#include <gpusim/compared_numbers.h>
#include <gpusim/trace.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "counts.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "quoted_line.h"

namespace judge {
namespace {

std::string place_of(const gpusim::LaunchTrace& launch, const gpusim::TraceStep& step) {
  return step.file < 0 ? "at a line that is not known" : quoted_line(launch.files[step.file], step.line);
}

}  // namespace

std::string writes_to(const void* d_array, std::size_t bytes, std::uint64_t block,
                      const std::function<void()>& launch) {
  const gpusim::Trace trace({.block = block});
  launch();
  if (trace.launches().empty()) return "";
  const gpusim::LaunchTrace& last = trace.launches().back();
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(d_array);
  for (const gpusim::TraceStep& step : last.steps) {
    if (step.kind != gpusim::StepKind::store && step.kind != gpusim::StepKind::atomic) continue;
    if (step.space != "global" ||
        std::ranges::none_of(step.addresses, [&](auto a) { return a - first < bytes; }))
      continue;
    return place_of(last, step);
  }
  return "";
}

std::string reads_of(const void* d_array, std::size_t elements, std::size_t bytes_each,
                     const std::function<void()>& launch) {
  const gpusim::Trace trace;
  launch();
  if (trace.launches().empty()) return "";
  const gpusim::LaunchTrace& last = trace.launches().back();
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(d_array);
  std::set<std::uint64_t> read;
  const gpusim::TraceStep* where = nullptr;
  for (const gpusim::TraceStep& step : last.steps) {
    if ((step.kind != gpusim::StepKind::load && step.kind != gpusim::StepKind::atomic) ||
        step.space != "global")
      continue;
    for (const std::uint64_t address : step.addresses)
      if (address - first < elements * bytes_each) read.insert((address - first) / bytes_each), where = &step;
  }
  if (!where || where->file < 0) return "";
  std::string list;
  for (auto from = read.begin(); from != read.end();) {
    auto to = from;
    while (std::next(to) != read.end() && *std::next(to) == *to + 1) ++to;
    list +=
        (list.empty() ? "" : ", ") + std::to_string(*from) + (to == from ? "" : " to " + std::to_string(*to));
    from = std::next(to);
  }
  const std::string& file = last.files[where->file];
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where->line) + " reads elements " + list +
         "\n" + place_of(last, *where);
}

namespace {

constexpr std::size_t kFlagSteps = 1'000'000;  // of a block that waits by looking
constexpr std::size_t kFlagsOfWarp = 2;        // words, at most

using Word = std::pair<bool, std::uint64_t>;  // is in shared memory; address

bool is_of_number(const std::string& op) {  // "ld.shared.u32", "atom.shared.u32"
  const std::string type = op.substr(op.rfind('.') + 1);
  return !type.empty() && type[0] != 'f';
}

bool may_be_flag(const gpusim::TraceStep& step) {
  using enum gpusim::StepKind;
  return (step.kind == load || step.kind == store || step.kind == atomic) && !step.addresses.empty() &&
         (step.space == "shared" || step.space == "global") && is_of_number(step.op);
}

// Words that a warp reads, and then reads again at the same place, having written and read nothing else, and met nobody;
// and what else is read at that place of the source: some flags have been set when a warp looks for the first time.
std::set<Word> words_polled(const gpusim::LaunchTrace& launch) {
  using enum gpusim::StepKind;
  using Place = std::tuple<int, int, int>;
  const auto place = [](const gpusim::TraceStep& step) {
    return step.file < 0 ? Place{-1, int(step.pc), 0} : Place{step.file, step.line, step.column};
  };
  std::set<Place> places;
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, Word>>> looked_at;  // by warp
  for (const gpusim::TraceStep& step : launch.steps) {
    const bool is_access = step.kind == load || step.kind == store || step.kind == atomic;
    const bool is_meeting = step.kind == barrier || step.kind == warp_sync || step.kind == shuffle;
    if (!is_access && !is_meeting) continue;
    if (is_access && (step.space == "param" || step.space == "local" || step.space == "const")) continue;
    auto& seen = looked_at[step.warp];
    if (!may_be_flag(step) || step.kind == store) {
      seen.clear();
      continue;
    }
    for (const std::uint64_t address : step.addresses) {
      const Word word = {step.space == "shared", address};
      if (!seen.insert({step.pc, word}).second) places.insert(place(step));
    }
  }
  std::set<Word> polled;
  for (const gpusim::TraceStep& step : launch.steps)
    if (may_be_flag(step) && places.contains(place(step)))
      for (const std::uint64_t address : step.addresses) polled.insert({step.space == "shared", address});
  const std::size_t threads = std::size_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (polled.size() > kFlagsOfWarp * ((threads + 31) / 32)) polled.clear();
  return polled;
}

}  // namespace

std::vector<FlagTraffic> flag_traffic(std::uint64_t block, const std::function<void()>& launch) {
  static const bool may_have_flags = gpusim::kernels_load_whole_numbers();
  if (!may_have_flags) return {};  // a trace takes long
  const gpusim::Trace trace({.block = block, .max_steps = kFlagSteps});
  launch();
  std::vector<FlagTraffic> lines;
  if (trace.launches().empty()) return lines;
  const gpusim::LaunchTrace& last = trace.launches().back();
  const std::set<Word> polled = words_polled(last);
  if (polled.empty()) return lines;
  for (const gpusim::TraceStep& step : last.steps) {
    const bool is_shared = step.space == "shared";
    if (!may_be_flag(step) ||
        !std::ranges::all_of(step.addresses, [&](auto a) { return polled.contains({is_shared, a}); }))
      continue;
    const std::string file = step.file < 0 ? "" : last.files[step.file];
    auto line = std::ranges::find_if(lines, [&](const FlagTraffic& l) {
      return l.file == file && l.line == step.line && l.is_shared == is_shared;
    });
    if (line == lines.end()) line = lines.insert(line, {file, step.line, is_shared});
    using enum gpusim::StepKind;
    (step.kind == load ? line->loads : step.kind == store ? line->stores : line->atomics) += 1;
  }
  return lines;
}

namespace {

// What warps did at a conditional branch behind the block's first barrier, in all launches looked at.
struct Met {
  bool jumped = false, went_on = false;  // some lane
  bool by_whole_warps = true;            // each time
  std::string place;
};

// A warp at a branch that it has met before.
struct Before {
  std::uint32_t lanes = 0;
  int waits = 0, accesses = 0;  // of the warp, before it
};

constexpr const char* kWrittenOut = " (this chapter asks for levels that are written out): ";

// Where a warp goes round a loop: it meets a branch again, having waited for others in between; or, behind the first barrier,
// having read or written anything but a flag. Else an empty string; `branches` gets all that were met behind that barrier.
std::string loop_of_levels(const gpusim::LaunchTrace& launch, std::map<std::uint32_t, Met>& branches) {
  struct Warp {
    std::map<std::uint32_t, Before> met;
    int waits = 0, barriers = 0, accesses = 0;
  };
  std::map<std::uint32_t, Warp> warps;
  for (const gpusim::TraceStep& step : launch.steps) {
    using enum gpusim::StepKind;
    Warp& w = warps[step.warp];
    w.waits += step.kind == barrier || step.kind == warp_sync || step.kind == shuffle;
    w.barriers += step.kind == barrier;
    const bool is_access = step.kind == load || step.kind == store || step.kind == atomic;
    w.accesses += is_access && step.space != "param" && !may_be_flag(step);
    if (!step.is_conditional) continue;
    Before& before = w.met[step.pc];
    if (before.lanes & step.mask) {
      if (w.waits > before.waits)
        return "its warps go round a loop over the levels, and ask each time whether there is another" +
               std::string(kWrittenOut) + "@\n" + place_of(launch, step);
      if (w.barriers > 0 && w.accesses > before.accesses)
        return "its warps go round a loop behind the barrier, and ask each time whether there is more to add" +
               std::string(kWrittenOut) + "@\n" + place_of(launch, step);
    }
    before = {before.lanes | step.mask, w.waits, w.accesses};
    if (w.barriers == 0) continue;
    Met& met = branches[step.pc];
    met.jumped |= (step.mask & step.taken) != 0;
    met.went_on |= (step.mask & ~step.taken) != 0;
    met.by_whole_warps &= step.mask == 0xffffffffu;
    met.place = place_of(launch, step);
  }
  return "";
}

}  // namespace

bool check_levels_written_out(const SumKernel& kernel) {
  if (is_as_shipped(kernel.name)) return leave_out(kernel.name), true;
  struct Looked {
    int n;
    std::uint64_t block;
  };
  const int all = kernel.per_sum;
  std::map<std::uint32_t, Met> branches;
  const auto reject = [&](std::string message) {
    message.replace(message.find('@'), 1, kernel.name);
    report({Kind::unimproved, message, "", kernel.name});
    return false;
  };
  for (const Looked& at : {Looked{all, 0}, Looked{2 * all, 1}, Looked{0, 0}, Looked{1, 0},
                           Looked{all / 2 + 1, 0}, Looked{all - 1, 0}}) {
    harness::DeviceBuffer<float> d_in(harness::uniform_floats(at.n, 2)), d_sums(kernel.count_of(at.n));
    const gpusim::Trace trace({.block = at.block});
    kernel.launch(d_in.data(), d_sums.data(), at.n);
    check_launch(kernel.name + std::string(", traced"));
    if (const std::string loop = loop_of_levels(trace.launches().back(), branches); !loop.empty())
      return reject(loop);
  }
  // All go the same way there, whatever they have been given: the compiler could have known which.
  for (const auto& [pc, met] : branches)
    if (met.by_whole_warps && met.jumped != met.went_on)
      return reject(
          "its warps ask behind the barrier what has but one answer: whether there is another level" +
          std::string(kWrittenOut) + "@\n" + met.place);
  return true;
}

bool check_last_warp_alone(const SumKernel& kernel) {
  if (is_as_shipped(kernel.name)) return leave_out(kernel.name), true;
  harness::DeviceBuffer<float> d_in(harness::uniform_floats(kernel.per_sum, 2)), d_sums(1);
  const gpusim::Trace trace;
  kernel.launch(d_in.data(), d_sums.data(), kernel.per_sum);
  check_launch(kernel.name + std::string(", traced"));
  const gpusim::LaunchTrace& launch = trace.launches().back();

  struct Warp {
    std::vector<const gpusim::TraceStep*> barriers;
    std::size_t shared_until =
        0;  // barriers, up to the one behind its last access to shared memory; 0: there is none
  };
  std::map<std::uint32_t, Warp> warps;
  std::uint32_t last = 0;  // which stores the sum
  for (const gpusim::TraceStep& step : launch.steps) {
    using enum gpusim::StepKind;
    Warp& w = warps[step.warp];
    if (step.kind == barrier) w.barriers.push_back(&step);
    const bool is_access = step.kind == load || step.kind == store || step.kind == atomic;
    if (is_access && step.space == "shared") w.shared_until = w.barriers.size() + 1;
    if ((step.kind == store || step.kind == atomic) && step.space == "global") last = step.warp;
  }
  std::size_t needed = 0;
  for (const auto& [warp, w] : warps)
    if (warp != last) needed = std::max(needed, w.shared_until);
  const Warp& w = warps[last];
  if (w.barriers.size() <= needed) return true;
  const std::size_t in_vain = w.barriers.size() - needed;
  report({Kind::unimproved,
          "its last warp comes to a barrier of the block " +
              (in_vain == 1 ? "once more" : std::to_string(in_vain) + " times more") +
              ", when no other warp has anything to add (this chapter asks for __syncwarp() there): " +
              kernel.name + "\n" + place_of(launch, *w.barriers[needed]),
          "", kernel.name});
  return false;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
