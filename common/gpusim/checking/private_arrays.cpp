#include "checking/private_arrays.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/computed_with.h"

namespace gpusim {
namespace {

bool is_indexed_load(const Function& f, const Instruction& in) {
  return in.shape == Shape::load && (in.space == Space::local || in.space == Space::generic) &&
         std::ranges::find(f.constants, in.s[0], &Constant::frame) == f.constants.end();
}

}  // namespace

u64 PrivateArrays::bytes_of(const LaunchInfo& launch) {
  return launch.program->functions[launch.kernel->function].local_bytes;
}

void PrivateArrays::Block::begin(const LaunchInfo& launch) {
  of_thread.resize(launch.block.count());
  for (WrittenBits& written : of_thread) written.reset(bytes_of(launch));
}

void PrivateArrays::launch_begin(const LaunchInfo& launch) {
  const Program& program = *launch.program;
  const Function& f = program.functions[launch.kernel->function];
  launch_ = &launch;
  bytes_ = bytes_of(launch);
  begin_ = f.begin;
  blocks_.clear();
  is_read_.clear();
  if (bytes_ == 0 || bytes_ * launch.block.count() > kMostBytes) return;
  const std::unordered_set<FrameOffset> computed_with = registers_computed_with(program, f);
  for (u32 pc = f.begin; pc < f.end; ++pc)
    is_read_.push_back(is_indexed_load(f, program.code[pc]) && computed_with.contains(program.code[pc].d[0]));
  if (std::ranges::find(is_read_, true) == is_read_.end()) is_read_.clear();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
