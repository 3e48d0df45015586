// What one block, or one warp of it, did step by step: enough to draw how a kernel works.
//
//   gpusim::Trace trace;                     // block 0, all its warps
//   sum_tile<<<grid, block>>>(in, sums, n);
//   std::puts(trace.json().c_str());
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

struct LaunchTrace {
  std::string kernel;
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::uint64_t traced_block = 0;
  bool truncated = false;  // there were more than max_steps
  bool completed = false;  // false: a fault stopped the kernel
  std::vector<std::string> files;
  std::vector<TraceStep> steps;
};

class TraceRecorder;

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
};

// {"kernel": "sum_tile", "grid": [4096,1,1], "block": [256,1,1], "traced_block": 0, "completed": true,
//  "truncated": false, "files": ["kernels.cuh"], "steps": [
//  {"pc": 12, "file": 0, "line": 23, "column": 17, "op": "ld.shared.f32", "kind": "load",
//   "mask": "0xffffffff", "warp": 0, "space": "shared", "bytes": 4, "addresses": [0,4,…], "banks": [0,1,…]},
//  …]}
// Present where they mean something: file, line, column; space, bytes, addresses; banks (shared: of each
// address); taken (a mask; conditional branches); from (shuffles).
std::string to_json(const LaunchTrace&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
