// Registers: how many values of a thread live at a time.
#include <algorithm>
#include <bit>

#include "timing/issue_costs.h"

namespace gpusim::timing {
namespace {

using Bits = std::vector<u64>;

bool holds(const Bits& bits, u32 k) { return bits[k / 64] >> (k % 64) & 1; }
void put(Bits& bits, u32 k, bool on) {
  on ? bits[k / 64] |= u64(1) << (k % 64) : bits[k / 64] &= ~(u64(1) << (k % 64));
}

// 32-bit registers that hold what an instruction writes. Predicates have registers of their own.
u8 size_of_result(const Instruction& in) {
  switch (facts_of(in.shape).result) {
    using enum ShapeFacts::Result;
    case none:
    case predicate: return 0;
    case sized: return in.d_bytes == 8 ? 2 : 1;
    case wide: return size_of(in.dest_type) == 2 ? 1 : 2;
    case address: return 2;
    case typed: return in.dest_type == Type::pred ? 0 : size_of(in.dest_type) == 8 ? 2 : 1;
  }
  return 0;
}

constexpr u32 kFewest = 16, kMost = 255, kAllottedAtOnce = 8;

bool is_same_in_block(Special which) {
  switch (which) {
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
    case Special::gridid: return true;
    default: return false;
  }
}

// A kernel's parameter, by its name or an address; a function's, or what a call returns, is each thread's own.
bool has_one_copy(const Function& f, const Instruction& load) {
  const auto address = std::ranges::find(f.constants, load.s[0], &Constant::frame);
  return address == f.constants.end() ? f.is_kernel : address->lane_stride == 0;
}

// Values that are the same in all threads of a block, such as parameters, the block's number and integers computed from these,
// take no registers of a thread: instructions read them from constant memory or from a warp's uniform registers. A value that is
// written in several places does take a register, because it might differ.
std::vector<bool> uniform(const Program& program, const ProgramCosts& costs) {
  std::vector<bool> result(costs.registers_named, false), is_written(costs.registers_named, false);
  std::vector<bool> several(costs.registers_named, false);
  for (u32 pc = 0; pc < program.code.size(); ++pc)
    for (const RegisterNumber r : costs.writes.of(pc)) {
      several[r] = is_written[r];
      is_written[r] = true;
    }
  for (const Function& f : program.functions) {
    const auto differs = [&](FrameOffset s) {
      return std::any_of(f.specials.begin(), f.specials.end(), [&](const SpecialValue& each) {
        return each.frame == s && !is_same_in_block(each.which);
      });
    };
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      const auto read = costs.reads.of(pc);
      const bool is_param = in.shape == Shape::load && (in.space == Space::constant ||
                                                        (in.space == Space::param && has_one_copy(f, in)));
      const bool is_free = costs.cost[pc].slots == 0;
      const bool computes =
          computes_lanes(in.shape) && (is_free || (!is_float(in.type) && !is_float(in.dest_type)));
      const bool is_alike =
          (is_param || computes) && in.guard == kNoOperand && !differs(in.s[0]) &&
          std::all_of(read.begin(), read.end(), [&](RegisterNumber r) { return result[r]; });
      if (!is_alike) continue;
      for (const RegisterNumber r : costs.writes.of(pc)) result[r] = !several[r];
    }
  }
  return result;
}

std::vector<u8> widths(const Program& program, const ProgramCosts& costs) {
  std::vector<u8> width(costs.registers_named, 0);
  const std::vector<bool> is_uniform = uniform(program, costs);
  for (u32 pc = 0; pc < program.code.size(); ++pc)
    for (const RegisterNumber r : costs.writes.of(pc))
      if (!is_uniform[r]) width[r] = std::max(width[r], size_of_result(program.code[pc]));
  for (RegisterNumber r = 0; r < costs.registers_named; ++r)
    if (width[r] == 2 && !costs.needs_upper[r]) width[r] = 1;
  return width;
}

}  // namespace

std::vector<u32> registers_by_blocks(const Function& f, const Machine& machine) {
  const u64 threads = align_up(u64(f.max_threads), kWarpSize);
  const u64 most = std::min(machine.blocks_per_multiprocessor, machine.threads_per_multiprocessor / threads);
  std::vector<u32> result;
  for (u64 blocks = f.min_blocks ? std::min<u64>(f.min_blocks, most) : most; blocks > 0; --blocks) {
    const u64 room = machine.registers_per_multiprocessor / (blocks * threads);
    result.push_back(u32(std::min<u64>(room / kAllottedAtOnce * kAllottedAtOnce, f.max_registers)));
  }
  result.push_back(f.max_registers);
  return result;
}

