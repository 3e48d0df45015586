#include "checking/races/global_race_advice.h"

#include "analysis/parameters.h"
#include "checking/findings.h"
#include "checking/races/missing_barrier.h"
#include "ptx/cfg.h"

namespace gpusim {
namespace {

// "take.cu:16"
std::string line_of(const Program& program, u32 pc) {
  const Place at = place_of(program, pc);
  return at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

}  // namespace

// Of two atomic or volatile accesses.
static std::string unequal_sizes(const AccessUse& first, const AccessUse& second) {
  return "one access has " + bytes_name(first.element_bytes) + " and the other " +
         std::to_string(second.element_bytes) +
         ", but only accesses of equal size are atomic with respect to each other";
}

std::string GlobalRaceAdvice::advice(const Touch& then, const Touch& now) const {
  if (launches_.is_of_other_gpu(then)) return between_gpus(then, now);
  const AccessUse &first = launches_.use_of(then), &second = launch().use.access[now.pc()];
  const bool one_block = block_of(then.who) == block_of(now.who);
  const bool both_write = then.kind() != AccessKind::load && now.kind() != AccessKind::load;
  const auto is_strong = [](const AccessUse& use) { return use.is_strong || use.is_volatile; };
  if (is_strong(first) && is_strong(second) && first.element_bytes != second.element_bytes)
    return unequal_sizes(first, second);
  if (!one_block && first.is_strong && second.is_strong)
    return "an atomic with block scope (_block, .cta) is atomic only for threads of its own block: use device scope";
  if (const std::string gap = broken_message(then, now); !gap.empty()) return gap;
  if (then.is_atomic() || now.is_atomic())
    return std::string("an atomic orders only atomics: make the other access atomic too, or ") +
           (one_block ? "put a barrier between them" : "put the other access into a launch of its own");
  const Program& program = *launch().info.program;
  if (const std::string lock = lock_without_fences(then, now); !lock.empty()) return lock;
  if (launches_.launch_of(then).info.program == &program &&
      (one_block ? is_lost_update(program, then.pc(), now.pc()) : are_updates(program, then.pc(), now.pc())))
    return lost_update(program, then.pc(), now.pc());
  if (!one_block) {
    if (both_write) return "nothing orders these blocks: give each block its own elements, or use an atomic";
    return "nothing orders these blocks: read in a separate launch, write to another array, or use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)";
  }
  const bool one_store =  // of several lanes; but not of several rounds of a loop
      both_write && then.pc() == now.pc() && warp_of(then.who) == warp_of(now.who) &&
      !ptx::leads_to(program, now.pc(), now.pc());
  if (then.time == now.time || one_store)
    return "it is undefined which value remains: give each lane its own element, or use an atomic";
  const bool warp_waits = warp_of(then.who) == warp_of(now.who) && launch().use.has_warp_syncs;
  const std::string barrier =
      std::string("put ") + (warp_waits ? "__syncwarp()" : "__syncthreads()") + " between them";
  if (both_write) return "nothing orders them: give each thread its own element, or " + barrier;
  if (same_place(place_of(program, then.pc()), place_of(program, now.pc())))  // *sum += x, in a loop
    return "nothing orders their updates: use an atomic, give each thread its own element, or " + barrier;
  return "nothing orders them: " + barrier + ", if both are to access this element";
}

// "the flag ready[0]"
std::string GlobalRaceAdvice::flag_name(const HappensBefore::Gap& gap) const {
  const auto [address, bytes] = gap.flag;
  const Allocation* const of = shadow_.allocation_of(address);
  return of ? "the flag " + global_name(launch().info, *of, address, bytes, AccessKind::load) : "the flag";
}

// A message by a flag that has arrived, and orders nothing, with the line at which it fails; empty: there was none.
std::string GlobalRaceAdvice::broken_message(const Touch& then, const Touch& now) const {
  const HappensBefore::Gap gap = order_.gap(then.time, then.who, now.who);
  const std::string line = line_of(*launch().info.program, gap.pc), flag = flag_name(gap);
  constexpr const char* kOfBlock = " orders memory for threads of its own block only: use __threadfence()";
  switch (gap.kind) {
    case HappensBefore::Gap::reader_fence:
      return flag + ", which it has read at " + line +
             ", orders nothing yet: put __threadfence() between reading the flag and this";
    case HappensBefore::Gap::reader_scope:
      return "the fence at " + line + ", after reading " + flag + "," + kOfBlock;
    case HappensBefore::Gap::writer_scope:
      return "the fence at " + line + ", before setting " + flag + "," + kOfBlock;
    case HappensBefore::Gap::writer_barrier:
      if (then.pc() > gap.pc) return "";  // it comes after the flag in the program, too
      return "the thread that executes the fence at " + line + " and sets " + flag +
             " has not waited for that write: put __syncthreads() between the write and the fence";
    default: return "";
  }
}

// Both accesses come behind a lock, and no fence orders them with it; empty: there is no such lock.
std::string GlobalRaceAdvice::lock_without_fences(const Touch& then, const Touch& now) const {
  const Program& program = *launch().info.program;
  if (launches_.launch_of(then).info.program != &program) return "";
  for (const u32 lock : launch().use.locks)
    if (ptx::leads_to(program, lock, then.pc()) && ptx::leads_to(program, lock, now.pc()))
      return "the lock taken at " + line_of(program, lock) +
             " orders only atomics: put __threadfence() after taking it and before releasing it";
  return "";
}

// A message between GPUs needs fences of the whole system, which the words name with the line at which it fails.
std::string GlobalRaceAdvice::between_gpus(const Touch& then, const Touch& now) const {
  const AccessUse &first = launches_.use_of(then), &second = launch().use.access[now.pc()];
  const auto is_strong = [](const AccessUse& use) { return use.is_strong || use.is_volatile; };
  if (is_strong(first) && is_strong(second))
    return first.element_bytes != second.element_bytes
               ? unequal_sizes(first, second)
               : "an atomic without _system (.gpu) is atomic only for threads of its own GPU: use atomicAdd_system, atomicExch_system or a volatile access";
  const HappensBefore::Gap gap = order_.gap(then.time, then.who, now.who);
  const bool is_readers =
      gap.kind == HappensBefore::Gap::reader_fence || gap.kind == HappensBefore::Gap::reader_scope;
  const CheckedLaunch& other = launches_.launch_of(then);
  const std::string line = line_of(is_readers ? *launch().info.program : *other.info.program, gap.pc);
  const std::string flag = flag_name(gap);
  const auto flag_of_one_gpu = [&](u32 pc) {
    return flag + ", set at " + line_of(*other.info.program, pc) +
           ", is an atomic of its own GPU only: use one with _system";
  };
  switch (gap.kind) {
    case HappensBefore::Gap::reader_fence:
      return flag + ", read at " + line + ", orders nothing yet: put __threadfence_system() after reading it";
    case HappensBefore::Gap::reader_scope:
      return "the fence at " + line + ", after reading " + flag +
             ", is one of its own GPU only: use __threadfence_system()";
    case HappensBefore::Gap::writer_fence:
      return flag + " was set at " + line +
             " without a fence after that write: put __threadfence_system() between the write and the flag";
    case HappensBefore::Gap::writer_barrier:
      return "the fence at " + line + ", before setting " + flag +
             ", does not wait for other threads' writes: put __syncthreads() before it";
    case HappensBefore::Gap::writer_scope:
      if (other.use.fence[gap.pc] == FenceScope::system) return flag_of_one_gpu(gap.flag_pc);
      return "the fence at " + line + ", before setting " + flag +
             ", is one of its own GPU only: use __threadfence_system()";
    case HappensBefore::Gap::flag_scope: return flag_of_one_gpu(gap.pc);
    case HappensBefore::Gap::too_early:
      return flag + ", which it has read, was set at " + line + " before that write: wait for a later one";
    case HappensBefore::Gap::other_warp:
      return "only another warp has waited for the flag: put __syncthreads() between that wait and this";
    case HappensBefore::Gap::silence: break;
  }
  if (then.is_atomic() || now.is_atomic())
    return "an atomic orders only atomics: make the other access atomic too, or let the GPUs wait for each other";
  return "nothing orders the GPUs: use cudaStreamWaitEvent, or a flag with __threadfence_system() on both sides";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
