// What asynchronous copies (cp.async) and barriers in shared memory ask of memory.
#include <cstring>
#include <string>

#include "execution/fault_reporter.h"
#include "execution/located.h"

namespace gpusim {

// Where the lanes' barriers are in the block's shared memory.
void MemoryPipe::shared_addresses(Warp& w, Fragment& f, const Instruction& in, Mask mask, u64* address) {
  Located at;
  lane_addresses_(in, f.frame->bytes(), mask, at);
  locate(w, f, in, mask, Space::shared, AccessKind::atomic, at);
  for_each_lane(mask, [&](u32 l) { address[l] = at.address[l]; });
}

// Lanes that copy less than the full size, which is rare, read words or single bytes.
void MemoryPipe::read_for_copy(Warp& w, Fragment& f, const Instruction& in, Mask mask,
                               AsyncCopies::Copy& copy) {
  u8* const frame = f.frame->bytes();
  std::memset(copy.data, 0, sizeof copy.data);

  Located to;
  lane_addresses_(in, frame, mask, to);
  locate(w, f, in, mask, Space::shared, AccessKind::store, to);
  u32 count[kWarpSize];
  Mask whole = 0, part = 0;
  u32 unit = 4;
  for_each_lane(mask, [&](u32 l) {
    copy.to[l] = to.address[l];
    count[l] = copy.bytes;
    if (in.s[2] != kNoOperand) std::memcpy(&count[l], frame + in.s[2] + l * sizeof count[l], sizeof count[l]);
    if (count[l] > copy.bytes)
      faults_.fault(
          FaultCode::launch_failure, f.pc, w, l,
          "cp.async reads " + std::to_string(count[l]) + " bytes to copy " + std::to_string(copy.bytes));
    (count[l] == copy.bytes ? whole : count[l] ? part : mask) |= Mask(1) << l;
    if (count[l] % 4) unit = 1;
  });

  Instruction from = in;
  from.s[0] = in.s[1];
  from.address_bytes = in.source_address_bytes;
  from.space = Space::global;
  const auto read = [&](Mask lanes, u32 at) {
    from.offset = in.source_offset + at;
    for_spaces(w, f, from, lanes, AccessKind::load, [&](const Located& located, Mask of) {
      located.for_bytes(of, [&](u32 l, const u8* p) {
        std::memcpy(copy.data[l] + at, p, size_of(from.type) * from.vector);
      });
    });
  };
  if (whole) read(whole, 0);
  from.vector = 1;
  from.type = unit == 4 ? Type::b32 : Type::b8;
  for (u32 at = 0; part && at < copy.bytes; at += unit) {
    Mask lanes = 0;
    for_each_lane(part, [&](u32 l) { lanes |= at < count[l] ? Mask(1) << l : 0; });
    if (lanes) read(lanes, at);
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
