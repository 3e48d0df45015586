#include "ptx/operands.h"

#include <algorithm>
#include <limits>

#include "ptx/mnemonic.h"
#include "ptx/names.h"

namespace gpusim::ptx {

std::optional<Special> special_named(std::string_view name) {
  static const std::unordered_map<std::string_view, Special> names = {
      {"%tid.x", Special::tid_x},
      {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},
      {"%ntid.x", Special::ntid_x},
      {"%ntid.y", Special::ntid_y},
      {"%ntid.z", Special::ntid_z},
      {"%ctaid.x", Special::ctaid_x},
      {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},
      {"%nctaid.x", Special::nctaid_x},
      {"%nctaid.y", Special::nctaid_y},
      {"%nctaid.z", Special::nctaid_z},
      {"%laneid", Special::laneid},
      {"%warpid", Special::warpid},
      {"%nwarpid", Special::nwarpid},
      {"%smid", Special::smid},
      {"%nsmid", Special::nsmid},
      {"%gridid", Special::gridid},
      {"%lanemask_eq", Special::lanemask_eq},
      {"%lanemask_le", Special::lanemask_le},
      {"%lanemask_lt", Special::lanemask_lt},
      {"%lanemask_ge", Special::lanemask_ge},
      {"%lanemask_gt", Special::lanemask_gt},
      {"%dynamic_smem_size", Special::dynamic_smem_size},
      {"%total_smem_size", Special::total_smem_size},
      {"%clock", Special::clock},
      {"%clock_hi", Special::clock_hi},
      {"%clock64", Special::clock64},
      {"%globaltimer", Special::globaltimer}};
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

namespace {

bool is_bits(Type t) { return t == Type::b8 || t == Type::b16 || t == Type::b32 || t == Type::b64; }
// Ignoring sizes, may a register of type `declared` be an operand of an instruction of type `instruction`? (PTX ISA, "Operand
// Type Checking")
bool agree(Type instruction, Type declared) {
  if (instruction == Type::pred || declared == Type::pred) return instruction == declared;
  return is_bits(instruction) || is_bits(declared) || is_float(instruction) == is_float(declared);
}

Constant plain(u32 bytes, u64 value) {
  Constant c;
  c.bytes = bytes;
  c.value = value;
  return c;
}

}  // namespace

bool Operands::is_number(const Token& t) {
  return t.is("-") || (t.kind == Token::word && !t.text.empty() && t.text[0] >= '0' && t.text[0] <= '9');
}

void Operands::registers() {
  const std::string_view type_name = in_.word("a register type");
  const auto type = type_name.starts_with('.') ? type_named(type_name.substr(1)) : std::nullopt;
  if (!type) in_.fail("'" + std::string(type_name) + "' is not a register type that is simulated");
  do {
    const std::string_view name = in_.word("a register name");
    if (in_.accept("<")) {
      RegisterRange range{*type, {}};
      const u64 count = in_.integer_up_to(1 << 20, "register count");
      in_.expect(">");
      range.frames.reserve(count);
      for (u64 i = 0; i < count; ++i) range.frames.push_back(frame_.make_register(*type, in_).frame);
      scopes_.back().ranges[name] = std::move(range);
    } else {
      scopes_.back().registers[name] = frame_.make_register(*type, in_);
    }
  } while (in_.accept(","));
  in_.expect(";");
}

void Operands::param_variable() {
  const Declaration d = read_declaration(in_);
  in_.expect(";");
  if (d.size > 32768) in_.fail("parameter '" + std::string(d.name) + "' is larger than 32768 bytes");
  ParamVar p{std::string(d.name), frame_.allocate(d.size * kWarpSize, in_), u32(d.size), u32(d.size)};
  scopes_.back().params[p.name] = p;
}

void Operands::local_variable() {
  const Declaration d = read_declaration(in_);
  in_.expect(";");
  const u64 at = align_up(f_.local_bytes, d.align);
  scopes_.back().locals[d.name] = u32(at);  // in any case: code that uses the name is not at fault
  if (at + d.size > 512 * 1024)
    in_.fail("more than 512 KiB of local memory, where a thread's own arrays lie: a GPU has no more");
  f_.local_bytes = u32(at + d.size);
}

void Operands::shared_variable() {
  const std::string_view name = name_in_declaration();
  scopes_.back().shared[name] = read_variable(in_, program_, Space::shared, false);
}

std::string_view Operands::name_in_declaration() const {
  std::size_t k = 0;
  while (in_.peek(k).kind == Token::word && (in_.peek(k).text.starts_with('.') || in_.peek(k).text[0] <= '9'))
    ++k;
  return in_.peek(k).text;
}

std::optional<Register> Operands::find_register(std::string_view name) const {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string_view prefix = name.substr(0, digits);
  u32 number = 0;
  const bool numbered =
      digits < name.size() &&
      std::from_chars(name.data() + digits, name.data() + name.size(), number).ec == std::errc();
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto r = scope->registers.find(name); r != scope->registers.end()) return r->second;
    if (!numbered) continue;
    if (const auto r = scope->ranges.find(prefix);
        r != scope->ranges.end() && number < r->second.frames.size())
      return Register{r->second.type, r->second.frames[number]};
  }
  return {};
}