RegisterRange registers_of(const Function& f, const Operands& writes) {
  const auto first = writes.numbers.begin() + writes.at[f.begin],
             behind = writes.numbers.begin() + writes.at[f.end];
  if (first == behind) return {};
  const auto [least, most] = std::minmax_element(first, behind);
  return {*least, *most + 1};
}

Liveness liveness(const Program& program, const BasicBlocks& blocks, const ProgramCosts& costs) {
  const u32 count = u32(blocks.successors.size());
  Liveness result{widths(program, costs), {}, {}};
  result.in.resize(count);
  result.out.resize(count);
  for (const Function& f : program.functions) {
    const auto [first, behind] = registers_of(f, costs.writes);
    if (first == behind) continue;  // it writes none
    const u32 words = (behind - first - 1) / 64 + 1;
    const u32 begin = blocks.of[f.begin], end = blocks.of[f.end - 1] + 1;
    std::vector<Bits> in(end - begin, Bits(words, 0)), out(end - begin, Bits(words, 0));
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 b = end; b-- > begin;) {
        Bits live(words, 0);
        for (const u32 next : blocks.successors[b])
          for (u32 w = 0; w < words; ++w) live[w] |= in[next - begin][w];
        out[b - begin] = live;
        for (u32 pc = blocks.start[b + 1]; pc-- > blocks.start[b];) {
          if (program.code[pc].guard == kNoOperand)
            for (const RegisterNumber r : costs.writes.of(pc)) put(live, r - first, false);
          for (const RegisterNumber r : costs.reads.of(pc)) put(live, r - first, true);
        }
        if (live == in[b - begin]) continue;
        in[b - begin] = std::move(live);
        changed = true;
      }
    }
    for (u32 b = begin; b < end; ++b)
      for (u32 k = 0; k < behind - first; ++k) {
        if (holds(in[b - begin], k)) result.in[b].push_back(first + k);
        if (holds(out[b - begin], k)) result.out[b].push_back(first + k);
      }
  }
  return result;
}

void fill_registers(const Program& program, const BasicBlocks& blocks, const Liveness& live,
                    ProgramCosts& out) {
  std::vector<bool> is_live(out.registers_named, false);
  for (const Function& f : program.functions) {
    u32 most = 0;
    for (u32 b = blocks.of[f.begin]; f.begin < f.end && b <= blocks.of[f.end - 1]; ++b) {
      std::vector<u32> order;
      for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) order.push_back(pc);
      std::sort(order.begin(), order.end(), [&](u32 x, u32 y) { return out.position[x] > out.position[y]; });
      u32 now = 0;
      const auto set = [&](RegisterNumber r, bool on) {
        if (is_live[r] == on) return;
        is_live[r] = on;
        now += on ? live.width[r] : 0 - live.width[r];
      };
      for (const RegisterNumber r : live.out[b]) set(r, true);
      for (const u32 pc : order) {  // from the end
        if (program.code[pc].guard == kNoOperand)
          for (const RegisterNumber r : out.writes.of(pc)) set(r, false);
        for (const RegisterNumber r : out.reads.of(pc)) set(r, true);
        most = std::max(most, now);
      }
      for (const RegisterNumber r : live.in[b]) is_live[r] = false;
    }
    const u32 need = std::max(kFewest, most + kOwnRegisters);
    out.registers.push_back(std::min(kMost, u32(align_up(need, kAllottedAtOnce))));
  }
}

void fill_least_registers(const Program& program, const BasicBlocks& blocks, const Liveness& live,
                          ProgramCosts& out) {
  std::vector<bool> is_result(out.registers_named, false);
  const auto set_results = [&](u32 begin, u32 end, bool on) {
    for (u32 pc = begin; pc < end; ++pc) {
      const Instruction& in = program.code[pc];
      // What a load brings could be loaded again.
      if (reads_addressed(in.shape) || !is_float(in.dest_type)) continue;
      for (const RegisterNumber r : out.writes.of(pc)) is_result[r] = on;
    }
  };
  for (const Function& f : program.functions) {
    u32 most = 0;
    for (u32 b = blocks.of[f.begin]; f.begin < f.end && b <= blocks.of[f.end - 1]; ++b)
      for (const u32 first : blocks.successors[b]) {
        if (first > b) continue;  // it does not go round
        set_results(blocks.start[first], blocks.start[b + 1], true);
        u32 carried = 0;
        for (const RegisterNumber r : live.in[first]) carried += is_result[r] ? live.width[r] : 0;
        most = std::max(most, carried);
        set_results(blocks.start[first], blocks.start[b + 1], false);
      }
    out.least_registers.push_back(most > 0 ? most + 1 : 0);
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
