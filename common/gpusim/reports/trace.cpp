#include "reports/trace.h"

#include <algorithm>
#include <bit>

#include "execution/device.h"
#include "lanes/each_lane.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

const char* name_of(Space space) {
  switch (space) {
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
    case Space::constant: return "const";
    case Space::param: return "param";
    case Space::generic: return "generic";
  }
  return "";
}

StepKind step_kind(const Instruction& in) {
  switch (facts_of(in.shape).kind) {
    case ShapeFacts::Kind::other: return StepKind::instr;
    case ShapeFacts::Kind::load: return StepKind::load;
    case ShapeFacts::Kind::store: return StepKind::store;
    case ShapeFacts::Kind::atomic: return StepKind::atomic;
    case ShapeFacts::Kind::branch: return StepKind::branch;
    case ShapeFacts::Kind::barrier: return StepKind::barrier;
    case ShapeFacts::Kind::warp_sync: return StepKind::warp_sync;
    case ShapeFacts::Kind::shuffle: return StepKind::shuffle;
    case ShapeFacts::Kind::vote: return StepKind::vote;
    case ShapeFacts::Kind::call: return StepKind::call;
    case ShapeFacts::Kind::leave: return StepKind::leave;
  }
  return StepKind::instr;
}

bool accesses_memory(StepKind kind) {
  return kind == StepKind::load || kind == StepKind::store || kind == StepKind::atomic;
}

// "ld.shared.v2.f32", "cvt.f32.s32"
std::string op_of(const Instruction& in) {
  std::string op = mnemonic(in.op);
  if (accesses_memory(step_kind(in)) && in.space != Space::generic)
    op += std::string(".") + name_of(in.space);
  if (in.vector > 1) op += ".v" + std::to_string(in.vector);
  if (in.dest_type != in.type && in.dest_type != Type::none) op += std::string(".") + name_of(in.dest_type);
  if (in.type != Type::none) op += std::string(".") + name_of(in.type);
  return op;
}

void copy(const Dim3& from, unsigned (&to)[3]) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

// The position of a lane's entry in a list with one for each lane of the mask.
std::size_t position(Mask mask, u32 lane) {
  return std::size_t(std::popcount(mask & ((Mask(1) << lane) - 1)));
}

}  // namespace

TraceRecorder::TraceRecorder(Device& device, TraceOptions options) : TraceRecorder(device, options, nullptr) {
  device_.observers.push_back(this);
}

TraceRecorder::TraceRecorder(Device& device, TraceOptions options, std::vector<LaunchTrace>* all)
    : device_(device), options_(options), launches_(all ? *all : own_) {}

TraceRecorder::~TraceRecorder() { std::erase(device_.observers, this); }

void TraceRecorder::launch_begin(const LaunchInfo& launch) {
  const KernelInfo& kernel = *launch.kernel;
  const std::string& name = kernel.pretty_name.empty() ? kernel.name : kernel.pretty_name;
  recording_ = std::ranges::none_of(launches_, [&](const LaunchTrace& t) { return t.kernel == name; });
  if (!recording_) return;
  LaunchTrace trace;
  trace.kernel = name;
  copy(launch.grid, trace.grid);
  copy(launch.block, trace.block);
  trace.traced_block = options_.block;
  launches_.push_back(std::move(trace));
  program_ = launch.program;
}

void TraceRecorder::go_on(const LaunchInfo& launch) {
  recording_ = true;
  program_ = launch.program;
}

void TraceRecorder::launch_end(const LaunchInfo&, bool completed) {
  if (recording_) launches_.back().completed = completed;
  recording_ = false;
  program_ = nullptr;
}

