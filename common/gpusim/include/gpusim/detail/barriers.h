// Barriers and fences. The compiler must not keep memory in registers across one: LLVM believes that its
// barrier builtins leave a shared array alone when no other function can see it, and would then reuse the
// value of tile[t] from before the barrier. As inline assembly that touches memory, each one is what it
// should be.
#pragma once

GPUSIM_INLINE void __gpusim_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() __gpusim_syncthreads()  // a macro because clang knows the name as a builtin

GPUSIM_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
GPUSIM_INLINE void __barrier_sync(unsigned id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
GPUSIM_INLINE void __barrier_sync_count(unsigned id, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
GPUSIM_INLINE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
GPUSIM_INLINE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
GPUSIM_INLINE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

GPUSIM_INLINE int __syncthreads_count(int predicate) {
  int count;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tbar.red.popc.u32 %0, 0, p;\n\t}"
               : "=r"(count)
               : "r"(predicate)
               : "memory");
  return count;
}
#define GPUSIM_BARRIER_VOTE(name, op)                                            \
  GPUSIM_INLINE int name(int predicate) {                                        \
    int result;                                                                  \
    asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %1, 0;\n\tbar.red." op \
                 ".pred q, 0, p;\n\t"                                            \
                 "selp.u32 %0, 1, 0, q;\n\t}"                                    \
                 : "=r"(result)                                                  \
                 : "r"(predicate)                                                \
                 : "memory");                                                    \
    return result;                                                               \
  }
GPUSIM_BARRIER_VOTE(__syncthreads_and, "and")
GPUSIM_BARRIER_VOTE(__syncthreads_or, "or")
#undef GPUSIM_BARRIER_VOTE
// SPDX-License-Identifier: MIT
