// What an execution did, in words.
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/position_text.h"
#include "checking/findings.h"
#include "exploration/execution_part.h"

namespace gpusim {
namespace {

std::string address_text(u64 address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, address);
  return text;
}

}  // namespace

Fault Execution::fault() {
  if (fault_) return *fault_;
  try {
    for (const Agent& agent : agents_)
      if (agent.is_parked) agent.part->executor.faults().fault_endless(*agent.block, 0, 0);
    for (const Agent& agent : agents_)
      if (!agent.block->done()) agent.part->executor.faults().fault_deadlock(*agent.block);
  } catch (const Fault& f) {
    return f;
  }
  return {};
}

const LaunchInfo& Execution::info(AgentId a) const { return agents_[a].part->info; }

NamedMove Execution::name_of(const Move& move) const {
  const Agent& agent = agents_[move.agent];
  NamedMove named{agent.part->info.gpu, agent.block->index, agent.warp, {}};
  bool is_newest = true;
  for (std::size_t k = 0; k < move.choice.size(); ++k) {
    named.older.push_back(memory_->newest(agent.op->words[k].key) - move.choice[k]);
    is_newest &= named.older.back() == 0;
  }
  if (is_newest) named.older.clear();
  return named;
}

std::optional<Move> Execution::find_move(const NamedMove& named) const {
  for (AgentId a = 0; a < agents(); ++a) {
    const Agent& agent = agents_[a];
    if (agent.part->info.gpu != named.gpu || agent.block->index != named.block || agent.warp != named.warp)
      continue;
    if (!agent.op) return std::nullopt;
    for (Choice& choice : choices(a))
      if (Move move{a, std::move(choice)}; name_of(move).older == named.older) return move;
  }
  return std::nullopt;
}

std::string Execution::name_of(AgentId a) const {
  std::string text = launches() > 1 ? "GPU " + std::to_string(info(a).gpu) + ", " : "";
  text += "block " + position_text(block_of(a), info(a).grid);
  return info(a).warps_per_block > 1 ? text + ", warp " + std::to_string(warp_of(a)) : text;
}

// Of an element: "flag", "flag + 4 bytes" or "sums[3]" where it has a name, else its address.
std::string Execution::element_text(u64 address) const {
  if (address >= u64(1) << 62) return "shared memory";
  for (const auto& part : parts_)
    for (const Module::Variable& v : part->module.placed)
      if (address - v.address < v.size)
        return v.name + (address == v.address ? "" : " + " + std::to_string(address - v.address) + " bytes");
  for (const auto& part : parts_) {
    const Allocation* const array = part->launch.device->memory.find(address);
    if (!array) continue;
    const u64 offset = address - array->base;
    if (array->name && array->name->element_bytes)
      return array->name->name + "[" + std::to_string(offset / array->name->element_bytes) + "]";
    return address_text(address) + " (byte " + std::to_string(offset) + " of an array of " +
           std::to_string(array->size) + ")";
  }
  return address_text(address);
}

std::string Execution::words_of(const Step& step) const {
  std::string text = name_of(step.agent) + ": " + info(step.agent).program->where(step.pc) + " ";
  for (std::size_t k = 0; k < step.parts.size(); ++k) {
    const Step::Part& p = step.parts[k];
    text += k ? ", " : "";
    text += p.is_write ? (p.is_newest ? "changes " : "stores to ") : (p.is_newest ? "leaves " : "reads ");
    text += element_text(p.word) + (p.is_write ? ": " : " as ") + std::to_string(p.bits);
    if (p.is_stale) text += ", an old value";
  }
  return text;
}

std::string Execution::race() const {
  if (!plain_.race()) return "";
  const PlainAccesses::Race& r = *plain_.race();
  const auto access = [&](AgentId a, u32 pc, bool writes) {
    return std::string(writes ? "a write" : "a read") + " by " + name_of(a) + " at " +
           info(a).program->where(pc);
  };
  return info(r.later).program->where(r.later_pc) + ": race: nothing orders " +
         access(r.later, r.later_pc, r.later_writes) + " and " +
         access(r.earlier, r.earlier_pc, r.earlier_writes) + ", both of " + element_text(r.address);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