void TraceRecorder::add(const Issue& i) {
  LaunchTrace& trace = launches_.back();
  if (trace.steps.size() >= options_.max_steps) {
    trace.truncated = true;
    return;
  }
  const Instruction& in = program_->code[i.pc];
  TraceStep step;
  step.pc = i.pc;
  step.op = op_of(in);
  step.kind = step_kind(in);
  step.mask = i.mask;
  step.warp = i.warp;
  step.block = i.block;
  step.gpu = device_.number;
  if (const SourceLine& source = program_->lines[i.pc]; source.line != 0) {
    step.file = index_of(program_->files[source.file]);
    step.line = int(source.line);
    step.column = source.column;
  }
  if (accesses_memory(step.kind)) {
    step.space = name_of(in.space);
    step.bytes = size_of(in.type) * in.vector;
  }
  trace.steps.push_back(std::move(step));
}

// The step that an event belongs to: the device tells of an instruction and then of what it does. Null if it
// was not kept.
TraceStep* TraceRecorder::newest(const Issue& i) {
  if (!is_traced(i) || launches_.back().truncated || launches_.back().steps.empty()) return nullptr;
  TraceStep& step = launches_.back().steps.back();
  return step.pc == i.pc && is_of(step, i) ? &step : nullptr;
}

void TraceRecorder::branch(const Issue& i, Mask taken) {
  TraceStep* step = newest(i);
  if (!step) return;
  step->is_conditional = true;
  step->taken = taken;
}

// A generic access tells of each space that its lanes reach.
void TraceRecorder::access(const Access& a) {
  TraceStep* step = newest(a);
  if (!step) return;
  step->space = step->addresses.empty() ? name_of(a.space) : "mixed";
  step->bytes = a.bytes;
  step->addresses.resize(std::size_t(std::popcount(step->mask)));
  for_each_lane(a.mask, [&](u32 lane) { step->addresses[position(step->mask, lane)] = a.address[lane]; });
}

// Lanes may have come to this shuffle at different places of the program: then each place has a step.
void TraceRecorder::shuffled(const Issue& i, Mask, Mask, const u32* from) {
  if (!is_traced(i)) return;
  std::vector<TraceStep>& steps = launches_.back().steps;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!is_of(*step, i) || step->kind != StepKind::shuffle) break;
    if (!step->from.empty()) break;  // an earlier one
    for_each_lane(step->mask, [&](u32 lane) { step->from.push_back(from[lane]); });
  }
}

int TraceRecorder::index_of(const std::string& file) {
  std::vector<std::string>& files = launches_.back().files;
  const auto index = std::ranges::find(files, file) - files.begin();
  if (std::size_t(index) == files.size()) files.push_back(file);
  return int(index);
}

class ScheduledTrace::Recorder final : public TraceRecorder {
 public:
  Recorder(Device& device, const NamedSchedule& schedule, std::vector<LaunchTrace>& all)
      : TraceRecorder(device, {}, &all), schedule_(schedule), all_(all) {}

  void launch_begin(const LaunchInfo& launch) override {
    if (all_.empty()) TraceRecorder::launch_begin(launch);
    else go_on(launch);
    all_.back().is_by_schedule = true;
  }

 private:
  bool is_chosen(const Issue& i) const override {
    return std::ranges::any_of(schedule_.moves, [&](const NamedMove& m) {
      return m.gpu == gpu() && m.block == i.block && m.warp == i.warp;
    });
  }

  const NamedSchedule& schedule_;
  std::vector<LaunchTrace>& all_;
};

ScheduledTrace::ScheduledTrace(NamedSchedule schedule) : schedule_(std::move(schedule)) {}
ScheduledTrace::~ScheduledTrace() = default;

Observer& ScheduledTrace::observer_of(Device& device) {
  std::unique_ptr<Recorder>& recorder = recorders_[device.number];
  if (!recorder) recorder = std::make_unique<Recorder>(device, schedule_, launches_);
  return *recorder;
}

void ScheduledTrace::add(const NamedMove& move, bool is_named, const std::string& text) {
  if (!launches_.empty())
    launches_.back().operations.push_back({next_, move.gpu, move.block, move.warp, is_named, text});
  next_ = steps();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