const ParamVar* Operands::find_param(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto p = scope->params.find(name); p != scope->params.end()) return &p->second;
  return nullptr;
}

Register Operands::need_register() {
  const std::string_view name = in_.word("a register");
  const auto r = find_register(name);
  if (!r) in_.fail("'" + std::string(name) + "' is not a register");
  return *r;
}

void Operands::does_not_fit(const Register& r) const {
  in_.fail("a register of type ." + std::string(name_of(r.type)) + " does not fit '" + std::string(name_) +
           "'");
}

FrameOffset Operands::dest_register(Type type) {
  if (in_.at("_")) in_.fail("'" + std::string(name_) + "' needs its result: '_' cannot stand for it");
  const Register r = need_register();
  if (r.bytes() != size_of(type) || !agree(type, r.type)) does_not_fit(r);
  return r.frame;
}
FrameOffset Operands::dest_or_nothing(Type type) {
  return in_.accept("_") ? kNoOperand : dest_register(type);
}

// A register that may be wider than the type; all elements of a vector have one width.
FrameOffset Operands::sized_register(u8* bytes, Type type) {
  const Register r = need_register();
  if (r.bytes() < size_of(type) || r.bytes() == 0 || !agree(type, r.type) || (*bytes && *bytes != r.bytes()))
    does_not_fit(r);
  *bytes = u8(r.bytes());
  return r.frame;
}

FrameOffset Operands::predicate() {
  const Register r = need_register();
  if (r.type != Type::pred) in_.fail("expected a predicate register");
  return r.frame;
}

// A whole number that fits the bytes, signed or unsigned.
u64 Operands::integer_of(u32 bytes) {
  const bool negative = in_.at("-");
  const std::string text = (negative ? "-" : "") + std::string(in_.peek(negative ? 1 : 0).text);
  const u64 value = in_.integer();
  const s64 lowest = bytes == 8 ? std::numeric_limits<s64>::min() : -(s64(1) << (8 * bytes - 1));
  const bool fits =
      negative ? s64(value) >= lowest && s64(value) <= 0 : bytes == 8 || value >> (8 * bytes) == 0;
  if (!fits)
    in_.fail(text + " does not fit the " + std::to_string(8 * bytes) + " bits that '" + std::string(name_) +
             "' takes");
  return value;
}

u64 Operands::immediate(Type type) {
  if (is_half(type)) in_.fail("'" + std::string(name_) + "' takes registers only");
  const u32 bytes = size_of(type);
  const bool negative = in_.at("-") && is_float_literal(in_.peek(1).text);
  const std::string_view text = in_.peek(negative ? 1 : 0).text;
  if (!is_float_literal(text)) {
    if (is_float(type))
      in_.fail("'" + std::string(name_) + "' takes a float: write " + std::string(text) + ".0");
    return integer_of(bytes);
  }
  const bool single = text.size() > 1 && (text[1] == 'f' || text[1] == 'F');
  if (!is_float(type) && type != (single ? Type::b32 : Type::b64))
    in_.fail("'" + std::string(name_) + "' takes no float such as " + std::string(text));
  if (negative) in_.next();
  in_.next();
  const u64 sign = u64(1) << (8 * bytes - 1);
  return float_bits(text, bytes, in_) ^ (negative ? sign : 0);
}

// The other value of a predicate, computed before the instruction.
FrameOffset Operands::opposite(FrameOffset of) {
  Instruction i;
  i.op = Op::not_;
  i.shape = Shape::unary;
  i.type = i.dest_type = Type::pred;
  i.s[0] = of;
  i.d[0] = frame_.make_register(Type::pred, in_).frame;
  before_.push_back(i);
  return i.d[0];
}

FrameOffset Operands::carry() {
  if (!carry_) carry_ = frame_.make_register(Type::pred, in_);
  return carry_->frame;
}

FrameOffset Operands::literal(u32 bytes, u64 value) {
  return frame_.constant(plain(std::max(bytes, 2u), bytes == 8 ? value : value & ((u64(1) << 8 * bytes) - 1)),
                         in_);
}

FrameOffset Operands::source(Type type) {
  const u32 bytes = size_of(type);
  const Token& t = in_.peek();
  if (type == Type::pred) {
    if (is_number(t)) return frame_.constant(plain(0, in_.integer() ? ~u64(0) : 0), in_);
    return in_.accept("!") ? opposite(predicate()) : predicate();
  }
  if (is_number(t)) {
    const u64 value = immediate(type);
    return literal(bytes, value);
  }
  if (const auto r = find_register(t.text)) {
    in_.next();
    if (r->bytes() != bytes || !agree(type, r->type)) does_not_fit(*r);
    return r->frame;
  }
  const std::string_view name = in_.word("an operand");
  if (facts_of(shape_).names == ShapeFacts::Names::values && name != "WARP_SZ")
    in_.fail("'" + std::string(name_) + "' takes registers and numbers, not '" + std::string(name) +
             "': use mov first");
  if (is_float(type)) in_.fail("'" + std::string(name) + "' is no float");
  if (name == "WARP_SZ") return frame_.constant(plain(bytes, kWarpSize), in_);
  if (const auto special = special_named(name)) {
    if (is_clock(*special)) throw Unsupported{"'" + std::string(name) + "' outside mov is not simulated"};
    if (bytes != 4 && !(bytes == 8 && *special == Special::gridid))
      throw Unsupported{"'" + std::string(name) + "' as ." + name_of(type) + " is not simulated"};
    return frame_.special(*special, bytes, in_);
  }
  if (name.starts_with('%')) throw Unsupported{"'" + std::string(name) + "' is not simulated"};
  return symbol_address(name, bytes);
}

