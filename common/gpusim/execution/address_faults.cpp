// What is wrong with an address, in words: by the names that the kernel has for arrays, as far as they are known.
#include <cstring>
#include <optional>

#include "analysis/bounds_hint.h"
#include "analysis/parameters.h"
#include "analysis/pointer_origin.h"
#include "analysis/reachable.h"
#include "base/address_text.h"
#include "base/addresses.h"
#include "execution/fault_reporter.h"
#include "execution/module.h"
#include "ptx/names.h"

namespace gpusim {
namespace {

constexpr u64 kNear = 4096;  // bytes: an address this close to an allocation was probably meant for it

// The kernel's argument from which the program computed the address, if that can be told.
std::optional<u64> counted_from(const LaunchInfo& launch, u32 pc) {
  const Function& kernel = launch.program->functions[launch.kernel->function];
  const auto origin = pointer_origin(*launch.program, kernel, pc);
  if (!origin || !launch.params) return std::nullopt;
  u64 pointer;
  std::memcpy(&pointer, launch.params + launch.kernel->params[origin->parameter].offset + origin->at,
              sizeof pointer);
  return pointer;
}

}  // namespace

// The memory of the GPU to which an address belongs: its own, if the address belongs to none.
const Memory& FaultReporter::memory_of(u64 address) const {
  const Memory* const memory = peers_ && Memory::is_device(address) ? peers_->memory_of(address) : nullptr;
  return memory ? *memory : memory_;
}

// Describes a global address that must not be accessed, with the kernel's names; empty if the kernel has no name for it.
std::string FaultReporter::named_fault(const Warp& w, u32 pc, u32 lane, AccessKind kind, u64 address,
                                       u32 count, std::string* hint) const {
  if (address < kNear) return null_name(launch_, address, count);
  const auto outside = [&](const Allocation& array) {
    const std::string name = outside_name(launch_, array, address, count, kind);
    if (!name.empty())
      *hint = bounds_hint(launch_, array, address, kind, w.block->index, w.index * kWarpSize + lane);
    return name;
  };
  const auto pointer = counted_from(launch_, pc);
  if (const Allocation* array = pointer ? memory_of(*pointer).find(*pointer) : nullptr)
    if (const std::string name = outside(*array); !name.empty()) return name;
  const Memory& memory = memory_of(address);
  const Allocation* a = memory.find(address);
  if (const Allocation* old = a ? nullptr : memory.freed(address)) {
    const std::string name = array_name(launch_, *old, address, kind);
    return name.empty() ? ""
                        : global_name(launch_, *old, address, count, kind) + ", and the memory of " + name +
                              " has been freed";
  }
  if (a) return outside(*a);
  std::string names;
  for (const Allocation* near : memory.nearest(address)) {
    if (address + kNear < near->base || address >= near->base + near->size + kNear) continue;
    const std::string name = outside(*near);
    if (!names.empty() && !name.empty()) hint->clear();  // it is not known which is meant
    if (!name.empty()) names += (names.empty() ? "" : ", or ") + name;
  }
  return names;
}

// ", and tile[32] is beyond them": what an address outside the block's shared memory is to the nearest variable,
// counted in elements of the access's size. Empty if the kernel has none, or it would be between two elements.
std::string FaultReporter::shared_element(u32 address, u32 count) const {
  const Program& program = module_.code;
  const bool before = s32(address) < 0;  // tile[-1]: 32-bit addresses wrap
  const auto variables = place_shared(program, reachable_functions(program, launch_.kernel->function));
  if (variables.empty()) return "";
  const PlacedVariable& nearest = before ? variables.front() : variables.back();
  const s32 bytes = s32(address - nearest.offset);
  if (bytes % s32(count) != 0) return "";
  return ", and " + variable_name(program.variables[nearest.variable].name) + "[" +
         std::to_string(bytes / s32(count)) + "] is " + (before ? "before" : "beyond") + " them";
}

// "peer[3] of GPU 1, whose memory …" where an address belongs to a GPU whose memory this one may not use; else empty.
std::string FaultReporter::no_peer_access(AccessKind kind, u64 address, u32 count) const {
  const u32 peer = Memory::gpu_of(address);
  const Allocation* a = peers_ ? peers_->owned(address) : nullptr;
  if (!a || peers_->may_use(launch_.gpu, peer)) return "";
  const std::string self = "GPU " + std::to_string(launch_.gpu), other = "GPU " + std::to_string(peer);
  return global_name(launch_, *a, address, count, kind) + ", which is memory of " + other + ", and " + self +
         " has no access to it: call cudaDeviceEnablePeerAccess(" + std::to_string(peer) +
         ", 0) after cudaSetDevice(" + std::to_string(launch_.gpu) + ")";
}

// A hint for the fault if the address, or the index it was computed from, is the value of fresh memory (gpusim/fresh_memory.h).
// No hint for NaN, whose bytes are -1 as an index, or for zeros: programs compute both values themselves.
static std::string hint_at_fresh(const Memory& memory, u64 address) {
  if (memory.fresh != Backing::kLarge) return "";
  constexpr u64 kStep = u64(1) << 20;  // from the beginning of what a pointer points to
  const u64 word = memory.fresh_word();
  const auto hint = [](const std::string& what) {
    return "; " + what + " is the value of fresh memory: it was read before anything was stored there";
  };
  if (address - ((word << 32 | word) - kStep) < 2 * kStep) return hint("the pointer");
  for (const u64 bytes : {1, 2, 4, 8, 16})
    if (memory.find(address - word * bytes)) return hint("the index " + std::to_string(word));
  return "";
}

// Who is the only user of a shared or local address; null for other addresses.
static const char* owner_of(u64 address) {
  switch (space_of(address)) {
    case Space::local: return ", which is in an array or variable of a thread: no other thread can reach it";
    case Space::shared: return ", which is in a block's shared memory: no other block can reach it";
    default: return nullptr;
  }
}

// Where an address of global or constant memory lies that belongs to no named array. `hint`: what is known of the address.
std::string FaultReporter::where_in_global(AccessKind kind, u64 address, const std::string& hint) const {
  const Memory& memory = memory_of(address);
  const auto allocation = [&](const Allocation& a) {
    const std::string gpu = &memory == &memory_ ? "" : " of GPU " + std::to_string(Memory::gpu_of(address));
    return "an allocation of " + bytes_name(a.size) + gpu;
  };
  const Allocation* const a = memory.find(address);
  if (a && a->kind == MemoryKind::constant && kind != AccessKind::load)
    return "; constant memory is read-only";
  if (const Allocation* old = memory.freed(address))
    return ", in memory of " + allocation(*old) +
           " that has been freed, and to which the kernel has no pointer: did an index overflow?";
  if (address < kNear) return ": a null pointer";
  if (const char* const owner = owner_of(address)) return owner;
  if (a) return ", across the end of " + allocation(*a);
  const auto near = memory.nearest(address);
  if (near.empty()) return "; no memory is allocated: is this a host pointer?";
  const u64 end = near[0]->base + near[0]->size;
  const u64 distance = address >= end ? address - end : near[0]->base - address;
  if (distance >= kNear)
    return hint.empty() ? "; no allocation is near: is this a host pointer, or did an index overflow?" : hint;
  const std::string side = address < end   ? bytes_name(distance) + " before the start"
                           : distance == 0 ? "just past the end"
                                           : bytes_name(distance) + " past the end";
  return ", " + side + " of " + allocation(*near[0]);
}

void FaultReporter::fault_address(const Warp& w, u32 pc, u32 lane, Space space, AccessKind kind, u64 address,
                                  u32 count) const {
  const char* verb = kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates";
  const char* place = space == Space::shared     ? "shared memory"
                      : space == Space::local    ? "local memory"
                      : space == Space::constant ? "constant memory"
                                                 : "global memory";
  const std::string access =
      std::string(verb) + " " + bytes_name(count) + " of " + place + " at " + address_text(address);
  const std::string hint = space == Space::global ? hint_at_fresh(memory_of(address), address) : "";
  if (address & (count - 1))
    fault(FaultCode::misaligned_address, pc, w, lane,
          "misaligned: " + access + ", which is not a multiple of " + std::to_string(count) + hint);
  std::string why;
  if (space == Space::global) {
    if (const std::string peer = no_peer_access(kind, address, count); !peer.empty())
      fault(FaultCode::illegal_address, pc, w, lane, "no peer access: " + std::string(verb) + " " + peer);
    std::string bounds;
    const std::string named = named_fault(w, pc, lane, kind, address, count, &bounds);
    if (!named.empty())
      fault(FaultCode::illegal_address, pc, w, lane,
            "out of bounds: " + std::string(verb) + " " + named + (hint.empty() ? bounds : hint));
  }
  if (space == Space::shared) {
    why = "; the block has " + bytes_name(w.block->shared.size()) + shared_element(u32(address), count);
  } else if (space == Space::local) {
    why = address >> 63 ? "; it begins at 0: is an index of a thread's own array negative?"
                        : "; a thread's own arrays end before that";
  } else if (space == Space::global || space == Space::constant) {
    why = where_in_global(kind, address, hint);
  }
  fault(FaultCode::illegal_address, pc, w, lane, "out of bounds: " + access + why);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
