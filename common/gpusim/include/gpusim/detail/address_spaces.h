// From a pointer to the number by which an instruction of one space knows the place, and back; and which space a pointer
// points into.
#pragma once

#define GPUSIM_ADDRESS_SPACE(name, Name, space)                                         \
  GPUSIM_INLINE size_t __cvta_generic_to_##name(const void* pointer) {                  \
    unsigned long long place;                                                           \
    asm("cvta.to." space ".u64 %0, %1;" : "=l"(place) : "l"(pointer));                  \
    return place;                                                                       \
  }                                                                                     \
  GPUSIM_INLINE void* __cvta_##name##_to_generic(size_t place) {                        \
    unsigned long long pointer;                                                         \
    asm("cvta." space ".u64 %0, %1;" : "=l"(pointer) : "l"((unsigned long long)place)); \
    return (void*)pointer;                                                              \
  }                                                                                     \
  GPUSIM_INLINE unsigned __is##Name(const void* pointer) {                              \
    unsigned result;                                                                    \
    asm("{\n\t.reg .pred p;\n\tisspacep." space " p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}" \
        : "=r"(result)                                                                  \
        : "l"(pointer));                                                                \
    return result;                                                                      \
  }
GPUSIM_ADDRESS_SPACE(global, Global, "global")
GPUSIM_ADDRESS_SPACE(shared, Shared, "shared")
GPUSIM_ADDRESS_SPACE(local, Local, "local")
GPUSIM_ADDRESS_SPACE(constant, Constant, "const")
#undef GPUSIM_ADDRESS_SPACE
// SPDX-License-Identifier: MIT
