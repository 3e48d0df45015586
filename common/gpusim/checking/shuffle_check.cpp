// Shuffles, votes and warp barriers whose member mask is wrong: without the caller, naming a lane that has left,
// or leaving out the lane that a shuffle reads from.
#include <bit>
#include <string>
#include <vector>

#include "base/mask_text.h"
#include "checking/check_shards.h"
#include "checking/checks.h"
#include "checking/races/resident_blocks.h"

namespace gpusim {
namespace {

constexpr u32 kOutside = 0, kGone = 1, kSource = 2, kWidth = 3;  // kinds of finding

// By warp: the lanes that have left the kernel.
struct ExitedLanes {
  std::vector<Mask> exited;
  void begin(const LaunchInfo& launch) { exited.assign(launch.warps_per_block, 0); }
};

std::string lanes_text(Mask lanes) {
  const u32 first = u32(__builtin_ctz(lanes)), last = 31 - u32(__builtin_clz(lanes));
  if (first == last) return "lane " + std::to_string(first);
  const bool is_range = lanes == (kAllLanes << first & kAllLanes >> (31 - last));
  return "lanes " + std::to_string(first) + (is_range ? " to " : " … ") + std::to_string(last);
}

// The width that a shuffle is given as a constant; 0 where it is not known. __shfl_sync() passes it on as 32 - width, in bits 8 to 12
// of the last operand.
u32 constant_width(const Program& program, u32 pc) {
  const FrameOffset operand = program.code[pc].s[2];
  for (const Function& f : program.functions) {
    if (pc < f.begin || pc >= f.end) continue;
    for (const Constant& c : f.constants)
      if (c.frame == operand && c.base == Constant::Base::none && c.lane_stride == 0)
        return kWarpSize - (u32(c.value) >> 8 & (kWarpSize - 1));
  }
  return 0;
}

class ShuffleCheck final : public Check<ShuffleCheck> {
 public:
  explicit ShuffleCheck(Findings& findings) : Check(findings), findings_(findings) {}

  void launch_begin(const LaunchInfo& launch) override {
    launch_ = &launch;
    blocks_.clear();
    known_width_.assign(launch.program->code.size(), false);
  }
  void launch_end(const LaunchInfo&, bool) override { findings_.flush(); }
  void block_begin(u64 block) override { blocks_.begin(*launch_, block); }
  void block_end(u64 block) override { blocks_.end(block); }
  std::unique_ptr<ShuffleCheck> make_shard(u32, Findings& findings) override {
    return std::make_unique<ShuffleCheck>(findings);
  }
  void merge(const std::vector<ShuffleCheck*>&) override {}  // each launch begins anew

  Interests interests() const override { return {.meetings = true}; }
  void exit(const Issue& i) override {
    if (ExitedLanes* s = blocks_.find(i.block)) s->exited[i.warp] |= i.mask;
  }

  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::block_barrier) return;
    if (kind == SyncKind::shuffle) look_at_width(i);
    if (const Mask outside = i.mask & ~members)
      report(kOutside, i, [&] {
        return lanes_text(outside) + " of " + warp_name(i) + (is_one(outside) ? " calls " : " call ") +
               call_name(i.pc) + " with the mask " + hex(members) + ", which does not contain " +
               (is_one(outside) ? "it" : "them") +
               ": every calling lane must be in the mask, and every lane in the mask must call";
      });
    const ExitedLanes* s = blocks_.find(i.block);
    if (!s) return;
    const Mask gone = members & s->exited[i.warp];
    // __syncwarp() waits for those that are left (CUDA C++ Programming Guide, "Warp Synchronization").
    if (kind == SyncKind::warp_barrier) {
      if (gone) allow(i.pc, "is a __syncwarp() for lanes of which some have left the kernel");
      return;
    }
    if (gone)
      report(kGone, i, [&] {
        return warp_name(i) + " calls " + call_name(i.pc) + " with the mask " + hex(members) +
               ", which names " + lanes_text(gone) + (is_one(gone) ? " that has" : " that have") +
               " left the kernel: let every lane stay, or leave it out of the mask";
      });
  }

  void shuffled(const Issue& i, Mask members, Mask here, const u32* from) override {
    if (here == kAllLanes) return;
    // Lanes outside the mask have been reported. A source beyond the segment has become the lane itself.
    for (Mask lanes = i.mask & members; lanes != 0; lanes &= lanes - 1) {
      const u32 lane = u32(__builtin_ctz(lanes));
      if (here >> from[lane] & 1) continue;
      report(kSource, i, [&] {
        return "lane " + std::to_string(lane) + " of " + warp_name(i) + " reads from lane " +
               std::to_string(from[lane]) + ", which " + absence(i, from[lane], members) +
               ": the value is undefined; read only from lanes that take part (the fourth argument limits the " +
               "shuffle to groups of lanes)";
      });
      return;
    }
  }

 private:
  void look_at_width(const Issue& i) {
    if (known_width_[i.pc] || launch_->program->code[i.pc].shape != Shape::shuffle) return;
    known_width_[i.pc] = true;
    const u32 width = constant_width(*launch_->program, i.pc);
    if (width == 0 || std::has_single_bit(width)) return;
    report(kWidth, i, [&] {
      return warp_name(i) + " calls a shuffle with the width " + std::to_string(width) +
             ", which is not a power of two, so the result is undefined: use a width of 1, 2, 4, 8, 16 or 32";
    });
  }

  template <class Message>
  void report(u32 kind, const Issue& i, Message message) {
    findings_.report(kind, i.pc, 0, [&] {
      Finding f;
      f.check = "shuffle";
      f.place = place_of(*launch_->program, i.pc);
      f.kernel = launch_->kernel->pretty_name;
      f.message = block_name(*launch_, i.block) + ", " + message();
      return f;
    });
  }
  std::string call_name(u32 pc) const {
    const Instruction& in = launch_->program->code[pc];
    switch (in.shape) {
      case Shape::shuffle: return "a shuffle";
      case Shape::warp_barrier: return "__syncwarp()";
      case Shape::match: return "a match";
      case Shape::redux: return "a reduction";
      case Shape::vote: return "a vote";
      case Shape::matrix_load:
      case Shape::matrix_multiply:  // no event tells of them: all lanes take part
#define LANE_SHAPE(name, ...) case Shape::name:
#define SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
        break;
    }
    return mnemonic(in.op);
  }
  std::string absence(const Issue& i, u32 lane, Mask members) {
    if (i.warp * kWarpSize + lane >= launch_->block.count()) return "does not exist in this block";
    return members >> lane & 1 ? "has left the kernel" : "is not in the mask";
  }
  static bool is_one(Mask mask) { return (mask & (mask - 1)) == 0; }
  static std::string warp_name(const Issue& i) { return "warp " + std::to_string(i.warp); }

  const LaunchInfo* launch_ = nullptr;
  ResidentBlocks<ExitedLanes> blocks_;
  std::vector<bool> known_width_;  // by pc: it has been looked at
  RepeatedFindings findings_;
};

}  // namespace

std::unique_ptr<Observer> make_shuffle_check(const Memory&, Findings& findings) {
  return std::make_unique<ShuffleCheck>(findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
