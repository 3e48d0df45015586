#include "execution/calls.h"

#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "base/address_text.h"
#include "execution/builtins.h"
#include "execution/fault_reporter.h"
#include "execution/footprint.h"
#include "execution/module.h"
#include "ptx/names.h"

namespace gpusim {

Calls::Calls(Memory& memory, MemoryPipe& pipe, const LoadedModule& module, const LaunchInfo& launch,
             FrameFactory& frames, const ObserverHub& hub, const FaultReporter& faults, SpinReads& spin)
    : memory_(memory),
      pipe_(pipe),
      module_(module),
      launch_(launch),
      frames_(frames),
      hub_(hub),
      faults_(faults),
      spin_(spin) {}

// The least that a recursion needs on a GPU's stack if `callee` is called once more: the arrays of its functions, and a return
// address for each call. (On an H100, each call was measured to take 20 to 40 bytes in addition to its arrays.) 0 if there is no
// recursion.
static u64 least_stack(const Fragment& f, const Function& callee) {
  constexpr u64 kReturnAddress = 8;
  u64 bytes = callee.local_bytes, of_recursion = 0;
  for (const Frame* frame = f.frame; frame; frame = frame->caller) {
    bytes += frame->function->local_bytes + kReturnAddress;
    if (frame->function == &callee) of_recursion = bytes;
  }
  return of_recursion;
}

// Calls that would need more than a GPU's stack holds, or more than this process should take for one warp.
void Calls::refuse_overflow(const Warp& w, const Fragment& f, const Function& callee, u64 local_bytes) const {
  constexpr u64 kLocalBytes =
      512 * 1024;  // of a thread (CUDA C++ Programming Guide, technical specifications)
  constexpr u32 kDeepest = 1024;
  constexpr u64 kFrames = u64(256) << 20;  // bytes of registers
  std::string why;
  if (local_bytes > kLocalBytes) {
    why = "a thread would need " + std::to_string(local_bytes) + " bytes of local memory, and has " +
          std::to_string(kLocalBytes);
  } else if (const u64 stack = least_stack(f, callee); stack > memory_.stack_limit) {
    // How much a call takes is known to ptxas alone, so a program has to ask for enough.
    faults_.fault(
        FaultCode::illegal_address, f.pc, w, u32(std::countr_zero(f.mask)),
        "stack overflow: this recursion keeps at least " + std::to_string(stack) +
            " bytes on a thread's stack, which has " + std::to_string(memory_.stack_limit) +
            ": does it end? If so, call cudaDeviceSetLimit(cudaLimitStackSize, BYTES) before the launch");
  } else {
    u32 depth = 0;
    u64 frames = callee.frame_bytes;
    for (const Frame* frame = f.frame; frame; frame = frame->caller) ++depth, frames += frame->size();
    if (depth <= kDeepest && frames <= kFrames) return;
    why = "calls are nested " + std::to_string(depth) + " deep";
  }
  faults_.fault(FaultCode::launch_failure, f.pc, w, u32(std::countr_zero(f.mask)),
                "stack overflow: " + why + ": does this recursion end?");
}

Mask Calls::same_callee(const Fragment& f, const Instruction& in, Mask mask) const {
  if (!module_.code.calls[in.target].by_address) return mask;
  u64 addresses[kWarpSize];
  std::memcpy(addresses, f.frame->bytes() + in.s[0], sizeof addresses);
  Mask same = 0;
  for (u32 lane = 0; lane < kWarpSize; ++lane)
    if (mask >> lane & 1 && addresses[lane] == addresses[std::countr_zero(mask)]) same |= Mask(1) << lane;
  return same;
}

// The function at the address that these lanes call. Faults if there is none, or if it does not take what the call passes.
const Function& Calls::called_by_address(const Warp& w, const Fragment& f, const Instruction& in) const {
  const u32 lane = u32(std::countr_zero(f.mask));
  u64 address;
  std::memcpy(&address, f.frame->bytes() + in.s[0] + lane * sizeof address, sizeof address);
  const auto refuse = [&](const std::string& what) {
    faults_.fault(FaultCode::launch_failure, f.pc, w, lane, "wrong call: " + what);
  };
  if (address == 0) refuse("calls a null pointer");
  const auto index = module_.function_at(address);
  if (!index) {
    const bool is_code = Memory::is_code(address);
    refuse(
        "calls address " + address_text(address) + ", where no function " +
        (is_code
             ? "of this file begins: other files, and other GPUs, have functions of their own"
             : "begins: only addresses that a kernel, or a __device__ or __constant__ variable, took are those of a GPU"));
  }
  const Function& callee = module_.code.functions[*index];
  if (callee.name == "__cxa_pure_virtual") refuse("calls a pure virtual function");
  const auto name = [&] { return "'" + demangled(callee.name) + "'"; };
  if (!module_.code.calls[in.target].fits(callee))
    refuse("calls " + name() + " through a pointer of another type: its parameters differ");
  if (callee.is_kernel) refuse("calls kernel " + name());
  if (callee.begin == callee.end && callee.host_call < 0)
    refuse("calls " + name() + " by its address, which is not simulated; run this on a GPU");
  return callee;
}

bool Calls::call(Warp& w, Fragment& f, const Instruction& in) {
  const CallSite& site = module_.code.calls[in.target];
  if (site.is_host()) {
    host_call(w, f, site, in.target);
    return false;
  }
  const Function& callee =
      site.by_address ? called_by_address(w, f, in) : module_.code.functions[std::size_t(site.function)];
  if (callee.host_call >= 0) {
    host_call(w, f, site, u32(callee.host_call));
    return false;
  }
  const u64 local_base = align_up(f.frame->local_base + f.frame->function->local_bytes, 16);
  refuse_overflow(w, f, callee, local_base + callee.local_bytes);
  Frame* frame = frames_.make_frame(w, callee);
  frame->caller = f.frame;
  frame->site = &site;
  frame->return_pc = f.pc + 1;
  frame->caller_join = f.join;
  frame->local_base = local_base;
  frames_.fill_specials(*frame, w);
  for (std::size_t k = 0; k < site.arguments.size(); ++k) {
    const ParamVar &from = site.arguments[k], &to = callee.params[k];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      if (f.mask >> lane & 1)
        std::memcpy(frame->bytes() + to.frame + lane * to.stride,
                    f.frame->bytes() + from.frame + lane * from.stride, to.size);
  }
  f.frame = frame;
  f.pc = callee.begin;
  f.join = -1;
  f.rpc = kNoReconvergence;
  return true;
}

void Calls::leave_function(Warp& w, Fragment& f) {
  Frame* frame = f.frame;
  const CallSite& site = *frame->site;
  for (std::size_t k = 0; k < site.results.size(); ++k) {
    const ParamVar &from = frame->function->results[k], &to = site.results[k];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      if (f.mask >> lane & 1)
        std::memcpy(frame->caller->bytes() + to.frame + lane * to.stride,
                    frame->bytes() + from.frame + lane * from.stride, to.size);
  }
  f.frame = frame->caller;
  f.pc = frame->return_pc;
  f.join = frame->caller_join;
  f.rpc = f.join < 0 ? kNoReconvergence : w.joins[std::size_t(f.join)].pc;
  // Branches of the callee have met again by now, so no other lane uses the frame.
  if (w.parted) return;
  for (auto& owned : w.frames)
    if (owned.get() == frame) {
      w.idle_frames.push_back(std::move(owned));
      owned = std::move(w.frames.back());
      w.frames.pop_back();
      break;
    }
}

class LaneHostCall : public HostCall {
 public:
  LaneHostCall(Calls& calls, Frame* frame, Warp& warp)
      : calls_(calls), frame_(frame), warp_(warp), block_(*warp.block) {}
  // Lanes run one after another, so the texture that an earlier lane has found serves the later ones.
  void go_to(u32 lane) { lane_ = lane; }
  Dim3 thread_index() const override {
    return position(warp_.index * kWarpSize + lane_, calls_.launch_.block);
  }
  u8* memory(u64 address, std::size_t count) override {
    switch (space_of(address)) {
      case Space::shared: {
        const u64 at = address - kSharedWindow;
        const std::size_t size = block_.shared.size();
        return at < size && count <= size - at ? block_.shared.data() + at : nullptr;
      }
      case Space::local: return calls_.pipe_.local_bytes(frame_, lane_, address - kLocalWindow, count);
      default:
        if (calls_.pipe_.footprint()) throw NeedsSerialOrder();  // the host function might write there
        calls_.hub_.tell_unseen();
        return calls_.memory_.resolve_in_kernel(address, count);
    }
  }
  u8* elements(const Texture& texture) override {
    if (&texture == resolved_) return elements_;
    if (Footprint* const footprint = calls_.pipe_.footprint())
      footprint->read_all(texture.address, texture.size);
    calls_.hub_.tell_unseen();
    resolved_ = &texture;
    return elements_ = calls_.memory_.resolve_in_kernel(texture.address, texture.size);
  }
  const Texture* texture(u64 handle) override {
    if (texture_ && handle == handle_) return texture_;
    const auto found = calls_.memory_.textures.find(handle);
    handle_ = handle;
    return texture_ = found == calls_.memory_.textures.end() ? nullptr : &found->second;
  }
  u64 allocate(std::size_t bytes) override { return calls_.memory_.allocate(bytes, MemoryKind::heap); }
  bool release(u64 address) override {
    const Allocation* a = calls_.memory_.find(address);
    calls_.pipe_.forget_found();
    return a && a->kind == MemoryKind::heap && calls_.memory_.release(address);
  }
  std::string launch(const ChildRequest& request) override { return calls_.add_child(request); }

