"""Which loops are unrolled, as nvcc decides it: loops in loops together, and none where `#pragma unroll 1` forbids it.

    #pragma unroll
      for (int k = 0; k < 5; ++k)
    #pragma unroll
        for (int j = k + 1; j < 9; ++j) …  // v[k], v[j]

The inner loop's length is known once the outer one is unrolled. clang 14 comes to the inner one first, and unrolls one of
unknown length by a few rounds, with the rest in a loop of its own: after that neither is unrolled, and an array that they
index stays in local memory. So clang stops after its first half, with LLVM IR that is not yet optimised, and here each such
loop is to be unrolled in full or, for now, not at all ("llvm.loop.unroll.full" in LLVM's Language Reference Manual). One
that has no known length in the end is unrolled by a few rounds then, like loops without a pragma.

nvcc passes `#pragma unroll 1` on to ptxas, which also unrolls loops: `.pragma "nounroll"` (PTX ISA, "Pragma Strings").
clang does so where the IR says "llvm.loop.unroll.disable", and not for a count of 1.
"""
import re

PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+unroll\b", re.MULTILINE)
OPERATOR = re.compile(r'\b_Pragma[ \t]*\([ \t]*"[ \t]*unroll\b')  # in a macro: who knows how often it is used

FORBIDDEN = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:unroll[ \t]*\(?[ \t]*1\b|nounroll\b)", re.MULTILINE)


def mention_unrolled_loops(sources):
    """Whether sources, (path, text), may have one in another, or one that must stay a loop."""
    return (any(OPERATOR.search(text) or FORBIDDEN.search(text) for _, text in sources) or
            sum(len(PRAGMA.findall(text)) for _, text in sources) > 1)


def with_unrolling_of_nvcc(text):
    """LLVM IR whose loops are unrolled in full, if at all, where the program asks for it without a number."""
    return (text.replace('!{!"llvm.loop.unroll.enable"}', '!{!"llvm.loop.unroll.full"}')
            .replace('!{!"llvm.loop.unroll.count", i32 1}', '!{!"llvm.loop.unroll.disable"}'))
# SPDX-License-Identifier: MIT
