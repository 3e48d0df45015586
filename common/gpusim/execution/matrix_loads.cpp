#include <cstring>

#include "execution/fault_reporter.h"
#include "execution/memory_pipe.h"

namespace gpusim {

// ldmatrix: each group of eight lanes passes the addresses of the eight rows of a matrix of 16-bit elements. Each lane receives
// two adjacent elements of a row, or of a column if transposed.
void MemoryPipe::load_matrices(Warp& w, u32 pc, const Instruction& in, Frame* const* frame,
                               const Instruction* const* of) {
  constexpr u32 kRows = 8, kRowBytes = 16;
  const u32 rows = kRows * in.vector;
  u64 address[kWarpSize];
  const u8* row[kWarpSize];
  for (u32 l = 0; l < rows; ++l) {
    const Instruction& own = *of[l];
    u64 at = 0;
    std::memcpy(&at, frame[l]->bytes() + own.s[0] + l * own.address_bytes, own.address_bytes);
    at += u64(own.offset);
    if (own.address_bytes == 4) at = u32(at);
    if (own.space == Space::generic) at -= kSharedWindow;
    address[l] = at;
    const std::vector<u8>& shared = w.block->shared;
    if (at % kRowBytes || at >= shared.size() || shared.size() - at < kRowBytes)
      faults_.fault_address(w, pc, l, Space::shared, AccessKind::load, at, kRowBytes);
    row[l] = shared.data() + at;
  }
  if (!hub_.accesses.empty()) {
    Access a;
    static_cast<Issue&>(a) = issue_of(w, pc, rows == kWarpSize ? kAllLanes : (Mask(1) << rows) - 1);
    a.space = Space::shared;
    a.kind = AccessKind::load;
    a.bytes = kRowBytes;
    a.address = address;
    a.instruction = &in;
    a.frame = frame[0]->bytes();
    for (Observer* o : hub_.accesses) o->access(a);
  }
  const auto element = [&](u32 matrix, u32 r, u32 column) {
    u16 v;
    std::memcpy(&v, row[matrix * kRows + r] + column * sizeof v, sizeof v);
    return u32(v);
  };
  const bool transposed = in.mode == kTransposed;
  u32 result[4][kWarpSize];
  for (u32 m = 0; m < in.vector; ++m)
    for (u32 l = 0; l < kWarpSize; ++l) {
      const u32 r = l / 4, column = l % 4 * 2;
      result[m][l] = transposed ? element(m, column, r) | element(m, column + 1, r) << 16
                                : element(m, r, column) | element(m, r, column + 1) << 16;
    }
  for (u32 m = 0; m < in.vector; ++m)
    for (u32 l = 0; l < kWarpSize; ++l)
      std::memcpy(frame[l]->bytes() + of[l]->d[m] + l * sizeof(u32), &result[m][l], sizeof(u32));
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