 private:
  Calls& calls_;
  Frame* frame_;
  const Warp& warp_;
  Block& block_;
  u32 lane_ = 0;
  u64 handle_ = 0;
  const Texture *texture_ = nullptr, *resolved_ = nullptr;
  u8* elements_ = nullptr;
};

// Call `number` of the module says which host function it is; `site` says where its parameters lie.
void Calls::host_call(Warp& w, Fragment& f, const CallSite& site, u32 number) {
  if (pipe_.footprint() && module_.acts[number]) throw NeedsSerialOrder();
  if (module_.acts[number]) hub_.tell_unseen();
  spin_.changed();  // perhaps it prints
  if (const HostLanesFunction on_lanes = module_.host_lanes_function[number]) {
    u8* const frame = f.frame->bytes();
    HostLanes lanes{};
    for (std::size_t k = 0; k < site.arguments.size(); ++k)
      lanes.arguments[k] = {frame + site.arguments[k].frame, site.arguments[k].stride};
    lanes.result = {frame + site.results[0].frame, site.results[0].stride};
    return on_lanes(lanes, f.mask);
  }
  const HostFunction function = module_.host_function[number];
  u8* const frame = f.frame->bytes();
  std::vector<const u8*> arguments(site.arguments.size());
  LaneHostCall c(*this, f.frame, w);
  c.arguments = arguments.data();
  c.argument_count = u32(arguments.size());
  c.block_index = w.block->at;
  c.kernel = launch_.kernel->pretty_name;
  std::optional<Fault>
      assertion;  // names its own place. As on a GPU, every lane of the warp whose it is prints it
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    if (!(f.mask >> lane & 1)) continue;
    c.go_to(lane);
    for (std::size_t k = 0; k < arguments.size(); ++k)
      arguments[k] = frame + site.arguments[k].frame + lane * site.arguments[k].stride;
    if (!site.results.empty()) c.result = frame + site.results[0].frame + lane * site.results[0].stride;
    if (auto failed = function(c)) {
      if (failed->code != FaultCode::assertion) faults_.fault(failed->code, f.pc, w, lane, failed->message);
      assertion = std::move(failed);
    }
  }
  if (assertion) throw std::move(*assertion);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
