// What one block, or one warp of it, did step by step: enough to draw how a kernel works.
//
//   gpusim::Trace trace;                     // block 0, all its warps
//   sum_tile<<<grid, block>>>(in, sums, n);
//   std::puts(trace.json().c_str());
//
// Where a program runs a launch by a schedule that GPUSIM_EXPLORE has printed (GPUSIM_SCHEDULE=3/b0w0,…), that launch is traced and
// no other: the warps that the schedule names, of all blocks and GPUs, in its order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpusim {

struct TraceOptions {
  std::uint64_t block = 0;        // linear index in the grid
  int warp = -1;                  // index in the block; -1: all
  std::size_t max_steps = 40000;  // of a launch; what comes later is dropped, and `truncated` says so
};

// vote: match, redux and activemask too. leave: the end of the kernel, or of a function that it calls.
enum class StepKind { instr, load, store, atomic, branch, barrier, warp_sync, shuffle, vote, call, leave };

// One warp instruction. Where several warps are traced, steps are in the order in which the simulated GPU ran
// them.
struct TraceStep {
  std::uint32_t pc = 0;  // index of the instruction in its module
  int file = -1;         // in LaunchTrace::files; -1: the compiler gave no line
  int line = 0, column = 0;
  std::string op;  // "ld.shared.f32": what decides the meaning, without further modifiers
  StepKind kind = StepKind::instr;
  std::uint32_t mask = 0;  // bit i: lane i executes it
  std::uint32_t warp = 0;  // index in the block
  std::uint64_t block = 0;
  std::uint32_t gpu = 0;

  // load, store, atomic. Parameters (space "param") have no addresses.
  std::string space;   // "global", "shared", "local", "const", "param"; "mixed" where lanes differ
  unsigned bytes = 0;  // per lane
  // One for each lane on, ascending by lane. global, const: device address; shared: from the start of the
  // block's shared memory; local: from the start of the thread's local memory.
  std::vector<std::uint64_t> addresses;
  // A conditional branch: the lanes that jump.
  bool is_conditional = false;
  std::uint32_t taken = 0;
  // shuffle: the lane that each of the lanes on reads.
  std::vector<unsigned> from;
};

// By a schedule: an access by which warps, blocks or GPUs talk, and what it did.
struct TraceOperation {
  std::size_t step =
      0;  // where in LaunchTrace::steps it stands; that step is another one's if its warp is not traced
  std::uint32_t gpu = 0;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  bool is_named = false;  // by the schedule; false: it came after the schedule's end
  std::string text;       // "block 1: kernels.cu:14:12 reads flag as 1"
};

struct LaunchTrace {
  std::string kernel;
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::uint64_t traced_block = 0;
  bool truncated = false;  // there were more than max_steps
  bool completed = false;  // false: a fault stopped the kernel
  std::vector<std::string> files;
  std::vector<TraceStep> steps;
  bool is_by_schedule = false;
  std::vector<TraceOperation> operations;  // if it is
};

class TraceRecorder;
class ScheduledTrace;

// Records while it lives: of each kernel, by name, the first launch.
class Trace {
 public:
  explicit Trace(TraceOptions = {});
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  const std::vector<LaunchTrace>& launches() const;
  // The launches as a JSON array; see to_json.
  std::string json() const;

 private:
  std::unique_ptr<TraceRecorder> recorder_;
  std::unique_ptr<ScheduledTrace> scheduled_;
};

// {"kernel": "sum_tile", "grid": [4096,1,1], "block": [256,1,1], "traced_block": 0, "completed": true,
//  "truncated": false, "files": ["kernels.cuh"], "steps": [
//  {"pc": 12, "file": 0, "line": 23, "column": 17, "op": "ld.shared.f32", "kind": "load",
//   "mask": "0xffffffff", "warp": 0, "space": "shared", "bytes": 4, "addresses": [0,4,…], "banks": [0,1,…]},
//  …]}
// Present where they mean something: file, line, column; space, bytes, addresses; banks (shared: of each
// address); taken (a mask; conditional branches); from (shuffles). By a schedule: "operations", an array of objects with the
// members of TraceOperation ("named" for is_named), and in each step gpu and block.
std::string to_json(const LaunchTrace&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
