// Loads of neighbouring places of shared memory, of which nvcc makes one wide load.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "timing/alignment.h"
#include "timing/issue_costs.h"

namespace gpusim::timing {
namespace {

constexpr s64 kWidest = 16;

s64 multiple_below(s64 offset, s64 width) { return offset - ((offset % width) + width) % width; }

class WideLoads {
 public:
  WideLoads(const Program& program, const Machine& machine, ProgramCosts& out)
      : program_(program),
        out_(out),
        part_{Unit::integer, 1, float(machine.int_permute.interval), float(machine.int_permute.latency)} {}

  void add(u32 pc) {
    const Instruction& in = program_.code[pc];
    if (in.shape == Shape::barrier) return merge();
    const u32 bytes = size_of(in.type);
    if (in.shape != Shape::load || in.space != Space::shared || in.vector != 1 || bytes > 8) return;
    const auto [address, offset] = place_of(pc);
    groups_[{address, bytes, multiple_below(offset, kWidest)}].emplace(offset, pc);
  }

  // Of each group what fills 16 bytes, else 8, else 4.
  void merge() {
    for (const auto& [key, loads] : groups_) {
      const auto& [address, bytes, begin] = key;
      for (s64 width = kWidest; width > bytes && width >= 4; width /= 2)
        for (s64 from = begin; from < begin + kWidest; from += width)
          merge(address, bytes, from, width, loads);
    }
    groups_.clear();
  }

 private:
  using Loads = std::map<s64, u32>;  // by offset: the pc
  // A register, or a variable, and the distance from there. ptxas places variables where wide loads can reach them.
  using Address = std::pair<bool, u32>;

  std::pair<Address, s64> place_of(u32 pc) const {
    const Instruction& in = program_.code[pc];
    for (const Constant& c : program_.function_at(pc)->constants)
      if (c.frame == in.s[0] && c.base == Constant::Base::shared)
        return {{true, c.variable}, s64(c.value) + in.offset};
    return {{false, in.s[0]}, in.offset};
  }

  void merge(const Address& address, u32 bytes, s64 from, s64 width, const Loads& loads) {
    std::vector<u32> parts;
    for (s64 offset = from; offset < from + width; offset += bytes) {
      const auto found = loads.find(offset);
      if (found == loads.end() || out_.wide_bytes[found->second] > 0) return;
      parts.push_back(found->second);
    }
    const auto& [is_variable, number] = address;
    if (!is_variable && alignment_at(parts[0]).of(number) < u64(width)) return;
    const u32 first = *std::min_element(parts.begin(), parts.end());
    for (const u32 pc : parts) {
      out_.wide_bytes[pc] = u8(width);
      if (pc == first) continue;
      out_.passes[pc] = 0;
      // A register holds a word; what is smaller has to be taken out of it.
      if (bytes >= 4) out_.cost[pc].slots = 0;
      else out_.cost[pc] = part_;
    }
  }
  const Alignment& alignment_at(u32 pc) {
    const Function* f = program_.function_at(pc);
    return alignments_.try_emplace(f, program_, *f).first->second;
  }

  const Program& program_;
  ProgramCosts& out_;
  const IssueCost part_;
  std::unordered_map<const Function*, Alignment> alignments_;
  std::map<std::tuple<Address, u32, s64>, Loads> groups_;  // by address, size, and multiple of 16
};

}  // namespace

void merge_shared_loads(const Program& program, const Machine& machine, const BasicBlocks& blocks,
                        ProgramCosts& out) {
  out.passes.assign(program.code.size(), 1);
  out.wide_bytes.assign(program.code.size(), 0);
  WideLoads loads(program, machine, out);
  for (u32 b = 0; b + 1 < blocks.start.size(); ++b) {
    for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) loads.add(pc);
    loads.merge();
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
