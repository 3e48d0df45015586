// Blocks that will never end: what says so, and in which words.
#include <algorithm>
#include <bit>
#include <cstring>

#include "execution/exec.h"
#include "execution/module.h"

namespace gpusim {
namespace {

// FNV's idea, on words: quick, and good enough to tell states of one kernel apart.
struct Hash {
  u64 value = 0xcbf29ce484222325u;
  void add(u64 word) { value = std::rotl(value ^ word, 29) * 0x9e3779b97f4a7c15u; }
  void add(const u8* bytes, std::size_t count) {
    for (; count >= sizeof(u64); bytes += sizeof(u64), count -= sizeof(u64)) {
      u64 word;
      std::memcpy(&word, bytes, sizeof word);
      add(word);
    }
    for (; count > 0; --count) add(*bytes++);
  }
};

}  // namespace

u64 Executor::state_of(std::span<const std::unique_ptr<Block>> blocks) const {
  Hash h;
  for (const auto& block : blocks) {
    h.add(block->index);
    for (const Barrier& b : block->barriers) h.add(u64(b.arrived) << 32 | b.count);
    for (const Warp& w : block->warps) {
      for (const Fragment& f : w.fragments) {
        h.add(u64(f.pc) << 32 | f.mask);
        h.add(u64(f.state) << 32 | f.members);
        for (Frame* frame = f.frame; frame; frame = frame->caller) {
          h.add(frame->bytes(), frame->size());
          h.add(frame->local.data(), frame->local.size());
        }
      }
      for (const Join& j : w.joins) h.add(u64(j.pending) << 32 | j.arrived);
    }
  }
  return h.value;
}

// The first group of lanes that runs, or else waits.
const Fragment* Executor::running(const Block& block, const Warp** of) const {
  const Fragment* found = nullptr;
  for (const Warp& w : block.warps)
    for (const Fragment& f : w.fragments) {
      if (found && (found->state == FragmentState::ready || f.state != FragmentState::ready)) continue;
      found = &f;
      if (of) *of = &w;
    }
  return found;
}

std::string Executor::place_of(const Block& block) const {
  const Fragment* f = running(block);
  return f ? module_.code.where(f->pc) : "";
}

void Executor::fault_endless(const Block& block, u64 not_started, u64 at_a_time) const {
  const Warp* w = nullptr;
  const Fragment& f = *running(block, &w);
  std::string why = "never ends: no running thread changes anything any more; does " + loop_name(f) +
                    " wait for what never comes, or can its condition not become false?";
  if (not_started)
    why += " " + std::to_string(not_started) + (not_started == 1 ? " block has" : " blocks have") +
           " not started, because only " + std::to_string(at_a_time) +
           " at a time fit on the GPU: do not wait for a block that may not be running";
  Fault endless = fault_at(FaultCode::timeout, f.pc, *w, u32(std::countr_zero(f.mask)), why);
  endless.never_ends = true;
  throw endless;
}

// The jump that leads back over this instruction, if one does. (A loop that calls the function is seen at the call.)
std::optional<u32> Executor::jump_of_loop(const Fragment& f) const {
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

// "the loop of line 25" where the instruction stands at another line: in its body, which is not what is wrong.
std::string Executor::loop_name(const Fragment& f) const {
  const std::optional<u32> jump = jump_of_loop(f);
  const std::vector<SourceLine>& lines = module_.code.lines;
  const bool is_elsewhere = jump && lines[*jump].line != 0 && lines[*jump].file == lines[f.pc].file &&
                            lines[*jump].line != lines[f.pc].line;
  return is_elsewhere ? "the loop of line " + std::to_string(lines[*jump].line) : "this loop";
}

void Executor::out_of_budget(const Warp& w, const Fragment& f) const {
  const u64 blocks = launch_.grid.count();
  std::string what = "stopped after " + std::to_string(budget_) + " warp instructions";
  if (jump_of_loop(f) && ended_ * 2 <= blocks) what += ": does " + loop_name(f) + " end?";
  else what += ", when " + std::to_string(ended_) + " of " + std::to_string(blocks) + " blocks had ended";
  fault(FaultCode::timeout, f.pc, w, u32(std::countr_zero(f.mask)), what + " (GPUSIM_BUDGET=N allows more)");
}

}  // namespace gpusim
