// Races on global memory: between blocks of a launch, and between the threads of a block.
//
// Two accesses of one byte, at least one of them a write, are a race unless happens_before.h orders them, or
//   both are atomic; or, between blocks, both are atomic or volatile (flags that blocks wait for); or, within a block,
//     both are atomic or volatile whole numbers of a kernel that has fences (flags that its threads wait for);
//   one is an atomic and the other reads what an atomicCAS then checks (GlobalUse::is_guess);
//   both store the bytes that are there already: which one comes last makes no difference.
// Bytes are watched in pieces of 4, or less in a launch whose kernel has smaller accesses.
// Not looked at: grids of more than kMostBlocks blocks (4194304), allocations whose shadow would exceed
// kMostShadowBytes; the blocks of a grid of more than 16384 that synchronise by fences count as ordered.
#pragma once

#include <memory>

#include "checking/findings.h"

namespace gpusim {

std::unique_ptr<Observer> make_global_race_check(const Memory&, Findings&);
// For the blocks that one of `of` host threads runs: they share the room for notes, and where it is used up it throws NeedsSerialOrder.
std::unique_ptr<Observer> make_global_race_check_of_part(const Memory&, u32 of, Findings&);
// For another GPU, whose launches race with those of the first that was made.
std::unique_ptr<Observer> make_global_race_check_beside(Observer& first, const Memory&, u32 gpu);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
