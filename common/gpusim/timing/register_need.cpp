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
u32 size_of_result(const Instruction& in) {
  if (in.shape == Shape::compare || in.shape == Shape::testp || in.shape == Shape::space_test) return 0;
  if (in.shape == Shape::load) return in.d_bytes == 8 ? 2 : 1;
  if (in.shape == Shape::convert) return in.d_bytes == 8 ? 2 : 1;
  if (in.dest_type == Type::pred) return 0;
  if (in.shape == Shape::widening2 || in.shape == Shape::widening3) return size_of(in.dest_type) == 2 ? 1 : 2;
  if (in.shape == Shape::address) return 2;
  return size_of(in.dest_type) == 8 ? 2 : 1;
}

constexpr u32 kOwnRegisters =
    4;  // for what PTX has no names for: addresses as they are computed, values as they move
constexpr u32 kFewest = 16, kMost = 255, kAllottedAtOnce = 8;

}  // namespace

void fill_registers(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  std::vector<u32> width(out.registers_named, 1);
  for (u32 pc = 0; pc < program.code.size(); ++pc)
    for (const RegisterNumber r : out.writes.of(pc)) width[r] = size_of_result(program.code[pc]);

  for (const Function& f : program.functions) {
    u32 first = 0;  // registers of a function are numbered one after the other
    u32 last = 0;
    bool any = false;
    for (u32 pc = f.begin; pc < f.end; ++pc)
      for (const RegisterNumber r : out.writes.of(pc)) {
        first = any ? std::min(first, r) : r;
        last = std::max(last, r);
        any = true;
      }
    if (!any) {
      out.registers.push_back(kFewest);
      continue;
    }
    const u32 words = (last - first) / 64 + 1;
    const u32 begin = out.block[f.begin], end = out.block[f.end - 1] + 1;
    std::vector<Bits> live_in(end - begin, Bits(words, 0));
    std::vector<std::vector<u32>> order(end - begin);
    for (u32 pc = f.begin; pc < f.end; ++pc) order[out.block[pc] - begin].push_back(pc);
    for (auto& pcs : order)
      std::sort(pcs.begin(), pcs.end(), [&](u32 a, u32 b) { return out.position[a] < out.position[b]; });

    u32 most = 0;
    const auto walk = [&](u32 b, bool measure) {  // what lives at its beginning, from what lives at its end
      Bits live(words, 0);
      for (const u32 next : blocks.successors[begin + b])
        for (u32 w = 0; w < words; ++w) live[w] |= live_in[next - begin][w];
      u32 now = 0;
      if (measure)
        for (RegisterNumber r = first; r <= last; ++r) now += holds(live, r - first) ? width[r] : 0;
      const auto set = [&](RegisterNumber r, bool on) {
        if (holds(live, r - first) == on) return;
        put(live, r - first, on);
        now += on ? width[r] : 0 - width[r];
      };
      for (auto pc = order[b].rbegin(); pc != order[b].rend(); ++pc) {
        const bool always = program.code[*pc].guard == kNoOperand;
        if (always)
          for (const RegisterNumber r : out.writes.of(*pc)) set(r, false);
        for (const RegisterNumber r : out.reads.of(*pc)) set(r, true);
        if (measure) most = std::max(most, now);
      }
      return live;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 b = end - begin; b-- > 0;) {
        Bits live = walk(b, false);
        if (live == live_in[b]) continue;
        live_in[b] = std::move(live);
        changed = true;
      }
    }
    for (u32 b = 0; b < end - begin; ++b) walk(b, true);
    const u32 need = std::max(kFewest, most + kOwnRegisters);
    out.registers.push_back(std::min(kMost, u32(align_up(need, kAllottedAtOnce))));
  }
}

}  // namespace gpusim::timing
