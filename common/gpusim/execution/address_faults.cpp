// What is wrong with an address, in words: by the names that the kernel has for arrays, as far as they are known.
#include <cstring>

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

constexpr u64 kNear = 4096;  // bytes from an allocation that an address is likely to be meant for

// The memory behind the pointer that the program counts the address from, if that can be seen.
const Allocation* meant(const Memory& memory, const LaunchInfo& launch, u32 pc) {
  const Function& kernel = launch.program->functions[launch.kernel->function];
  const auto origin = pointer_origin(*launch.program, kernel, pc);
  if (!origin || !launch.params) return nullptr;
  u64 pointer;
  std::memcpy(&pointer, launch.params + launch.kernel->params[origin->parameter].offset + origin->at,
              sizeof pointer);
  return memory.find(pointer);
}

// An address of global memory that may not be touched, by the names that the kernel has; empty where it has none.
std::string named_fault(const Memory& memory, const LaunchInfo& launch, u32 pc, AccessKind kind, u64 address,
                        u32 count, u64 block, u32 thread, std::string* hint) {
  if (address < kNear) return null_name(launch, address, count);
  const auto outside = [&](const Allocation& array) {
    const std::string name = outside_name(launch, array, address, count, kind);
    if (!name.empty()) *hint = bounds_hint(launch, array, address, kind, block, thread);
    return name;
  };
  if (const Allocation* array = meant(memory, launch, pc))
    if (const std::string name = outside(*array); !name.empty()) return name;
  const Allocation* a = memory.find(address);
  if (const Allocation* old = a ? nullptr : memory.freed(address)) {
    const std::string name = array_name(launch, *old, address, kind);
    return name.empty() ? ""
                        : global_name(launch, *old, address, count, kind) + ", and the memory of " + name +
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

}  // namespace

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

// What to add to a fault if the address, or the index that it was computed with, is what fresh memory holds
// (gpusim/fresh_memory.h). Not with NaN, whose bytes are -1 as an index, nor with zeros: programs compute both as well.
static std::string hint_at_fresh(const Memory& memory, u64 address) {
  if (memory.fresh != Backing::kLarge) return "";
  constexpr u64 kStep = u64(1) << 20;  // from the beginning of what a pointer points to
  const u64 word = memory.fresh_word();
  const auto hint = [](const std::string& what) {
    return "; " + what + " holds what fresh memory holds: nothing has stored it before it was read";
  };
  if (address - ((word << 32 | word) - kStep) < 2 * kStep) return hint("the pointer");
  for (const u64 bytes : {1, 2, 4, 8, 16})
    if (memory.find(address - word * bytes)) return hint("the index " + std::to_string(word));
  return "";
}

// Who alone may use an address that is one of shared or local memory, or null.
static const char* owner_of(u64 address) {
  switch (space_of(address)) {
    case Space::local: return ", which is in an array or variable of a thread: no other thread can reach it";
    case Space::shared: return ", which is in a block's shared memory: no other block can reach it";
    default: return nullptr;
  }
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
  const std::string hint = space == Space::global ? hint_at_fresh(memory_, address) : "";
  if (address & (count - 1))
    fault(FaultCode::misaligned_address, pc, w, lane,
          "misaligned: " + access + ", which is not a multiple of " + std::to_string(count) + hint);
  std::string why;
  if (space == Space::global) {
    if (const std::string peer = no_peer_access(kind, address, count); !peer.empty())
      fault(FaultCode::illegal_address, pc, w, lane, "no peer access: " + std::string(verb) + " " + peer);
    std::string bounds;
    const std::string named = named_fault(memory_, launch_, pc, kind, address, count, w.block->index,
                                          w.index * kWarpSize + lane, &bounds);
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
    const Allocation* a = memory_.find(address);
    const bool is_others = peers_ && Memory::gpu_of(address) != launch_.gpu;
    if (const Allocation* const peers = is_others ? peers_->owned(address - 1) : nullptr) {
      const bool after = address == peers->base + peers->size;
      why = std::string(after ? ", just past" : ", across") + " the end of an allocation of " +
            bytes_name(peers->size) + " of GPU " + std::to_string(Memory::gpu_of(address));
    } else if (a && a->kind == MemoryKind::constant && kind != AccessKind::load)
      why = "; constant memory is read-only";
    else if (const Allocation* old = memory_.freed(address))
      why = ", where an allocation of " + bytes_name(old->size) +
            " lay that has been freed and that the kernel was not given: is this an index that overflowed?";
    else if (address < 4096) why = ": a null pointer";
    else if (const char* const owner = owner_of(address)) why = owner;
    else if (const auto near = memory_.nearest(address); !a && !near.empty()) {
      a = near[0];
      const bool after = address >= a->base + a->size;
      const u64 distance = after ? address - (a->base + a->size) : a->base - address;
      if (distance < kNear)
        why = ", " +
              (after ? (distance ? bytes_name(distance) + " past the end" : std::string("just past the end"))
                     : bytes_name(distance) + " before the start") +
              " of an allocation of " + bytes_name(a->size);
      else if (!hint.empty()) why = hint;
      else why = "; no allocation is near: is this a host pointer, or an index that overflowed?";
    } else if (!a) {
      why = "; no memory is allocated: is this a host pointer?";
    } else {
      why = ", across the end of an allocation of " + bytes_name(a->size);
    }
  }
  fault(FaultCode::illegal_address, pc, w, lane, "out of bounds: " + access + why);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
