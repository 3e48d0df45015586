// Blocks that never end, in words.
#include <algorithm>
#include <bit>
#include <cmath>

#include "execution/fault_reporter.h"
#include "execution/lane_registers.h"
#include "execution/module.h"

namespace gpusim {

// The first group of lanes that runs, or else waits.
const Fragment* FaultReporter::running(const Block& block, const Warp** of) const {
  const Fragment* found = nullptr;
  for (const Warp& w : block.warps)
    for (const Fragment& f : w.fragments) {
      if (found && (found->state == FragmentState::ready || f.state != FragmentState::ready)) continue;
      found = &f;
      if (of) *of = &w;
    }
  return found;
}

std::string FaultReporter::place_of(const Block& block) const {
  const Fragment* f = running(block);
  return f ? module_.code.where(f->pc) : "";
}

void FaultReporter::fault_endless(const Block& block, u64 not_started, u64 at_a_time) const {
  const Warp* w = nullptr;
  const Fragment& f = *running(block, &w);
  std::string why = "never ends: no running thread changes anything any more. Does " + loop_name(f) +
                    " wait for something that never happens, or is its condition always true?";
  if (not_started)
    why += " " + std::to_string(not_started) + (not_started == 1 ? " block has" : " blocks have") +
           " not started, because only " + std::to_string(at_a_time) +
           " at a time fit on the GPU: do not wait for a block that may not be running";
  else if (polls_host_memory(f))
    why +=
        " It reads memory that the host can write. But here the launching host thread continues only when the kernel "
        "has ended: write before the launch, or from another host thread";
  Fault endless = fault_at(FaultCode::timeout, f.pc, *w, u32(std::countr_zero(f.mask)), why);
  endless.never_ends = true;
  throw endless;
}

// The jump back over this instruction, if there is one. (If a loop calls this function, this starts from the call in the caller.)
std::optional<u32> FaultReporter::jump_of_loop(const Fragment& f) const {
  const std::vector<Instruction>& code = module_.code.code;
  const auto jump_over = [&](u32 pc, const Function& function) -> std::optional<u32> {
    for (u32 at = pc; at < function.end; ++at)
      if (code[at].shape == Shape::branch && code[at].target <= pc && code[at].target >= function.begin)
        return at;
    return std::nullopt;
  };
  u32 pc = f.pc;
  for (const Frame* frame = f.frame; frame; pc = frame->return_pc, frame = frame->caller)
    if (const auto jump = jump_over(pc, *frame->function)) return jump;
  return std::nullopt;
}

bool FaultReporter::polls_host_memory(const Block& block) const {
  return std::ranges::any_of(block.warps, [&](const Warp& w) {
    return std::ranges::any_of(w.fragments, [&](const Fragment& f) { return polls_host_memory(f); });
  });
}

// The addresses are those that the registers hold now: a loop that polls hardly ever changes them.
bool FaultReporter::polls_host_memory(const Fragment& f) const {
  const std::optional<u32> jump = f.mask ? jump_of_loop(f) : std::nullopt;
  const std::vector<Instruction>& code = module_.code.code;
  if (!jump || f.pc < code[*jump].target || f.pc > *jump)
    return false;  // the loop is a caller's, whose registers are others
  for (u32 pc = code[*jump].target; pc <= *jump; ++pc) {
    const Instruction& in = code[pc];
    const bool is_strong = is_atomic(in.shape) || in.order != MemoryOrder::weak;
    if (!is_strong || !reads_addressed(in.shape) || in.address_bytes != sizeof(u64)) continue;
    if (in.space != Space::global && in.space != Space::generic) continue;
    const u64 address = lane_value<u64>(f.frame, in.s[0], u32(std::countr_zero(f.mask))) + u64(in.offset);
    const Allocation* const array = memory_.find(address);
    if (array && array->is_of_host()) return true;
  }
  return false;
}

// "the loop of line 25" if the instruction is on another line: the loop is at fault, not this line in its body.
std::string FaultReporter::loop_name(const Fragment& f) const {
  const std::optional<u32> jump = jump_of_loop(f);
  const std::vector<SourceLine>& lines = module_.code.lines;
  const bool is_elsewhere = jump && lines[*jump].line != 0 && lines[*jump].file == lines[f.pc].file &&
                            lines[*jump].line != lines[f.pc].line;
  return is_elsewhere ? "the loop of line " + std::to_string(lines[*jump].line) : "this loop";
}

void FaultReporter::out_of_budget(const Warp& w, const Fragment& f, u64 budget, u64 ended) const {
  stop(w, f, std::to_string(budget) + " warp instructions", ended, " (GPUSIM_BUDGET=N allows more)");
}

void FaultReporter::fault_late(const Block& block, double seconds, u64 ended) const {
  const Warp* w = nullptr;
  const Fragment& f = *running(block, &w);
  stop(*w, f, std::to_string(std::lround(seconds)) + " s of processor time of this program", ended, "");
}

void FaultReporter::stop(const Warp& w, const Fragment& f, const std::string& after, u64 ended,
                         const char* remedy) const {
  const u64 blocks = launch_.grid.count();
  std::string what = "stopped after " + after;
  if (jump_of_loop(f) && ended * 2 <= blocks) what += ": does " + loop_name(f) + " end?";
  else what += ", when " + std::to_string(ended) + " of " + std::to_string(blocks) + " blocks had ended";
  fault(FaultCode::timeout, f.pc, w, u32(std::countr_zero(f.mask)), what + remedy);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
