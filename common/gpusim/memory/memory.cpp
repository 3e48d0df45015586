#include "memory/memory.h"

#ifndef __wasm__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/sizes.h"

namespace gpusim {
namespace {

constexpr u64 kReservedBytes = u64(1) << 40, kConstantBytes = kReservedBytes / Memory::kMostGpus;
// 8 GiB; half of what there can be where addresses have 32 bits.
constexpr std::size_t kTotalBytes =
    sizeof(std::size_t) < 8 ? std::size_t(1) << 31 : std::size_t(u64(8) << 30);
constexpr u64 kAlignment = 256;  // what cudaMalloc promises
constexpr u64 kGap = 4096;       // unmapped bytes between allocations: a small overrun hits nobody's data
constexpr std::size_t kRemembered = 4096;  // freed allocations kept for messages

}  // namespace

Memory::Memory(u32 number)
    : device_addresses_(kFirstDevice + number * kReservedBytes, kReservedBytes),
      constant_addresses_(kFirstConstant + number * kConstantBytes, kConstantBytes),
      next_code_(kFirstCode + number * (kCodeBytes / kMostGpus)),
      total_(kTotalBytes) {
#if defined(MAP_FIXED_NOREPLACE) && !defined(__SANITIZE_THREAD__)
  // Keeps the host from ever placing anything where device addresses point. If that fails, misuse merely does not crash. (GCC
  // 14's thread sanitizer ends a program that maps memory where the sanitizer itself has none.)
  for (const u64 first : {kFirstDevice + number * kReservedBytes,
                          kFirstConstant})  // the first GPU reserves the constants of all
    mmap(reinterpret_cast<void*>(first), kReservedBytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
#endif
}

Memory::~Memory() = default;

u32 Memory::gpu_of(u64 address) {
  const u64 from_device = address - kFirstDevice, from_constant = address - kFirstConstant;
  if (from_device < kReservedBytes * kMostGpus) return u32(from_device / kReservedBytes);
  if (from_constant < kReservedBytes) return u32(from_constant / kConstantBytes);
  return 0;
}

// Addresses are reused only after all have been handed out, so that a stale pointer stays recognisable for long.
u64 Memory::Addresses::take(std::size_t size, const std::map<u64, Allocation>& live) {
  const u64 bytes = align_up(size + kGap, kAlignment);
  for (int rounds = 0; rounds < 2; ++rounds, next_ = first_) {
    while (bytes <= end_ - next_) {
      const auto after = live.lower_bound(next_ + bytes);
      const Allocation* const before = after == live.begin() ? nullptr : &std::prev(after)->second;
      const u64 begin = next_;
      if (!before || before->base + before->size + kGap <= begin) {
        next_ = begin + bytes;
        return begin;
      }
      next_ = std::min(end_, align_up(before->base + before->size + kGap, kAlignment));
    }
  }
  return 0;
}

// Forgets freed allocations whose addresses are about to be reused.
void Memory::forget_freed(u64 base, std::size_t size) {
  auto at = freed_.upper_bound(base);
  if (at != freed_.begin() && std::prev(at)->second.base + std::prev(at)->second.size > base) --at;
  while (at != freed_.end() && at->first < base + size) at = freed_.erase(at);
}

u64 Memory::allocate(std::size_t size, MemoryKind kind) {
  if (size > total_ - used_) return 0;
  if (kind == MemoryKind::heap && (heap_used_ > heap_limit || size > heap_limit - heap_used_)) return 0;
  const u64 base = kind == MemoryKind::constant ? constant_addresses_.take(size, live_)
                                                : device_addresses_.take(size, live_);
  if (base == 0) return 0;
  Backing backing(size, fresh);
  if (!backing.bytes()) return 0;
  forget_freed(base, size);
  live_[base] = {base, size, backing.bytes(), kind, next_serial_++, ++moment_};
  storage_[base] = std::move(backing);
  used_ += size;
  if (kind == MemoryKind::heap) heap_used_ += size;
  return base;
}

bool Memory::map_host(void* host, std::size_t size, MemoryKind kind) {
  const u64 base = reinterpret_cast<u64>(host);
  if (!can_lie_at(base, size)) return false;
  const auto after = live_.lower_bound(base);
  if (after != live_.end() && after->second.base < base + size) return false;
  if (after != live_.begin())
    if (const Allocation& before = std::prev(after)->second; before.base + before.size > base) return false;
  live_[base] = {base, size, static_cast<u8*>(host), kind, next_serial_++, ++moment_};
  freed_.erase(base);
  return true;
}

bool Memory::release(u64 base) {
  const auto found = live_.find(base);
  if (found == live_.end()) return false;
  if (found->second.kind == MemoryKind::heap) heap_used_ -= found->second.size;
  if (const auto owned = storage_.find(base); owned != storage_.end()) {
    used_ -= found->second.size;
    storage_.erase(owned);
  }
  found->second.bytes = nullptr;
  freed_[base] = found->second;
  if (freed_.size() > kRemembered) freed_.erase(freed_.begin());
  live_.erase(found);
  return true;
}

namespace {

const Allocation* holding(const std::map<u64, Allocation>& map, u64 address) {
  auto after = map.upper_bound(address);
  if (after == map.begin()) return nullptr;
  const Allocation& a = std::prev(after)->second;
  return address - a.base < a.size ? &a : nullptr;
}

}  // namespace

const Allocation* Memory::find(u64 address) const { return holding(live_, address); }

bool Memory::give_name(u64 base, ArrayName name) {
  const auto at = live_.find(base);
  if (at == live_.end()) return false;
  at->second.name = &names_.emplace_back(std::move(name));
  return true;
}

const u8* Memory::resolve(u64 address, std::size_t count) const {
  const Allocation* a = find(address);
  return a && a->contains(address, count) ? a->bytes + (address - a->base) : nullptr;
}

u8* Memory::resolve(u64 address, std::size_t count) {
  const Allocation* const found = find(address);
  if (!found || !found->contains(address, count)) return nullptr;
  Allocation& a = live_.at(found->base);
  a.handed_out = ++moment_;
  return a.bytes + (address - a.base);
}

bool Memory::fill(u64 address, std::size_t count, u8 value) {
  u8* const first = resolve(address, count);
  if (!first) return false;
  const auto owned = storage_.find(find(address)->base);
  if (owned == storage_.end()) std::memset(first, value, count);  // the host's
  else owned->second.fill(first, count, value);
  return true;
}

const Allocation* Memory::freed(u64 address) const { return holding(freed_, address); }

std::vector<const Allocation*> Memory::nearest(u64 address) const {
  const auto behind = live_.upper_bound(address);
  const Allocation* const after = behind == live_.end() ? nullptr : &behind->second;
  const Allocation* const before = behind == live_.begin() ? nullptr : &std::prev(behind)->second;
  if (!before || !after)
    return before ? std::vector{before} : after ? std::vector{after} : std::vector<const Allocation*>();
  const u64 beyond = address - (before->base + before->size) + 1, in_front = after->base - address;
  if (beyond < in_front) return {before};
  return in_front < beyond / 8 ? std::vector{after} : std::vector{after, before};
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
