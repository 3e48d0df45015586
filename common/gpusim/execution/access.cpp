// Loads, stores and atomics: where the bytes are, whether the lanes may touch them, what moves.
#include <bit>
#include <cstring>

#include "execution/fault_reporter.h"
#include "execution/footprint.h"
#include "execution/memory_pipe.h"
#include "execution/module.h"
#include "lanes/each_lane.h"

namespace gpusim {

MemoryPipe::MemoryPipe(Memory& memory, const Peers* peers, const LoadedModule& module,
                       const LaunchInfo& launch, const ObserverHub& hub, const FaultReporter& faults,
                       SpinReads& spin)
    : memory_(memory),
      peers_(peers),
      module_(module),
      launch_(launch),
      hub_(hub),
      faults_(faults),
      spin_(spin) {}

// One warp access in one space; addresses as events.h says for the space.
struct MemoryPipe::Located : LaneAddresses {
  // Where the lanes' bytes are. One piece of memory holds those of all lanes, nearly always: then a lane's are at
  // origin + address, and `where` is not filled.
  bool is_one_piece = false;
  u64 origin;
  u8* where[kWarpSize];
  Space space;

  // Calls f(lane, bytes) for the lanes of the mask.
  template <class F> void for_bytes(Mask mask, F f) const {
    if (is_one_piece) for_each_lane(mask, [&](u32 l) { f(l, reinterpret_cast<u8*>(origin + address[l])); });
    else for_each_lane(mask, [&](u32 l) { f(l, where[l]); });
  }
  u8* bytes(u32 lane) const {
    return is_one_piece ? reinterpret_cast<u8*>(origin + address[lane]) : where[lane];
  }
};

namespace {

// Calls f(T()) for the C++ type of an element in memory, by its size, and by its sign where it may be widened.
template <class F> void with_element(Type type, F f) {
  switch (size_of(type)) {
    case 1: return type == Type::s8 ? f(s8()) : f(u8());
    case 2: return type == Type::s16 ? f(s16()) : f(u16());
    case 4: return type == Type::s32 ? f(s32()) : f(u32());
    default: return f(u64());
  }
}
// Calls f(T()) for an unsigned number as wide as a register.
template <class F> void with_register(u32 bytes, F f) {
  return bytes == 2 ? f(u16()) : bytes == 4 ? f(u32()) : f(u64());
}
template <class T> T read(const u8* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

// Moves one element of each lane from memory to a register, widening it if the register is wider.
void MemoryPipe::to_register(const Instruction& in, u8* frame, u32 k, const Located& from, Mask mask) {
  with_element(in.type, [&]<class T>(T) {
    with_register(in.d_bytes, [&]<class R>(R) {
      const u32 at = k * u32(sizeof(T));
      R* const out = reinterpret_cast<R*>(frame + in.d[k]);
      if (!from.is_one_piece || !from.row)
        return from.for_bytes(mask, [&](u32 l, const u8* p) { out[l] = R(read<T>(p + at)); });
      if (from.step == sizeof(T) && sizeof(T) == sizeof(R))
        return with_row(from.row, [&]<u32 row>() {
          for (u32 lane = 0; lane < kWarpSize; lane += row)
            std::memcpy(out + lane, from.bytes(lane) + at, row * sizeof(T));
        });
      with_row(from.row, [&]<u32 row>() {
        for (u32 lane = 0; lane < kWarpSize; lane += row) {
          const u8* const p = from.bytes(lane) + at;
          R* const to = out + lane;
          if (from.step == sizeof(T)) {
            for (u32 l = 0; l < row; ++l) to[l] = R(read<T>(p + l * sizeof(T)));
          } else if (from.step == 0) {
            std::fill_n(to, row, R(read<T>(p)));
          } else {
            for (u32 l = 0; l < row; ++l) to[l] = R(read<T>(p + l * from.step));
          }
        }
      });
    });
  });
}
void MemoryPipe::from_register(const Instruction& in, const u8* frame, u32 k, const Located& to, Mask mask) {
  with_element(in.type, [&]<class T>(T) {
    with_register(in.s_bytes, [&]<class R>(R) {
      const u32 at = k * u32(sizeof(T));
      const R* const from = reinterpret_cast<const R*>(frame + in.s[1 + k]);
      const auto write = [](u8* where, R value) {
        const T element = T(value);
        std::memcpy(where, &element, sizeof element);
      };
      if (!to.is_one_piece || !to.row)
        return to.for_bytes(mask, [&](u32 l, u8* p) { write(p + at, from[l]); });
      if (to.step == sizeof(T) && sizeof(T) == sizeof(R))
        return with_row(to.row, [&]<u32 row>() {
          for (u32 lane = 0; lane < kWarpSize; lane += row)
            std::memcpy(to.bytes(lane) + at, from + lane, row * sizeof(T));
        });
      with_row(to.row, [&]<u32 row>() {
        for (u32 lane = 0; lane < kWarpSize; lane += row) {  // the last lane to write a byte wins
          u8* const p = to.bytes(lane) + at;
          if (to.step == sizeof(T)) {
            for (u32 l = 0; l < row; ++l) write(p + l * sizeof(T), from[lane + l]);
          } else if (to.step == 0) {
            write(p, from[lane + row - 1]);
          } else {
            for (u32 l = 0; l < row; ++l) write(p + l * to.step, from[lane + l]);
          }
        }
      });
    });
  });
}

u8* MemoryPipe::local_bytes(Frame* frame, u32 lane, u64 address, std::size_t count) const {
  for (; frame; frame = frame->caller) {
    const u32 size = frame->function->local_bytes;
    if (address < frame->local_base) continue;
    const u64 at = address - frame->local_base;
    return at < size && count <= size - at ? frame->local.data() + std::size_t(lane) * size + at : nullptr;
  }
  return nullptr;
}

const Allocation* MemoryPipe::find(u32 pc, u64 address) const {
  const Allocation*& last = last_found_[pc % kFound];
  if (last && address - last->base < last->size) return last;
  const Allocation* found = memory_.find(address);
  if (!found && peers_) found = peers_->find(launch_.gpu, address);
  if (found) last = found;  // map nodes do not move
  return found;
}

// Fills `out` for the lanes of the mask, or faults for the first lane that may not touch its bytes.
void MemoryPipe::locate(Warp& w, Fragment& f, const Instruction& in, Mask mask, Space space, AccessKind kind,
                        Located& out) {
  const u32 count = size_of(in.type) * in.vector;  // a power of two
  const u64 window = in.space != Space::generic ? 0
                     : space == Space::shared   ? kSharedWindow
                     : space == Space::local    ? kLocalWindow
                                                : 0;
  if (window) {
    for (u64& a : out.address) a -= window;
    out.low -= window;
    out.high -= window;
  }
  // Whether one piece of memory, which begins at address `base`, holds the bytes of all lanes.
  const auto in_piece = [&](const u8* bytes, u64 base, u64 size) {
    if (out.bits & (count - 1) || out.low < base || out.high < out.low || size < count ||
        out.high - base > size - count)
      return false;
    out.origin = reinterpret_cast<u64>(bytes) - base;
    return out.is_one_piece = true;
  };
  const auto each =
      [&](auto find) {  // one loop per space: the question which space is not asked for every lane
        out.is_one_piece = false;
        for_each_lane(mask, [&](u32 l) {
          const u64 a = out.address[l];
          u8* p = a & (count - 1) ? nullptr : find(a, l);
          if (!p) faults_.fault_address(w, f.pc, l, space, kind, a, count);
          out.where[l] = p;
        });
      };
  const auto in_block_of = [&](u8* bytes, std::size_t size) {
    if (in_piece(bytes, 0, size)) return;
    each([=](u64 a, u32) { return a < size && count <= size - a ? bytes + a : nullptr; });
  };
  switch (space) {
    case Space::param: return in_block_of(f.frame->bytes(), f.frame->size());
    case Space::shared: return in_block_of(w.block->shared.data(), w.block->shared.size());
    case Space::local: {
      const u64 base = f.frame->local_base, size = f.frame->function->local_bytes;
      const bool is_own = !(out.bits & (count - 1)) && out.low >= base && out.high >= out.low &&
                          size >= count && out.high - base <= size - count;
      if (!is_own) return each([&](u64 a, u32 l) { return local_bytes(f.frame, l, a, count); });
      u8* const bytes = f.frame->local.data();  // of lane 0; the arrays of lanes lie one behind another
      out.is_one_piece = false;
      for_each_lane(mask, [&](u32 l) { out.where[l] = bytes + l * size + (out.address[l] - base); });
      return;
    }
    default: break;
  }
  const Allocation* last = find(f.pc, out.low);
  if (last && (kind == AccessKind::load || last->kind != MemoryKind::constant) &&
      in_piece(last->bytes, last->base, last->size))
    return;
  each([&](u64 a, u32) -> u8* {
    if (!last || !last->contains(a, count)) last = find(f.pc, a);
    if (!last || !last->contains(a, count)) return nullptr;
    if (kind != AccessKind::load && last->kind == MemoryKind::constant) return nullptr;
    return last->bytes + (a - last->base);
  });
}

namespace {

// The space of all addresses between two generic ones; generic: not all are of one.
Space space_between(u64 low, u64 high) {
  if (low >= kLocalWindow + kWindowBytes) return Space::global;
  const Space space = space_of(low);
  return space != Space::global && space == space_of(high) ? space : Space::generic;
}

// What a RowMover is told of the bytes of lanes that take no part. Those that other host threads may write at the same time are left
// alone.
bool may_touch_all(const LaneRow& row, AccessKind kind, Space space) {
  return row.all_there && (kind == AccessKind::load || space == Space::shared);
}

}  // namespace

[[gnu::always_inline]] inline MemoryAccess MemoryPipe::access_of(const Warp& w, u32 pc, const u8* frame,
                                                                 const Instruction& in, Mask lanes,
                                                                 Space space, AccessKind kind) const {
  const u32 bytes = size_of(in.type) * in.vector;
  return {issue_of(w, pc, lanes), space, kind, bytes, &in, frame};
}

inline void MemoryPipe::tell_access(const Warp& w, const Fragment& f, const Instruction& in, Mask lanes,
                                    Space space, AccessKind kind, const u64* address, u32 row) const {
  Access a;
  static_cast<MemoryAccess&>(a) = access_of(w, f.pc, f.frame->bytes(), in, lanes, space, kind);
  a.address = address;
  a.row = row;
  for (Observer* o : hub_.accesses) o->access(a);
}

// Loads and stores of lanes in a row (lanes/lane_addresses.h): the short way, which most accesses take. True: the access was of a row
// in one piece of memory, and is done.
bool MemoryPipe::move_row(const Warp& w, const Fragment& f, const Instruction& in, Mask mask,
                          AccessKind kind) const {
  const RowMover move = module_.row_move[f.pc];
  if (!move) return false;
  u8* const frame = f.frame->bytes();
  u8& not_asked = no_row_[f.pc % kFound];
  if (not_asked && not_asked--) return false;
  Space space = in.space;
  if (space == Space::generic) {
    if (in.address_bytes != sizeof(u64)) return false;
    u64 first;
    std::memcpy(&first, frame + in.s[0], sizeof first);
    space = space_of(first + u64(in.offset));
  }
  Piece piece;
  u64 base = 0;  // of the addresses that observers hear of
  if (space == Space::shared) {
    base = in.space == Space::generic ? kSharedWindow : 0;
    piece = {w.block->shared.data(), base, w.block->shared.size()};
  } else {
    const Allocation* const last = last_found_[f.pc % kFound];
    if (!last || space == Space::local || space == Space::param ||
        (kind != AccessKind::load && last->kind == MemoryKind::constant))
      return false;
    piece = {last->bytes, last->base, last->size};
  }
  LaneRow row;
  if (!find_row_(in, frame, mask, size_of(in.type) * in.vector, piece, row)) {
    not_asked = kNotAsked;
    return false;
  }
  if (!hub_.accesses.empty()) {
    RowAccess a;
    static_cast<MemoryAccess&>(a) = access_of(w, f.pc, frame, in, mask, space, kind);
    a.first = row.first - base;
    a.step = row.step;
    for (Observer* o : hub_.take_rows) o->row_access(a);
    for (Observer* o : hub_.take_lanes_and_issues) o->issue(a);
    if (!hub_.take_lanes.empty()) {
      u64 address[kWarpSize];
      const Access of_lanes = a.of_lanes(address);
      for (Observer* o : hub_.take_lanes) o->access(of_lanes);
    }
  }
  move(in, frame, mask, row.where, row.step, may_touch_all(row, kind, space));
  return true;
}

// Calls f(located, mask) for the lanes of each space that the access touches; one space unless it is generic.
template <class F> void MemoryPipe::for_spaces(Warp& w, Fragment& f, const Instruction& in, Mask mask,
                                               AccessKind kind, F body) {
  Located at;
  lane_addresses_(in, f.frame->bytes(), mask, at);
  const auto access = [&](Space space, Mask lanes) {
    locate(w, f, in, lanes, space, kind, at);
    at.space = space;
    if (!hub_.accesses.empty() && space != Space::param)
      tell_access(w, f, in, lanes, space, kind, at.address, at.row);
    body(at, lanes);
  };
  if (in.space != Space::generic) return access(in.space, mask);
  if (const Space one = space_between(at.low, at.high); one != Space::generic) return access(one, mask);
  Mask by_space[3] = {};
  constexpr Space spaces[3] = {Space::global, Space::shared, Space::local};
  for_each_lane(mask, [&](u32 l) {
    const Space s = space_of(at.address[l]);
    by_space[s == Space::shared ? 1 : s == Space::local ? 2 : 0] |= Mask(1) << l;
  });
  for (u32 k = 0; k < 3; ++k)
    if (by_space[k]) {
      lane_addresses_(in, f.frame->bytes(), by_space[k], at);
      access(spaces[k], by_space[k]);
    }
}

void MemoryPipe::move_lanes(Warp& w, Fragment& f, const Instruction& in, Mask mask, AccessKind kind) {
  if (kind == AccessKind::load)
    return for_spaces(w, f, in, mask, kind, [&](const Located& at, Mask lanes) {
      for (u32 k = 0; k < in.vector; ++k)
        if (in.d[k] != kNoOperand) to_register(in, f.frame->bytes(), k, at, lanes);
    });
  for_spaces(w, f, in, mask, kind, [&](const Located& at, Mask lanes) {
    for (u32 k = 0; k < in.vector; ++k) from_register(in, f.frame->bytes(), k, at, lanes);
  });
}

void MemoryPipe::load(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (in.order != MemoryOrder::weak) spin_.polled();
  if (move_row(w, f, in, mask, AccessKind::load)) return;
  hub_.tell_issue(w, f.pc, mask);
  move_lanes(w, f, in, mask, AccessKind::load);
}

void MemoryPipe::store(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (in.space != Space::local && in.space != Space::param) spin_.changed();
  if (move_row(w, f, in, mask, AccessKind::store)) return;
  hub_.tell_issue(w, f.pc, mask);
  move_lanes(w, f, in, mask, AccessKind::store);
}

// Where the lanes' barriers are in the block's shared memory.
void MemoryPipe::shared_addresses(Warp& w, Fragment& f, const Instruction& in, Mask mask, u64* address) {
  Located at;
  lane_addresses_(in, f.frame->bytes(), mask, at);
  locate(w, f, in, mask, Space::shared, AccessKind::atomic, at);
  for_each_lane(mask, [&](u32 l) { address[l] = at.address[l]; });
}

// Lanes that copy less than the whole read it in words, or in bytes: a rare tail.
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

namespace {

// Subnormal numbers become zero of the same sign.
u64 flushed(u64 f32_bits) { return f32_bits & 0x7f800000u ? f32_bits : f32_bits & 0x80000000u; }

}  // namespace

bool MemoryPipe::update(const Instruction& in, AtomicFunction apply, Space space, u8* where, u64 b, u64 c,
                        u64* old) {
  const u32 bytes = size_of(in.type);
  *old = 0;
  std::memcpy(old, where, bytes);
  // In global memory an addition of f32 knows no subnormal numbers, in shared memory it does (PTX ISA, "atom").
  const bool flush = space == Space::global && in.type == Type::f32;
  const u64 now = flush ? flushed(apply(flushed(*old), flushed(b), c)) : apply(*old, b, c);
  std::memcpy(where, &now, bytes);
  return now == *old;
}

// Lane after lane, in ascending order: the order in which float sums by atomics are rounded here.
void MemoryPipe::atomic(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  const AtomicFunction apply = module_.atomic_function[f.pc];
  const u32 bytes = size_of(in.type);
  u8* frame = f.frame->bytes();
  bool same = true;
  for_spaces(w, f, in, mask, AccessKind::atomic, [&](const Located& at, Mask lanes) {
    at.for_bytes(lanes, [&](u32 l, u8* where) {
      u64 old = 0, b = 0, c = 0;
      std::memcpy(&b, frame + in.s[1] + l * bytes, bytes);
      if (footprint_ && at.space == Space::global) {
        same = false;
        return footprint_->defer({f.pc, l, at.address[l], b});
      }
      if (in.s[2] != kNoOperand) std::memcpy(&c, frame + in.s[2] + l * bytes, bytes);
      same &= update(in, apply, at.space, where, b, c, &old);
      if (in.d[0] != kNoOperand) std::memcpy(frame + in.d[0] + l * bytes, &old, bytes);
    });
  });
  same ? spin_.polled() : spin_.changed();
}

u32 Access::element_bytes() const {
  return instruction->shape == Shape::matrix_load ? size_of(instruction->type) : bytes / instruction->vector;
}

const u8* Access::value(u32 lane, u32 k) const {
  const u32 bytes =
      instruction->shape == Shape::store ? u32(instruction->s_bytes) : size_of(instruction->type);
  return frame + instruction->s[1 + k] + lane * bytes;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
