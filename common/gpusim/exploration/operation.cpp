#include "exploration/operation.h"

#include <algorithm>
#include <cstring>

#include "checking/findings.h"
#include "execution/lane_registers.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

// Each block has its own shared memory, so the model gives it addresses at which there is no memory.
constexpr u64 kSharedWords = u64(1) << 62, kMostShared = u64(1) << 20, kBlocksOfGpu = u64(1) << 32;

// What an instruction does that an exploration does not follow; null: nothing.
const char* obstacle(const Instruction& in) {
  if (in.shape == Shape::clock) return "reads a clock";
  if (in.shape == Shape::mbarrier) return "uses a barrier in shared memory";
  if (in.shape == Shape::async_copy) return "copies asynchronously";
  if (in.shape == Shape::barrier_arrive) return "arrives at a named barrier";
  const bool is_barrier = facts_of(in.shape).meets == ShapeFacts::Meets::block;
  return is_barrier && in.s[1] != kNoOperand ? "waits at a barrier for some of the block's threads" : nullptr;
}

}  // namespace

u64 TalkWord::bits() const {
  u64 value = 0;
  std::memcpy(&value, where, bytes);
  return value;
}
void TalkWord::set(u64 value) const { std::memcpy(where, &value, bytes); }

bool Operation::touches(u64 key) const {
  return std::ranges::any_of(words, [key](const TalkWord& w) { return w.key == key; });
}

std::optional<NotExplored> why_not(const LaunchInfo& launch) {
  const Program& program = *launch.program;
  const auto look_at = [&](const Function& f, bool* calls) -> std::optional<NotExplored> {
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.shape == Shape::call) *calls = true;
      if (const char* what = obstacle(in)) return NotExplored{what, place_of(program, pc)};
    }
    return std::nullopt;
  };
  bool calls = false;
  std::optional<NotExplored> why = look_at(program.functions[launch.kernel->function], &calls);
  for (const Function& f : program.functions)
    if (calls && !why) why = look_at(f, &calls);
  return why;
}

KernelFacts::KernelFacts(const LaunchInfo& launch)
    : use(global_use(launch)), live(*launch.program, launch.program->functions[launch.kernel->function]) {}

Operations::Operations(const Device& device, const LoadedModule& module, const LaunchInfo& launch,
                       const KernelFacts& facts)
    : device_(device), module_(module), launch_(launch), facts_(facts) {}

u8* Operations::bytes_at(const Warp& w, u64 address, u32 bytes) const {
  if (address >= kSharedWords) {
    const u64 at = address & (kMostShared - 1);
    return at + bytes <= w.block->shared.size() ? w.block->shared.data() + at : nullptr;
  }
  return global_bytes(address, bytes);
}

u8* Operations::global_bytes(u64 address, u32 bytes) const {
  const Allocation* array = device_.memory.find(address);
  if (!array && device_.peers) array = device_.peers->find(launch_.gpu, address);
  return array && array->contains(address, bytes) ? array->bytes + (address - array->base) : nullptr;
}

std::optional<Operation> Operations::of(const Warp& w, const Fragment& f) const {
  if (f.pc == f.rpc) return std::nullopt;
  const Instruction& in = module_.code.code[f.pc];
  const bool is_load = in.shape == Shape::load, is_update = is_atomic(in.shape);
  if (!is_load && in.shape != Shape::store && !is_update) return std::nullopt;
  if (!is_update && in.order == MemoryOrder::weak && !facts_.use.access[f.pc].is_guess) return std::nullopt;
  if (in.space != Space::global && in.space != Space::shared && in.space != Space::generic)
    return std::nullopt;
  Operation op;
  op.pc = f.pc;
  op.kind = is_load ? Operation::Kind::load : is_update ? Operation::Kind::update : Operation::Kind::store;
  op.strength.scope = in.block_scope                                          ? cta
                      : in.system_scope || in.order == MemoryOrder::volatile_ ? sys
                                                                              : gpu;
  op.strength.acquires = in.order == MemoryOrder::acquire || in.order == MemoryOrder::acq_rel;
  op.strength.releases = in.order == MemoryOrder::release || in.order == MemoryOrder::acq_rel;
  const u32 bytes = size_of(in.type);
  bool is_fault = false;
  for_each_lane(guarded(f, in), [&](u32 lane) {
    u64 address = in.address_bytes == sizeof(u64) ? lane_value<u64>(f.frame, in.s[0], lane)
                                                  : lane_value<u32>(f.frame, in.s[0], lane);
    address += u64(in.offset);
    const Space space = in.space == Space::generic ? space_of(address) : in.space;
    if (space != Space::global && space != Space::shared) return;
    if (space == Space::shared) {
      const u64 at = in.space == Space::generic ? address - kSharedWindow : address;
      address = kSharedWords + (launch_.gpu * kBlocksOfGpu + w.block->index) * kMostShared + at;
    }
    for (u32 k = 0; k < in.vector; ++k) {
      const TalkWord word{address + k * bytes, bytes, bytes_at(w, address + k * bytes, bytes)};
      is_fault |= !word.where || word.key % bytes != 0;
      if (!op.touches(word.key)) op.words.push_back(word);
      if (in.vector == 1) op.of_lane[lane] = word.key;
    }
  });
  if (op.words.empty() || is_fault) return std::nullopt;
  std::ranges::sort(op.words, {}, &TalkWord::key);
  return op;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
