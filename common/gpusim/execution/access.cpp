// Loads, stores and atomics: where the bytes are, whether the lanes may touch them, what moves.
#include <bit>
#include <cstring>

#include "analysis/parameters.h"
#include "analysis/pointer_origin.h"
#include "analysis/reachable.h"
#include "execution/exec.h"
#include "execution/footprint.h"
#include "execution/module.h"
#include "execution/row_access.h"
#include "lanes/each_lane.h"
#include "ptx/names.h"

namespace gpusim {

// One warp access in one space; addresses as events.h says for the space.
struct Executor::Located : LaneAddresses {
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
void Executor::to_register(const Instruction& in, u8* frame, u32 k, const Located& from, Mask mask) {
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
void Executor::from_register(const Instruction& in, const u8* frame, u32 k, const Located& to, Mask mask) {
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

u8* Executor::local_bytes(Frame* frame, u32 lane, u64 address, std::size_t count) const {
  for (; frame; frame = frame->caller) {
    const u32 size = frame->function->local_bytes;
    if (address < frame->local_base) continue;
    const u64 at = address - frame->local_base;
    return at < size && count <= size - at ? frame->local.data() + std::size_t(lane) * size + at : nullptr;
  }
  return nullptr;
}

const Allocation* Executor::find(u32 pc, u64 address) const {
  const Allocation*& last = last_found_[pc % kFound];
  if (last && address - last->base < last->size) return last;
  const Allocation* found = memory_.find(address);
  if (!found && peers_) found = peers_->find(launch_.gpu, address);
  if (found) last = found;  // map nodes do not move
  return found;
}

// Fills `out` for the lanes of the mask, or faults for the first lane that may not touch its bytes.
void Executor::locate(Warp& w, Fragment& f, const Instruction& in, Mask mask, Space space, AccessKind kind,
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
          if (!p) fault_address(w, f.pc, l, space, kind, a, count);
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

}  // namespace

inline void Executor::tell_access(const Warp& w, const Fragment& f, const Instruction& in, Mask lanes,
                                  Space space, AccessKind kind, const u64* address, u32 row) const {
  Access a;
  static_cast<MemoryAccess&>(a) = access_of(w, f.pc, f.frame->bytes(), in, lanes, space, kind);
  a.address = address;
  a.row = row;
  for (Observer* o : hear_accesses_) o->access(a);
}

bool Executor::move_row(const Warp& w, const Fragment& f, const Instruction& in, Mask mask,
                        AccessKind kind) const {
  const RowMover move = module_.row_move[f.pc];
  return move && move_row(w, f.pc, f.frame->bytes(), in, mask, kind, find_row_, move,
                          [](Observer& o, const RowAccess& a) { o.row_access(a); });
}

// Calls f(located, mask) for the lanes of each space that the access touches; one space unless it is generic.
template <class F> void Executor::for_spaces(Warp& w, Fragment& f, const Instruction& in, Mask mask,
                                             AccessKind kind, F body) {
  Located at;
  lane_addresses_(in, f.frame->bytes(), mask, at);
  const auto access = [&](Space space, Mask lanes) {
    locate(w, f, in, lanes, space, kind, at);
    at.space = space;
    if (!hear_accesses_.empty() && space != Space::param)
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

void Executor::move_lanes(Warp& w, Fragment& f, const Instruction& in, Mask mask, AccessKind kind) {
  if (kind == AccessKind::load)
    return for_spaces(w, f, in, mask, kind, [&](const Located& at, Mask lanes) {
      for (u32 k = 0; k < in.vector; ++k)
        if (in.d[k] != kNoOperand) to_register(in, f.frame->bytes(), k, at, lanes);
    });
  for_spaces(w, f, in, mask, kind, [&](const Located& at, Mask lanes) {
    for (u32 k = 0; k < in.vector; ++k) from_register(in, f.frame->bytes(), k, at, lanes);
  });
}

void Executor::load(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (in.order != MemoryOrder::weak) polled();
  if (move_row(w, f, in, mask, AccessKind::load)) return;
  tell_issue(w, f.pc, mask);
  move_lanes(w, f, in, mask, AccessKind::load);
}

void Executor::store(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (in.space != Space::local && in.space != Space::param) changed();
  if (move_row(w, f, in, mask, AccessKind::store)) return;
  tell_issue(w, f.pc, mask);
  move_lanes(w, f, in, mask, AccessKind::store);
}

// Where the lanes' barriers are in the block's shared memory.
void Executor::shared_addresses(Warp& w, Fragment& f, const Instruction& in, Mask mask, u64* address) {
  Located at;
  lane_addresses_(in, f.frame->bytes(), mask, at);
  locate(w, f, in, mask, Space::shared, AccessKind::atomic, at);
  for_each_lane(mask, [&](u32 l) { address[l] = at.address[l]; });
}

// The bytes are read now. Lanes that copy less than the whole read it in words, or in bytes: a rare tail.
void Executor::copy_async(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (!w.async_copies) w.async_copies = std::make_unique<AsyncCopies>();
  AsyncCopies& all = *w.async_copies;
  constexpr std::size_t kMostUnderWay = 1024;  // those of a kernel that never waits arrive all the same
  if (all.copies.size() >= kMostUnderWay) wait_for_copies(w, kAllLanes, {});
  u8* const frame = f.frame->bytes();
  AsyncCopies::Copy& copy = all.copies.emplace_back();
  copy.number = all.asked++;
  copy.instruction = &in;
  copy.pc = f.pc;
  copy.under_way = mask;
  copy.bytes = size_of(in.type) * in.vector;
  std::memset(copy.data, 0, sizeof copy.data);

  Located to;
  lane_addresses_(in, frame, mask, to);
  locate(w, f, in, mask, Space::shared, AccessKind::store, to);
  u32 count[kWarpSize];
  Mask whole = 0, part = 0;
  u32 unit = 4;
  for_each_lane(mask, [&](u32 l) {
    copy.to[l] = to.address[l];
    copy.group[l] = all.closed[l];
    count[l] = copy.bytes;
    if (in.s[2] != kNoOperand) std::memcpy(&count[l], frame + in.s[2] + l * sizeof count[l], sizeof count[l]);
    if (count[l] > copy.bytes)
      fault(FaultCode::launch_failure, f.pc, w, l,
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
  if (!observers_.empty()) {
    const Access a = store_of(w, copy, mask);
    tell([&](Observer& o) { o.copy_begins(a); });
  }
}

namespace {

// Subnormal numbers become zero of the same sign.
u64 flushed(u64 f32_bits) { return f32_bits & 0x7f800000u ? f32_bits : f32_bits & 0x80000000u; }

}  // namespace

bool Executor::update(const Instruction& in, AtomicFunction apply, Space space, u8* where, u64 b, u64 c,
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
void Executor::atomic(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
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
        return footprint_->put_off({f.pc, l, at.address[l], b});
      }
      if (in.s[2] != kNoOperand) std::memcpy(&c, frame + in.s[2] + l * bytes, bytes);
      same &= update(in, apply, at.space, where, b, c, &old);
      if (in.d[0] != kNoOperand) std::memcpy(frame + in.d[0] + l * bytes, &old, bytes);
    });
  });
  same ? polled() : changed();
}

u32 Access::element_bytes() const {
  return instruction->shape == Shape::matrix_load ? size_of(instruction->type) : bytes / instruction->vector;
}

const u8* Access::value(u32 lane, u32 k) const {
  const u32 bytes =
      instruction->shape == Shape::store ? u32(instruction->s_bytes) : size_of(instruction->type);
  return frame + instruction->s[1 + k] + lane * bytes;
}

namespace {

std::string hex(u64 v) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}
constexpr u64 kNear = 4096;  // bytes from an allocation that an address is likely to be meant for

// The memory behind the pointer that the program counts the address from, if that can be seen.
const Allocation* meant(const Memory& memory, const LaunchInfo& launch, u32 pc) {
  const Function& kernel = launch.program->functions[launch.kernel->function];
  const auto origin = pointer_origin(*launch.program, kernel, pc);
  if (!origin || !launch.params) return nullptr;
  u64 pointer;
  std::memcpy(&pointer, launch.params + launch.kernel->params[origin->parameter].offset + origin->at,
              sizeof pointer);
  return memory.find(pointer);
}

// An address of global memory that may not be touched, by the names that the kernel has; empty where it has none.
std::string named_fault(const Memory& memory, const LaunchInfo& launch, u32 pc, AccessKind kind, u64 address,
                        u32 count) {
  if (address < kNear) return null_name(launch, address, count);
  if (const Allocation* array = meant(memory, launch, pc))
    if (const std::string name = outside_name(launch, *array, address, count, kind); !name.empty())
      return name;
  const Allocation* a = memory.find(address);
  if (const Allocation* old = a ? nullptr : memory.freed(address)) {
    const std::string name = array_name(launch, *old, address, kind);
    return name.empty() ? ""
                        : global_name(launch, *old, address, count, kind) + ", and the memory of " + name +
                              " has been freed";
  }
  if (a) return outside_name(launch, *a, address, count, kind);
  std::string names;
  for (const Allocation* near : memory.nearest(address)) {
    if (address + kNear < near->base || address >= near->base + near->size + kNear) continue;
    const std::string name = outside_name(launch, *near, address, count, kind);
    if (!name.empty()) names += (names.empty() ? "" : ", or ") + name;
  }
  return names;
}

}  // namespace

// ", and tile[32] is beyond them": what an address outside the block's shared memory is to the nearest variable,
// counted in elements of the access's size. Empty if the kernel has none, or it would be between two elements.
std::string Executor::shared_element(u32 address, u32 count) const {
  const Program& program = module_.code;
  const bool before = s32(address) < 0;  // tile[-1]: 32-bit addresses wrap
  const auto variables = place_shared(program, reachable_functions(program, launch_.kernel->function));
  if (variables.empty()) return "";
  const PlacedVariable& nearest = before ? variables.front() : variables.back();
  const s32 bytes = s32(address - nearest.offset);
  if (bytes % s32(count) != 0) return "";
  return ", and " + variable_name(program.variables[nearest.variable].name) + "[" +
         std::to_string(bytes / s32(count)) + "] is " + (before ? "before" : "beyond") + " them";
}

// "peer[3] of GPU 1, whose memory …" where an address belongs to a GPU whose memory this one may not use; else empty.
std::string Executor::no_peer_access(AccessKind kind, u64 address, u32 count) const {
  const u32 peer = Memory::gpu_of(address);
  const Allocation* a = peers_ ? peers_->owned(address) : nullptr;
  if (!a || peers_->may_use(launch_.gpu, peer)) return "";
  const std::string self = "GPU " + std::to_string(launch_.gpu), other = "GPU " + std::to_string(peer);
  return global_name(launch_, *a, address, count, kind) + ", which is memory of " + other + ", and " + self +
         " has no access to it: call cudaDeviceEnablePeerAccess(" + std::to_string(peer) +
         ", 0) after cudaSetDevice(" + std::to_string(launch_.gpu) + ")";
}

// What to add to a fault if the address, or the index that it was computed with, is what fresh memory holds
// (gpusim/fresh_memory.h). Not with NaN, whose bytes are -1 as an index, which programs compute as well.
static std::string hint_at_fresh(const Memory& memory, u64 address) {
  if (memory.fresh == Backing::kNan) return "";
  constexpr u64 kStep = u64(1) << 20;  // from the beginning of what a pointer points to
  const u64 word = memory.fresh_word();
  const auto hint = [](const std::string& what) {
    return "; " + what + " holds what fresh memory holds: nothing has stored it before it was read";
  };
  if (address - ((word << 32 | word) - kStep) < 2 * kStep) return hint("the pointer");
  for (const u64 bytes : {1, 2, 4, 8, 16})
    if (memory.find(address - word * bytes)) return hint("the index " + std::to_string(word));
  return "";
}

void Executor::fault_address(const Warp& w, u32 pc, u32 lane, Space space, AccessKind kind, u64 address,
                             u32 count) const {
  const char* verb = kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates";
  const char* place = space == Space::shared     ? "shared memory"
                      : space == Space::local    ? "local memory"
                      : space == Space::constant ? "constant memory"
                                                 : "global memory";
  const std::string access =
      std::string(verb) + " " + bytes_name(count) + " of " + place + " at " + hex(address);
  const std::string hint = space == Space::global ? hint_at_fresh(memory_, address) : "";
  if (address & (count - 1))
    fault(FaultCode::misaligned_address, pc, w, lane,
          "misaligned: " + access + ", which is not a multiple of " + std::to_string(count) + hint);
  std::string why;
  if (space == Space::global) {
    if (const std::string peer = no_peer_access(kind, address, count); !peer.empty())
      fault(FaultCode::illegal_address, pc, w, lane, "no peer access: " + std::string(verb) + " " + peer);
    const std::string named = named_fault(memory_, launch_, pc, kind, address, count);
    if (!named.empty())
      fault(FaultCode::illegal_address, pc, w, lane,
            "out of bounds: " + std::string(verb) + " " + named + hint);
  }
  if (space == Space::shared) {
    why = "; the block has " + bytes_name(w.block->shared.size()) + shared_element(u32(address), count);
  } else if (space == Space::local) {
    why = address >> 63 ? "; it begins at 0: is an index of a thread's own array negative?"
                        : "; a thread's own arrays end before that";
  } else if (space == Space::global || space == Space::constant) {
    const Allocation* a = memory_.find(address);
    if (a && a->kind == MemoryKind::constant && kind != AccessKind::load)
      why = "; constant memory is read-only";
    else if (const Allocation* old = memory_.freed(address))
      why = ", where an allocation of " + bytes_name(old->size) +
            " lay that has been freed and that the kernel was not given: is this an index that overflowed?";
    else if (address < 4096) why = ": a null pointer";
    else if (const auto near = memory_.nearest(address); !a && !near.empty()) {
      a = near[0];
      const bool after = address >= a->base + a->size;
      const u64 distance = after ? address - (a->base + a->size) : a->base - address;
      if (distance < kNear)
        why = ", " +
              (after ? (distance ? bytes_name(distance) + " past the end" : std::string("just past the end"))
                     : bytes_name(distance) + " before the start") +
              " of an allocation of " + bytes_name(a->size);
      else if (!hint.empty()) why = hint;
      else why = "; no allocation is near: is this a host pointer, or an index that overflowed?";
    } else if (!a) {
      why = "; no memory is allocated: is this a host pointer?";
    } else {
      why = ", across the end of an allocation of " + bytes_name(a->size);
    }
  }
  fault(FaultCode::illegal_address, pc, w, lane, "out of bounds: " + access + why);
}

}  // namespace gpusim
