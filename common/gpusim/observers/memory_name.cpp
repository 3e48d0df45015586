#include "observers/memory_name.h"

namespace gpusim {

std::string bytes_name(u64 bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string global_name(const Program& program, const Allocation& allocation, u64 address, u32 bytes) {
  std::string name = bytes_name(bytes) + " at offset " + std::to_string(address - allocation.base) + " of ";
  if (allocation.kind == MemoryKind::module_variable)
    for (const Variable& v : program.variables)
      if (v.address == allocation.base && v.space == Space::global) return name + "'" + v.name + "'";
  return name + "an allocation of " + bytes_name(allocation.size);
}

}  // namespace gpusim
