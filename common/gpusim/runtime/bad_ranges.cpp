#include "runtime/bad_ranges.h"

#include <cstdio>
#include <cstring>

#include "base/sizes.h"
#include "runtime/allocations.h"
#include "runtime/process.h"

namespace gpusim::runtime {
namespace {

std::string hex(u64 address) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

// The pointer that a variable of the host at this address holds, if that points to memory of a GPU; else 0.
u64 pointer_in(u64 address) {
  u64 pointer = 0;
  if (address % sizeof pointer != 0 || !is_mapped(address, sizeof pointer)) return 0;
  std::memcpy(&pointer, reinterpret_cast<const void*>(address), sizeof pointer);
  return Memory::is_device(pointer) && memory_of(pointer).find(pointer) ? pointer : 0;
}

}  // namespace

std::string why_not_of_gpu(const std::string& what, u64 address, std::size_t bytes) {
  if (address == 0) return what + " is a null pointer";
  const Memory& memory = memory_of(address);
  const std::string at = what + ", " + hex(address) + ",";
  const Allocation* const found = memory.find(address);
  if (found && found->kind == MemoryKind::heap)
    return at + " is memory that a kernel has allocated (malloc, new), which calls of the host cannot reach";
  if (memory.resolve(address, bytes)) return "";
  if (found)
    return std::to_string(bytes) + " bytes do not fit: " + what + " begins at byte " +
           std::to_string(address - found->base) + " of an allocation of " + std::to_string(found->size) +
           " bytes";
  if (memory.freed(address)) return at + " is memory that was freed";
  if (Memory::is_device(address)) return at + " is in no allocation";
  if (const u64 pointer = pointer_in(address))
    return at + " is the address of a host variable that holds the pointer " + hex(pointer) +
           ": pass the pointer, not its address";
  return at + " is not memory of a GPU: is this a host pointer?";
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
