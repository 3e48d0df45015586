// Where the simulated address space has what: an address tells its space.
#pragma once

#include "base/base.h"

namespace gpusim {

// Constant variables lie in a range of their own.
inline constexpr u64 kFirstConstantAddress = u64(0x3000) << 32;
inline constexpr u64 kConstantAddresses = u64(1) << 40;
inline constexpr bool is_constant_address(u64 address) {
  return address - kFirstConstantAddress < kConstantAddresses;
}

// Generic addresses: shared and local memory appear in windows of their own (PTX ISA, "Generic Addressing").
inline constexpr u64 kWindowBytes = u64(1) << 32;
inline constexpr u64 kSharedWindow = u64(0x10) << 32;
inline constexpr u64 kLocalWindow = u64(0x11) << 32;
// An address just before a window is one of that space, and out of its bounds: a[-1].
inline constexpr u64 kBeforeWindow = u64(1) << 20;
inline Space space_of(u64 generic_address) {
  if (is_constant_address(generic_address)) return Space::constant;
  if (generic_address - (kLocalWindow - kBeforeWindow) < kWindowBytes + kBeforeWindow) return Space::local;
  if (generic_address - (kSharedWindow - kBeforeWindow) < kWindowBytes) return Space::shared;
  return Space::global;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
