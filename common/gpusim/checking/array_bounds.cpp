// Accesses of a __shared__ array that miss it and meet another array of the block: the block's shared memory is one piece, so
// nothing faults. The address tells which array is meant (analysis/shared_arrays.h).
#include <bit>
#include <memory>
#include <vector>

#include "analysis/parameters.h"
#include "analysis/reachable.h"
#include "analysis/shared_arrays.h"
#include "checking/check_shards.h"
#include "checking/checks.h"
#include "checking/races/resident_blocks.h"
#include "checking/races/shared_use.h"
#include "lanes/each_lane.h"
#include "ptx/names.h"

namespace gpusim {
namespace {

// Where the array lies that an instruction means; no bytes: no array is known.
struct MeantArray {
  u64 begin = 0, bytes = 0;
  u32 variable = 0;
};

class ArrayBoundsCheck final : public Check<ArrayBoundsCheck> {
 public:
  explicit ArrayBoundsCheck(Findings& findings) : Check(findings), findings_(findings) {}

  void launch_begin(const LaunchInfo& launch) override {
    launch_ = &launch;
    arrays_ = arrays_of(*launch.program, launch.kernel->function);
  }
  void launch_end(const LaunchInfo&, bool) override { findings_.flush(); }
  std::unique_ptr<ArrayBoundsCheck> make_shard(u32, Findings& findings) override {
    return std::make_unique<ArrayBoundsCheck>(findings);
  }
  void merge(const std::vector<ArrayBoundsCheck*>&) override {}  // each launch begins anew

  Interests interests() const override {
    return arrays_.empty() ? Interests::nothing() : Interests{.accesses = true, .rows = true};
  }
  void row_access(const RowAccess& a) override {
    if (a.space != Space::shared) return;
    const MeantArray& meant = arrays_[a.pc];
    const u32 lowest = u32(std::countr_zero(a.mask)), highest = 31 - u32(std::countl_zero(a.mask));
    const auto is_inside = [&](u32 lane) { return holds(meant, a.first + lane * a.step, a.bytes); };
    if (meant.bytes != 0 && !(is_inside(lowest) && is_inside(highest))) Observer::row_access(a);
  }
  void access(const Access& a) override {
    if (a.space != Space::shared) return;
    const MeantArray& meant = arrays_[a.pc];
    if (meant.bytes == 0) return;
    for_each_lane(a.mask, [&](u32 lane) {
      if (!holds(meant, a.address[lane], a.bytes)) report(a, lane, meant);
    });
  }

 private:
  static bool holds(const MeantArray& meant, u64 address, u32 bytes) {
    const u64 at = address - meant.begin;  // wraps in front of it
    return at < meant.bytes && meant.bytes - at >= bytes;
  }
  // By pc. Empty if no instruction's array is known, or if there is only one array: a miss of that faults.
  static std::vector<MeantArray> arrays_of(const Program& program, u32 kernel) {
    const std::vector<u32> functions = reachable_functions(program, kernel);
    const std::vector<PlacedVariable> placed = place_shared(program, functions);
    if (placed.size() < 2) return {};
    std::vector<MeantArray> arrays(program.code.size());
    for (const u32 index : functions) {
      const Function& f = program.functions[index];
      const auto meant = shared_arrays(program, f);
      for (u32 k = 0; k < meant.size(); ++k)
        for (const PlacedVariable& p : placed)
          if (meant[k] == p.variable)
            arrays[f.begin + k] = {p.offset, program.variables[p.variable].size, p.variable};
    }
    return arrays;
  }
  void report(const Access& a, u32 lane, const MeantArray& meant) {
    findings_.report(0, a.pc, 0, [&] {
      const Program& program = *launch_->program;
      const u32 element = a.element_bytes();
      const std::string name = variable_name(program.variables[meant.variable].name);
      const s64 at = s64(a.address[lane] - meant.begin);
      Finding f;
      f.check = "out of bounds";
      f.place = place_of(program, a.pc);
      f.kernel = launch_->kernel->pretty_name;
      f.message = block_name(*launch_, a.block) + ", " + thread_name(*launch_, a.warp * kWarpSize + lane) +
                  " " + verb(a.kind) + " " + name + "[" + std::to_string(at / s64(element)) + "], " +
                  (at < 0 ? "before" : "beyond") + " the " + std::to_string(meant.bytes / element) +
                  " elements of " + name + ": this is " + shared_name(*launch_, a.address[lane], element);
      return f;
    });
  }

  const LaunchInfo* launch_ = nullptr;
  std::vector<MeantArray> arrays_;  // by pc
  RepeatedFindings findings_;
};

}  // namespace

std::unique_ptr<Observer> make_array_bounds_check(const Memory&, Findings& findings) {
  return std::make_unique<ArrayBoundsCheck>(findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
