#include "execution/frame_factory.h"

#include <cstring>

#include "base/position_text.h"
#include "execution/module.h"

namespace gpusim {

FrameFactory::FrameFactory(const LoadedModule& module, const LaunchInfo& launch, const Memory& memory,
                           const Capacity& capacity)
    : module_(module),
      launch_(launch),
      memory_(memory),
      capacity_(capacity),
      images_(module.code.functions.size()),
      shared_offset_(module.shared[std::size_t(launch.kernel - module.kernels.data())].offset) {}

const std::vector<FrameLine>& FrameFactory::image(const Function& function) {
  std::vector<FrameLine>& lines = images_[std::size_t(&function - module_.code.functions.data())];
  if (!lines.empty()) return lines;
  lines.resize(function.frame_bytes / sizeof(FrameLine) + 1);
  u8* bytes = reinterpret_cast<u8*>(lines.data());
  // Uninitialised registers hold arbitrary values, as memory does: this one is a NaN as a float or double, a large number as an
  // integer.
  constexpr u32 kNanOrLarge = 0x7ffadbad;
  const u32 leftover = memory_.fresh == Backing::kNan ? kNanOrLarge : memory_.fresh_word();
  for (std::size_t at = 0; at < lines.size() * sizeof(FrameLine); at += sizeof leftover)
    std::memcpy(bytes + at, &leftover, sizeof leftover);
  for (const Constant& c : function.constants) {
    const u64 base = c.base == Constant::Base::shared ? shared_offset_[c.variable] : 0;
    if (c.bytes == 0) {
      const Mask mask = c.value ? kAllLanes : 0;
      std::memcpy(bytes + c.frame, &mask, sizeof mask);
    }
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      const u64 value = c.value + base + lane * c.lane_stride;
      std::memcpy(bytes + c.frame + lane * c.bytes, &value, c.bytes);
    }
  }
  if (function.is_kernel && !function.params.empty())
    std::memcpy(bytes + function.params.front().frame, launch_.params, launch_.kernel->param_bytes);
  return lines;
}

Frame* FrameFactory::make_frame(Warp& w, const Function& function) {
  if (w.idle_frames.empty()) w.idle_frames.push_back(std::make_unique<Frame>());
  w.frames.push_back(std::move(w.idle_frames.back()));
  w.idle_frames.pop_back();
  Frame* f = w.frames.back().get();
  f->function = &function;
  f->lines = image(function);
  f->local.assign(std::size_t(kWarpSize) * function.local_bytes, memory_.fresh);
  f->caller = nullptr;
  f->local_base = 0;
  f->caller_join = -1;
  return f;
}

// Copying every register takes as long as many instructions. So a frame that the same kernel has used gets only what it may have
// changed and a new warp may read.
Frame* FrameFactory::kernel_frame(Warp& w) {
  const Function& kernel = module_.code.functions[launch_.kernel->function];
  const bool was_kernels = !w.idle_frames.empty() && w.idle_frames.back()->function == &kernel;
  const auto* const unset = was_kernels && !kernel.local_bytes ? module_.unset_registers(kernel) : nullptr;
  if (!unset) {
    Frame* const frame = make_frame(w, kernel);
    fill_specials(*frame, w);
    return frame;
  }
  w.frames.push_back(std::move(w.idle_frames.back()));
  w.idle_frames.pop_back();
  Frame* const frame = w.frames.back().get();
  const u8* const bytes = reinterpret_cast<const u8*>(image(kernel).data());
  for (const FrameBytes& r : *unset) std::memcpy(frame->bytes() + r.at, bytes + r.at, r.count);
  fill_specials(*frame, w, true);
  return frame;
}

void FrameFactory::fill_specials(Frame& frame, const Warp& w, bool again) const {
  const Dim3 &block = launch_.block, &grid = launch_.grid;
  u8* bytes = frame.bytes();
  if (frame.local_base)
    for (const Constant& c : frame.function->constants) {
      if (c.base != Constant::Base::local) continue;
      const u64 value = c.value + frame.local_base;
      for (u32 lane = 0; lane < kWarpSize; ++lane)
        std::memcpy(bytes + c.frame + lane * c.bytes, &value, c.bytes);
    }
  for (const SpecialValue& s : frame.function->specials) {
    const bool is_of_block = s.which == Special::ctaid_x || s.which == Special::ctaid_y ||
                             s.which == Special::ctaid_z || s.which == Special::smid;
    if (again && !is_of_block) continue;
    u32 v[kWarpSize];
    const auto each = [&](auto f) {
      for (u32 lane = 0; lane < kWarpSize; ++lane) v[lane] = u32(f(lane));
    };
    const u32 first = w.index * kWarpSize;
    switch (s.which) {
      case Special::tid_x: each([&](u32 l) { return position(first + l, block).x; }); break;
      case Special::tid_y: each([&](u32 l) { return position(first + l, block).y; }); break;
      case Special::tid_z: each([&](u32 l) { return position(first + l, block).z; }); break;
      case Special::ntid_x: each([&](u32) { return block.x; }); break;
      case Special::ntid_y: each([&](u32) { return block.y; }); break;
      case Special::ntid_z: each([&](u32) { return block.z; }); break;
      case Special::ctaid_x: each([&](u32) { return w.block->at.x; }); break;
      case Special::ctaid_y: each([&](u32) { return w.block->at.y; }); break;
      case Special::ctaid_z: each([&](u32) { return w.block->at.z; }); break;
      case Special::nctaid_x: each([&](u32) { return grid.x; }); break;
      case Special::nctaid_y: each([&](u32) { return grid.y; }); break;
      case Special::nctaid_z: each([&](u32) { return grid.z; }); break;
      case Special::laneid: each([](u32 l) { return l; }); break;
      case Special::warpid: each([&](u32) { return w.index; }); break;
      case Special::nwarpid: each([&](u32) { return capacity_.threads / kWarpSize; }); break;
      case Special::smid: each([&](u32) { return w.block->index % capacity_.multiprocessors; }); break;
      case Special::nsmid: each([&](u32) { return capacity_.multiprocessors; }); break;
      case Special::gridid: each([&](u32) { return launch_.number; }); break;
      case Special::lanemask_eq: each([](u32 l) { return 1u << l; }); break;
      case Special::lanemask_le: each([](u32 l) { return ~0u >> (31 - l); }); break;
      case Special::lanemask_lt: each([](u32 l) { return (1u << l) - 1; }); break;
      case Special::lanemask_ge: each([](u32 l) { return ~0u << l; }); break;
      case Special::lanemask_gt: each([](u32 l) { return ~0u << l << 1; }); break;
      case Special::dynamic_smem_size: each([&](u32) { return launch_.dynamic_shared_bytes; }); break;
      case Special::total_smem_size:
        each([&](u32) { return launch_.dynamic_shared_bytes + launch_.static_shared_bytes; });
        break;
      case Special::clock:
      case Special::clock_hi:
      case Special::clock64:
      case Special::globaltimer: continue;
    }
    const auto fill = [&]<class T>(T) {
      T* const to = reinterpret_cast<T*>(bytes + s.frame);
      for (u32 lane = 0; lane < kWarpSize; ++lane) to[lane] = T(v[lane]);
    };
    s.bytes == 2 ? fill(u16()) : s.bytes == 4 ? fill(u32()) : fill(u64());
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