FrameOffset Operands::sized_source(Type type, u8* bytes) {
  if (const auto r = find_register(in_.peek().text)) return sized_register(bytes, type);
  if (in_.at("_")) in_.fail("'_' is not a source");
  const u8 width = u8(std::max(size_of(type), 2u));
  if (*bytes && *bytes != width) in_.fail("elements of different widths");
  *bytes = width;
  return source(type);
}

// The address of a parameter: its offset in the frame.
FrameOffset Operands::address_of(const ParamVar& p) {
  Constant c = plain(8, p.frame);
  c.lane_stride = p.stride;
  return frame_.constant(c, in_);
}

// The address of a variable, as a constant.
FrameOffset Operands::symbol_address(std::string_view name, u32 bytes) {
  if (bytes != 8 && bytes != 4)
    in_.fail("the address of '" + std::string(name) + "' does not fit '" + std::string(name_) + "'");
  Constant c = plain(bytes, 0);
  if (const ParamVar* p = find_param(name)) {
    return address_of(*p);
  } else if (const auto local = find_local(name)) {
    c.base = Constant::Base::local;
    c.value = *local;
  } else if (const auto variable = find_variable(name)) {
    c.variable = *variable;
    c.base = program_.variables[*variable].space == Space::shared ? Constant::Base::shared
                                                                  : Constant::Base::variable;
  } else if (const auto f = symbols_.functions.find(name); f != symbols_.functions.end()) {
    if (program_.functions[f->second].is_kernel)
      throw Unsupported{"the address of kernel '" + demangled(std::string(name)) + "' is not simulated"};
    if (bytes != 8)
      in_.fail("the address of '" + std::string(name) + "' does not fit '" + std::string(name_) + "'");
    program_.address_taken.push_back(f->second);
    c.base = Constant::Base::function;
    c.variable = f->second;
  } else {
    in_.fail("'" + std::string(name) + "' is not declared");
  }
  if (in_.at("+") && !in_.peek(1).is("+")) {
    in_.next();
    c.value += in_.integer();
  }
  return frame_.constant(c, in_);
}

std::optional<u32> Operands::find_local(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto l = scope->locals.find(name); l != scope->locals.end()) return l->second;
  return {};
}

std::optional<u32> Operands::find_variable(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto v = scope->shared.find(name); v != scope->shared.end()) return v->second;
  const auto v = symbols_.variables.find(name);
  return v == symbols_.variables.end() ? std::nullopt : std::optional(v->second);
}

bool Operands::is_predicate(const Token& t) const {
  const auto r = find_register(t.text);
  return r && r->type == Type::pred;
}

// [register], [register+4], [symbol+4], [64]
void Operands::memory_address(Instruction& i) {
  in_.expect("[");
  const Token& t = in_.peek();
  if (is_number(t)) {
    i.s[0] = frame_.constant(plain(8, in_.integer()), in_);
  } else if (const auto r = find_register(t.text)) {
    in_.next();
    if ((r->bytes() != 8 && r->bytes() != 4) || is_float(r->type)) does_not_fit(*r);
    i.s[0] = r->frame;
    i.address_bytes = u8(r->bytes());
  } else {
    const std::string_view name = in_.word("an address");
    const ParamVar* parameter = find_param(name);
    const auto variable = parameter || find_local(name) ? std::nullopt : find_variable(name);
    if (variable && i.space != Space::generic && program_.variables[*variable].space != i.space)
      in_.fail("'" + std::string(name) + "' is not in the state space of '" + std::string(name_) + "'");
    if (parameter && i.space == Space::param) {
      i.s[0] = address_of(*parameter);
      if (in_.at("+") || in_.at("-")) i.offset = (in_.accept("+"), s64(in_.integer()));
      const u64 size = size_of(i.type) * i.vector;
      if (i.offset < 0 || u64(i.offset) > parameter->size || size > parameter->size - u64(i.offset))
        in_.fail("parameter '" + std::string(name) + "' has " + std::to_string(parameter->size) + " bytes");
      return in_.expect("]");
    }
    i.s[0] = symbol_address(name, 8);
  }
  if (in_.accept("+")) i.offset = s64(in_.integer());
  else if (in_.at("-")) i.offset = s64(in_.integer());
  in_.expect("]");
}

Type Operands::wider(Type t) const {
  switch (t) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    case Type::s32: return Type::s64;
    default: in_.fail("'" + std::string(name_) + "' does not exist");
  }
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
