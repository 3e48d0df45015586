// Divisions and remainders of integers by zero. PTX leaves the result open and no GPU stops, so the program goes on with a
// number that means nothing.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "analysis/reachable.h"
#include "checking/check_shards.h"
#include "checking/checks.h"
#include "checking/races/resident_blocks.h"
#include "execution/divisions.h"
#include "ptx/kernel_info.h"

namespace gpusim {
namespace {

class DivisionCheck final : public Check<DivisionCheck> {
 public:
  explicit DivisionCheck(Findings& findings) : Check(findings), findings_(findings) {}

  void launch_begin(const LaunchInfo& launch) override {
    launch_ = &launch;
    divides_ = kernel_divides(*launch.program, launch.kernel->function);
  }
  void launch_end(const LaunchInfo&, bool) override { findings_.flush(); }
  std::unique_ptr<DivisionCheck> make_shard(u32, Findings& findings) override {
    return std::make_unique<DivisionCheck>(findings);
  }
  void merge(const std::vector<DivisionCheck*>&) override {}  // each launch begins anew

  // In a kernel without divisions it asks for nothing, and costs nothing.
  Interests interests() const override { return {.divisions = divides_}; }
  void divides_by_zero(const Division& d) override {
    findings_.report(0, d.pc, 0, [&] {
      const u32 lane = u32(std::countr_zero(d.mask));
      const std::string dividend =
          is_signed(d.instruction->type) ? std::to_string(s64(d.dividend)) : std::to_string(d.dividend);
      Finding f;
      f.check = "division";
      f.place = place_of(*launch_->program, d.pc);
      f.kernel = launch_->kernel->pretty_name;
      f.message =
          block_name(*launch_, d.block) + ", " + thread_name(*launch_, d.warp * kWarpSize + lane) +
          " computes " + dividend + (d.instruction->op == Op::div ? " / 0" : " % 0") +
          ": the divisor is 0, so the result is undefined, and a GPU reports no error: divide only where the "
          "divisor is not 0";
      return f;
    });
  }

 private:
  static bool kernel_divides(const Program& program, u32 kernel) {
    return std::ranges::any_of(reachable_functions(program, kernel), [&](u32 index) {
      const Function& f = program.functions[index];
      return std::any_of(program.code.begin() + f.begin, program.code.begin() + f.end, divides_integers);
    });
  }

  const LaunchInfo* launch_ = nullptr;
  bool divides_ = false;
  RepeatedFindings findings_;
};

}  // namespace

std::unique_ptr<Observer> make_division_check(const Memory&, Findings& findings) {
  return std::make_unique<DivisionCheck>(findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
