#include "ptx/shape_operands.h"

#include <string>

#include "ptx/matrix_forms.h"

namespace gpusim::ptx {
namespace {

bool is_funnel(Op op) {
  return op == Op::shf_l_clamp || op == Op::shf_l_wrap || op == Op::shf_r_clamp || op == Op::shf_r_wrap;
}

}  // namespace

void ShapeOperands::operands(Instruction& i) {
  const Type t = i.type, dt = i.dest_type;
  constexpr Type u32t = Type::u32, pred = Type::pred;
  switch (i.shape) {
    case Shape::unary: return i.op == Op::createpolicy_fractional ? cache_policy(i) : values(i, dt, {t});
    case Shape::binary: return values(i, dt, {t, t});
    case Shape::ternary: return values(i, dt, {t, t, is_funnel(i.op) ? u32t : t});
    case Shape::widening2: return values(i, wider(t), {t, t});
    case Shape::widening3: return values(i, wider(t), {t, t, wider(t)});
    case Shape::shift: return values(i, dt, {t, u32t});
    case Shape::extract: return values(i, dt, {t, u32t, u32t});
    case Shape::insert: return values(i, dt, {t, t, u32t, u32t});
    case Shape::count: return values(i, u32t, {t});
    case Shape::lut: return table_of_bits(i);
    case Shape::testp: return values(i, pred, {t});
    case Shape::permute: return values(i, dt, {t, t, u32t});
    case Shape::dot: return dot(i);
    case Shape::carry2: return values(i, t, {t, t}), carries(i);
    case Shape::carry3: return values(i, t, {t, t, t}), carries(i);
    case Shape::compare: return comparison(i);
    case Shape::compare_set: return values(i, dt, {t, t}), combining(i);
    case Shape::select: return values(i, dt, {t, t, pred});
    case Shape::slct: return values(i, dt, {dt, dt, t});
    case Shape::move: return move(i);
    case Shape::convert: return conversion(i);
    case Shape::address: return values(i, dt, {t});
    case Shape::space_test: return values(i, pred, {Type::u64});
    case Shape::branch: return branch();
    case Shape::branch_table: return branch_table(i);
    case Shape::call: return call(i);
    case Shape::load: return load(i);
    case Shape::store: return store(i);
    case Shape::atomic: return atomic(i);
    case Shape::reduction: return reduction(i);
    case Shape::async_copy: return async_copy(i);
    case Shape::async_group: return async_group(i);
    case Shape::mbarrier: return barrier_in_memory(i);
    case Shape::matrix_load: return rows_of_matrices(i);
    case Shape::matrix_multiply: return product(i);
    case Shape::hint: return memory_address(i);
    case Shape::shuffle: return shuffle(i);
    case Shape::vote: return vote(i);
    case Shape::match: return match(i);
    case Shape::activemask: return dest(i, Type::b32);
    case Shape::redux: return values(i, t, {t, u32t});
    case Shape::barrier: return barrier(i);
    case Shape::barrier_red: return barrier_reduction(i);
    case Shape::barrier_arrive: return barrier_arrival(i);
    case Shape::warp_barrier:
    case Shape::sleep: i.s[0] = source(u32t); return;
    case Shape::leave:
    case Shape::fence:
    case Shape::clock: return;
  }
}

// ---- Values
void ShapeOperands::values(Instruction& i, Type d, std::initializer_list<Type> types) {
  dest(i, d);
  sources(i, types);
}
void ShapeOperands::dest(Instruction& i, Type type) { i.d[0] = dest_register(type); }
void ShapeOperands::sources(Instruction& i, std::initializer_list<Type> types) {
  u32 k = 0;
  for (const Type type : types) {
    in_.expect(",");
    i.s[k++] = source(type);
  }
}
void ShapeOperands::cache_policy(Instruction& i) {
  dest(i, i.type);
  i.s[0] = literal(size_of(i.type), 0);
  if (in_.accept(",")) source(Type::f32);  // the part of the accesses that it is for
}
void ShapeOperands::second(Instruction& i, Type type) {
  had_second_ = in_.accept("|");
  if (had_second_) i.d[1] = dest_or_nothing(type);
}
void ShapeOperands::dot(Instruction& i) {
  const Type sum = i.type == Type::u32 && i.dest_type == Type::u32 ? Type::u32 : Type::s32;
  values(i, sum, {i.dest_type, i.type, sum});
}
void ShapeOperands::carries(Instruction& i) {
  const bool takes = i.op == Op::addc || i.op == Op::subc || i.op == Op::madc_lo || i.op == Op::madc_hi;
  if (takes) i.s[3] = carry();
  if (i.carry_out || !takes) i.d[1] = carry();
}
void ShapeOperands::table_of_bits(Instruction& i) {
  values(i, i.dest_type, {i.type, i.type, i.type});
  in_.expect(",");
  if (!is_number(in_.peek())) in_.fail("the table of '" + std::string(name_) + "' must be a number");
  i.s[3] = source(Type::u32);
}
void ShapeOperands::combining(Instruction& i) {
  if (i.combine == BoolOp::none) return;
  in_.expect(",");
  i.negate_c = in_.accept("!");
  i.s[2] = source(Type::pred);
}
void ShapeOperands::comparison(Instruction& i) {
  i.d[0] = dest_or_nothing(Type::pred);
  second(i, Type::pred);
  if (i.d[0] == kNoOperand && in_.at(",") && i.d[1] == kNoOperand && had_second_)
    in_.fail("'_|_' leaves no result");
  sources(i, {i.type, i.type});
  combining(i);
}
void ShapeOperands::conversion(Instruction& i) {
  i.d[0] = sized_register(&i.d_bytes, i.dest_type);
  in_.expect(",");
  i.s[0] = sized_source(i.type, &i.s_bytes);
}
void ShapeOperands::move(Instruction& i) {
  if (in_.at("{")) {
    i.mode = kMoveUnpack;
    return unpack(i);
  }
  dest(i, i.type);
  in_.expect(",");
  if (in_.at("{")) {
    i.mode = kMovePack;
    return pack(i);
  }
  if (const auto special = special_named(in_.peek().text); special && is_clock(*special)) {
    in_.next();
    i.shape = Shape::clock;
    i.mode = u8(*special);
    return;
  }
  i.s[0] = source(i.type);
}
void ShapeOperands::unpack(Instruction& i) {
  part_bytes_ = 0;
  i.vector = u8(vector(i.d, 4, [&](u32) { return in_.accept("_") ? kNoOperand : part_register(i); }));
  check_parts(i);
  sources(i, {i.type});
}
void ShapeOperands::pack(Instruction& i) {
  u64 number[4];
  bool is_literal[4] = {};
  part_bytes_ = 0;
  i.vector = u8(vector(i.s, 4, [&](u32 k) {
    is_literal[k] = is_number(in_.peek());
    if (!is_literal[k]) return part_register(i);
    number[k] = in_.integer();
    return kNoOperand;  // filled in below
  }));
  if (part_bytes_ == 0 && i.vector > 1) part_bytes_ = size_of(i.type) / i.vector;
  check_parts(i);
  for (u32 k = 0; k < i.vector; ++k) {
    if (!is_literal[k]) continue;
    const s64 value = s64(number[k]), least = -(s64(1) << (8 * part_bytes_ - 1));
    if (number[k] >> (8 * part_bytes_) != 0 && (value < least || value >= 0))
      in_.fail(std::to_string(value) + " does not fit a part of '" + std::string(name_) + "'");
    i.s[k] = literal(part_bytes_, number[k]);
  }
}
FrameOffset ShapeOperands::part_register(const Instruction& i) {
  if (in_.at("_")) in_.fail("'_' is not a source");
  const Register r = need_register();
  if (r.bytes() == 0 || r.bytes() >= size_of(i.type) || (part_bytes_ && part_bytes_ != r.bytes()))
    does_not_fit(r);
  part_bytes_ = r.bytes();
  return r.frame;
}
void ShapeOperands::check_parts(const Instruction& i) const {
  if (i.type != Type::b32 && i.type != Type::b64 && i.type != Type::b16)
    in_.fail("'" + std::string(name_) + "' has no parts: write .b" + std::to_string(8 * size_of(i.type)));
  if (i.vector < 2 || part_bytes_ < 2 || part_bytes_ * i.vector != size_of(i.type))
    in_.fail("the parts do not fill '" + std::string(name_) + "'");
}
void ShapeOperands::vector_of_size(const Instruction& i, u32 count) const {
  if (count != i.vector) in_.fail("'" + std::string(name_) + "' has " + std::to_string(count) + " elements");
}

// ---- Memory
void ShapeOperands::load(Instruction& i) {
  const auto element = [&](u32) { return in_.accept("_") ? kNoOperand : sized_register(&i.d_bytes, i.type); };
  if (i.vector > 1) vector_of_size(i, vector(i.d, 4, element));
  else i.d[0] = sized_register(&i.d_bytes, i.type);
  if (i.d_bytes == 0) in_.fail("'" + std::string(name_) + "' needs a register");
  in_.expect(",");
  memory_address(i);
  cache_hint();
}
void ShapeOperands::store(Instruction& i) {
  memory_address(i);
  in_.expect(",");
  const auto element = [&](u32) { return sized_source(i.type, &i.s_bytes); };
  if (i.vector > 1) vector_of_size(i, vector(i.s + 1, 4, element));
  else i.s[1] = element(0);
  cache_hint();
}
void ShapeOperands::cache_hint() {
  if (name_.find(".L2::cache_hint") == std::string_view::npos) return;
  in_.expect(",");
  source(Type::b64);  // a cache policy
}
void ShapeOperands::atomic(Instruction& i) {
  i.d[0] = dest_or_nothing(i.type);
  in_.expect(",");
  reduction(i);
}
void ShapeOperands::reduction(Instruction& i) {
  memory_address(i);
  atomic_values(i);
}
void ShapeOperands::atomic_values(Instruction& i) {
  in_.expect(",");
  i.s[1] = source(i.type);
  if (i.op == Op::atom_cas) {
    in_.expect(",");
    i.s[2] = source(i.type);
  }
}
void ShapeOperands::async_copy(Instruction& i) {
  i.type = i.dest_type = Type::b32;
  Instruction from;
  from.type = Type::b32;
  i.space = Space::shared;
  memory_address(i);
  in_.expect(",");
  from.space = Space::global;
  memory_address(from);
  i.s[1] = from.s[0];
  i.source_address_bytes = from.address_bytes;
  i.source_offset = from.offset;
  in_.expect(",");
  const u64 bytes = is_number(in_.peek()) ? in_.integer() : 0;
  if (i.mode == kPastL1 && bytes != 16) in_.fail("'" + std::string(name_) + "' copies 16 bytes");
  if (bytes != 4 && bytes != 8 && bytes != 16)
    in_.fail("'" + std::string(name_) + "' copies 4, 8 or 16 bytes: a number");
  i.vector = u8(bytes / 4);
  if (in_.accept(",")) i.s[2] = source(Type::u32);
}
void ShapeOperands::async_group(Instruction& i) {
  if (i.op != Op::cp_async_wait_group) return;
  if (!is_number(in_.peek())) in_.fail("how many groups may be left must be a number");
  i.s[0] = source(Type::u32);
}
void ShapeOperands::barrier_in_memory(Instruction& i) {
  const bool arrives = i.op == Op::mbarrier_arrive || i.op == Op::mbarrier_arrive_drop;
  const bool waits = i.op == Op::mbarrier_test_wait;
  if (arrives) i.d[0] = dest_or_nothing(Type::b64);
  else if (waits) dest(i, Type::pred);
  if (arrives || waits) in_.expect(",");
  memory_address(i);
  if (i.op != Op::mbarrier_init && i.mode != kNoComplete && !waits) return;
  in_.expect(",");
  i.s[1] = source(waits && i.mode != kParity ? Type::b64 : Type::u32);
}

// ---- Matrices
void ShapeOperands::rows_of_matrices(Instruction& i) {
  vector_of_size(i, vector(i.d, 4, [&](u32) { return dest_register(Type::b32); }));
  in_.expect(",");
  memory_address(i);
}
void ShapeOperands::product(Instruction& i) {
  const MatrixForm& form = kMatrixForms[i.mode];
  u32 next = 0;
  const auto sources = [&](u32 count, Type type) {
    in_.expect(",");
    const auto element = [&](u32) { return register_of(type); };
    const u32 begin = next;
    next += vector(i.s + begin, count, element);
    if (next - begin != count)
      in_.fail("'" + std::string(name_) + "' takes " + std::to_string(count) + " registers here");
  };
  const auto result = [&](u32) { return dest_register(form.sum_register()); };
  if (vector(i.d, 4, result) != form.sum_registers())
    in_.fail("'" + std::string(name_) + "' has " + std::to_string(form.sum_registers()) + " results");
  sources(form.a_registers(), form.factor_register());
  sources(form.b_registers(), form.factor_register());
  sources(form.sum_registers(), form.sum_register());
}
FrameOffset ShapeOperands::register_of(Type type) {
  const Register r = need_register();
  if (r.bytes() != size_of(type)) does_not_fit(r);
  return r.frame;
}

// ---- Lanes and warps
void ShapeOperands::shuffle(Instruction& i) {
  dest(i, Type::b32);
  second(i, Type::pred);
  sources(i, {Type::b32, Type::u32, Type::u32, Type::u32});
}
void ShapeOperands::vote(Instruction& i) {
  dest(i, VoteMode(i.mode) == VoteMode::ballot ? Type::b32 : Type::pred);
  in_.expect(",");
  i.negate_c = in_.accept("!");
  i.s[0] = source(Type::pred);
  in_.expect(",");
  i.s[1] = source(Type::u32);
}
void ShapeOperands::match(Instruction& i) {
  if (i.op == Op::match_all) i.d[0] = dest_or_nothing(Type::b32), second(i, Type::pred);
  else dest(i, Type::b32);
  sources(i, {i.type, Type::u32});
}
void ShapeOperands::barrier(Instruction& i) {
  barrier_name(i);
  if (in_.accept(",")) thread_count(i);
}
void ShapeOperands::barrier_arrival(Instruction& i) {
  barrier_name(i);
  in_.expect(",");
  thread_count(i);
}
void ShapeOperands::barrier_reduction(Instruction& i) {
  dest(i, i.type);
  in_.expect(",");
  barrier_name(i);
  in_.expect(",");
  if (!in_.at("!") && !is_predicate(in_.peek())) {
    thread_count(i);
    in_.expect(",");
  }
  i.negate_c = in_.accept("!");
  i.s[2] = source(Type::pred);
}
void ShapeOperands::barrier_name(Instruction& i) {
  if (is_number(in_.peek()) && Cursor(in_).integer() >= 16) in_.fail("there are 16 barriers: 0 to 15");
  i.s[0] = source(Type::u32);
}
void ShapeOperands::thread_count(Instruction& i) {
  if (is_number(in_.peek()) && Cursor(in_).integer() % kWarpSize != 0)
    in_.fail("the threads that take part in a barrier are whole warps: a multiple of 32");
  i.s[1] = source(Type::u32);
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
