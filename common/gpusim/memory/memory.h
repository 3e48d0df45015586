// Global memory: what cudaMalloc hands out and what kernels may touch.
//
// Device addresses are numbers in a reserved, inaccessible range of the process, so a host program that
// dereferences a device pointer crashes as it does with a real GPU. Pinned and managed memory is host
// memory that is *mapped*: kernels see it at the address that the host sees.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/addresses.h"
#include "base/base.h"
#include "memory/backing.h"
#include "memory/textures.h"

namespace gpusim {

enum class MemoryKind : u8 {
  device,
  module_variable,
  constant,
  pinned,
  managed,
  heap /* malloc in kernels */
};

// The name of an array in the program, for messages (gpusim/array_names.h).
struct ArrayName {
  std::string name;
  u32 element_bytes = 0;
};

struct Allocation {
  u64 base = 0;          // address that programs see
  std::size_t size = 0;  // bytes
  u8* bytes = nullptr;   // where the contents live in this process
  MemoryKind kind = MemoryKind::device;
  u64 serial = 0;                   // 1, 2, 3 … in order of allocation; never reused
  u64 handed_out = 0;               // the moment of Memory at which the host could last write here
  std::size_t pitch = 0;            // distance between rows in bytes, if cudaMallocPitch chose it
  const ArrayName* name = nullptr;  // owned by the Memory

  // Whether the host can write here directly, without the runtime noticing.
  bool is_of_host() const { return kind == MemoryKind::pinned || kind == MemoryKind::managed; }

  bool contains(u64 address, std::size_t count) const {
    return address >= base && count <= size && address - base <= size - count;
  }
};

class Memory {
 public:
  // Of GPU `number` of the process. There are at most kMostGpus; their address ranges differ, so an address identifies the GPU.
  static constexpr u32 kMostGpus = 16;
  explicit Memory(u32 number = 0);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Constant variables lie in a range of their own, so that an address tells.
  static constexpr u64 kFirstDevice = u64(0x2000) << 32;
  static constexpr u64 kFirstConstant = kFirstConstantAddress;
  // Functions, too, have addresses where there is no memory: none of a GPU, of a window (base/addresses.h) or of the host. They
  // serve only for calls and comparisons, and no two modules or GPUs share them.
  static constexpr u64 kFirstCode = u64(0x100) << 32;
  static constexpr u64 kCodeBytes = u64(1) << 40;
  static bool is_code(u64 address) { return address - kFirstCode < kCodeBytes; }
  u64 reserve_code(u64 bytes) { return std::exchange(next_code_, next_code_ + bytes); }
  // Which of them an address belongs to. Host memory is mapped by the first.
  static u32 gpu_of(u64 address);
  static bool is_device(u64 address) { return address - kFirstDevice < u64(kMostGpus) << 40; }
  static bool is_constant(u64 address) { return is_constant_address(address); }

  // The byte that memory, shared memory and local memory hold until something writes them; four of it.
  u8 fresh = Backing::kLarge;
  u32 fresh_word() const { return 0x01010101u * fresh; }
  std::size_t stack_limit =
      1024;  // bytes of a thread for functions that call themselves (cudaLimitStackSize)
  std::size_t heap_limit = std::size_t(8)
                           << 20;  // bytes that kernels may have at a time: cudaLimitMallocHeapSize

  // Bytes of memory that the device claims to have, and those allocated now.
  std::size_t total() const { return total_; }
  std::size_t used() const { return used_; }

  // Reserves `size` bytes, aligned to 256; all of them have the value `fresh`.
  // Returns the device address, or 0 if too little memory is left on the device.
  u64 allocate(std::size_t size, MemoryKind kind = MemoryKind::device);

  // Makes host memory [host, host + size) visible to kernels at its own address. False if it overlaps a mapping.
  bool map_host(void* host, std::size_t size, MemoryKind kind);

  // Notes the distance of rows in the allocation that starts at `base`.
  void set_pitch(u64 base, std::size_t bytes) { live_.at(base).pitch = bytes; }

  // Ends an allocation or mapping that starts exactly at `base`. False if there is none.
  bool release(u64 base);

  // Gives the allocation that begins at `base` a name. False if there is none.
  bool give_name(u64 base, ArrayName);

  // The allocation that holds `address`, or null.
  const Allocation* find(u64 address) const;

  // Where bytes [address, address + count) live, or null unless one allocation holds all of them. A caller that writes through
  // the pointer must do so before the next call of changed_at().
  u8* resolve(u64 address, std::size_t count);
  const u8* resolve(u64 address, std::size_t count) const;
  // The same for a kernel, between begin_kernel() and its end.
  u8* resolve_in_kernel(u64 address, std::size_t count) const {
    return const_cast<u8*>(resolve(address, count));
  }

  // A moment is a number that grows whenever memory may change. The bytes of an allocation have not changed since `moment()`
  // returned m as long as changed_at() is at most m. For host memory it is always larger.
  u64 moment() const { return moment_; }
  u64 changed_at(const Allocation& a) const {
    return a.is_of_host() ? ~u64(0) : std::max(a.handed_out, all_handed_out_);
  }
  // A kernel begins, which may write anywhere until it ends.
  void begin_kernel() { all_handed_out_ = ++moment_; }

  // Writes `value` to `count` bytes. False unless all of them lie in one allocation.
  bool fill(u64 address, std::size_t count, u8 value);

  // What texture and surface objects read and write, by their handles.
  std::map<u64, Texture> textures;

  // For messages: the live allocation nearest to an address that lies in none. If that one starts after the address, also the one
  // before it, unless it is eight times as far away: programs overrun an end more often than they access memory before a start.
  std::vector<const Allocation*> nearest(u64 address) const;
  // The freed allocation that held `address`, or null: for "use after free".
  const Allocation* freed(u64 address) const;

  // Live allocations by address.
  const std::map<u64, Allocation>& allocations() const { return live_; }

 private:
  // The address range of a GPU's memory, or of its constants, and the next address to hand out.
  class Addresses {
   public:
    Addresses(u64 first, u64 bytes) : first_(first), end_(first + bytes), next_(first) {}
    // An address for `size` bytes that no live allocation uses; 0 if there is none.
    u64 take(std::size_t size, const std::map<u64, Allocation>& live);

   private:
    u64 first_, end_, next_;
  };
  void forget_freed(u64 base, std::size_t size);

  std::map<u64, Allocation> live_;
  std::map<u64, Allocation> freed_;  // what an old pointer meant
  std::map<u64, Backing> storage_;   // by the address that allocate() returned
  std::deque<ArrayName> names_;      // of live and of freed allocations
  Addresses device_addresses_, constant_addresses_;
  u64 next_serial_ = 1;
  u64 moment_ = 0, all_handed_out_ = 0;
  u64 next_code_;
  std::size_t total_ = 0;
  std::size_t used_ = 0, heap_used_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
