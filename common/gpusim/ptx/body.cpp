// Function bodies: declarations, labels, instructions. What operands an instruction has follows from its shape.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "ptx/matrix_forms.h"
#include "ptx/mnemonic.h"
#include "ptx/operands.h"

namespace gpusim::ptx {

namespace {

class BodyParser : private Operands {
 public:
  using Operands::Operands;

  void parse() {
    f_.begin = here();
    f_.ptx_line = in_.peek().line;
    end_ = in_.closing_brace();
    const std::size_t calls = program_.calls.size(), tables = program_.tables.size();
    in_.expect("{");
    open_scope();
    for (const auto* list : {&f_.params, &f_.results})
      for (const ParamVar& p : *list) scopes_.back().params[p.name] = p;
    while (!scopes_.empty() && in_.position() <= end_) {
      if (in_.at_end()) in_.fail("function " + f_.name + " has no end");
      const std::size_t begin = in_.position();
      try {
        statement();
      } catch (const Unsupported& u) {
        problem(in_.line_before(),
                u.what + (u.is_newer ? "; run this on a newer GPU" : "; run this on a GPU"));
        skip_from(begin);
      } catch (const SyntaxError& e) {
        if (f_.problems.size() == kMostProblems) break;
        problem(e.line, e.reason);
        skip_from(begin);
      }
    }
    try {
      if (f_.problems.empty()) finish();
    } catch (const SyntaxError& e) {
      problem(e.line, e.reason);
    }
    if (!f_.problems.empty()) {
      program_.calls.resize(calls);
      program_.tables.resize(tables);
      disable();
    }
    in_.go_to(end_ + 1);
  }

 private:
  static constexpr std::size_t kMostProblems = 100;  // of one function: the rest follows from them

  void problem(u32 ptx_line, const std::string& what) { f_.problems.push_back({location_, ptx_line, what}); }
  // Goes on behind the statement that began at `begin`.
  void skip_from(std::size_t begin) {
    in_.go_to(begin);
    in_.skip_statement(end_);
    if (in_.position() == begin) in_.go_to(begin + 1);
    if (in_.position() >= end_) scopes_.clear();
  }
  // A function that has problems keeps its name and its parameters: nothing runs it.
  void disable() {
    program_.code.resize(f_.begin);
    program_.lines.resize(f_.begin);
    while (!program_.nounroll.empty() && program_.nounroll.back() >= f_.begin) program_.nounroll.pop_back();
    f_.constants.clear();
    f_.specials.clear();
    Instruction end;
    end.op = Op::trap;
    end.shape = Shape::leave;
    location_ = f_.problems.front().at;
    emit(end);
    f_.end = here();
  }

  void open_scope() {
    around_.push_back(scopes_.empty() ? kNoScope : scopes_.back().number);
    scopes_.emplace_back();
    scopes_.back().number = u32(around_.size() - 1);
  }

  u32 here() const { return u32(program_.code.size()); }

  void statement() {
    const Token& t = in_.peek();
    if (in_.accept("{")) {
      if (scopes_.size() > 64) in_.fail("blocks nested deeper than 64 levels");
      open_scope();
    } else if (in_.accept("}")) {
      scopes_.pop_back();
    } else if (in_.accept(".reg")) {
      registers();
    } else if (in_.accept(".local")) {
      local_variable();
    } else if (in_.accept(".param")) {
      param_variable();
    } else if (in_.accept(".shared")) {
      shared_variable();
    } else if (in_.accept(".loc")) {
      location();
    } else if (in_.at(".pragma")) {
      if (in_.peek(1).text.find("nounroll") != std::string_view::npos)
        program_.nounroll.push_back(u32(program_.code.size()));
      in_.skip_statement();
    } else if (t.kind == Token::word && t.text.starts_with('.')) {
      in_.skip_statement();
    } else if (t.kind == Token::word && in_.peek(1).is(":")) {
      label();
    } else {
      instruction();
    }
  }

  // .loc file line column [, function_name label, inlined_at file line column]
  void location() {
    SourceLine at = position();
    while (in_.accept(",")) {
      const std::string_view what = in_.word("function_name or inlined_at");
      if (what == "function_name") {
        in_.word("a label");
        if (in_.accept("+")) in_.integer();
      } else if (what == "inlined_at") {
        at.call = call_at(position());
      } else {
        in_.fail("unknown '" + std::string(what) + "' in .loc");
      }
    }
    if (at.line == 0) return;  // the compiler says "as before"
    location_ = at;
    calls_[{at.file, at.line, at.column}] = at.call;
  }
  SourceLine position() {
    SourceLine at;
    at.file = u16(in_.integer_up_to(65534, "file number"));
    at.line = u32(in_.integer_up_to(1u << 30, "line"));
    at.column = u16(std::min<u64>(in_.integer(), 65535));
    return at;
  }
  // A call inside inlined code has had a .loc of its own, which says in place of which call that code stands.
  u32 call_at(SourceLine at) {
    if (const auto known = calls_.find({at.file, at.line, at.column}); known != calls_.end())
      at.call = known->second;
    std::vector<SourceLine>& all = program_.inlined_calls;
    const auto [found, fresh] =
        inlined_.try_emplace({at.file, at.line, at.column, at.call}, u32(all.size() + 1));
    if (fresh) all.push_back(at);
    return found->second;
  }

  void label() {
    const std::string_view name = in_.next().text;
    in_.expect(":");
    if (in_.accept(".branchtargets")) {
      tables_[name] = u32(program_.tables.size());
      program_.tables.emplace_back();
      do table_labels_.push_back(use_of_label(u32(program_.tables.size() - 1), in_.word("a label")));
      while (in_.accept(","));
      in_.expect(";");
    } else if (in_.accept(".callprototype")) {
      scopes_.back().prototypes[name] = prototype();
    } else if (!labels_.emplace(std::pair(scopes_.back().number, name), here()).second) {
      in_.fail("label '" + std::string(name) + "' stands twice");
    }
  }

  // ---- Instructions
  void instruction() {
    Instruction i;
    if (in_.accept("@")) {
      i.negate_guard = in_.accept("!");
      i.guard = predicate();
    }
    const std::string_view name = in_.word("an instruction");
    if (const std::string why = read_mnemonic(name, &i); !why.empty())
      throw SyntaxError(in_.line_before(), why);
    name_ = name;
    shape_ = i.shape;
    before_.clear();
    operands(i);
    in_.expect(";");
    for (const Instruction& before : before_) emit(before);
    emit(i);
  }
  void emit(const Instruction& i) {
    program_.code.push_back(i);
    program_.lines.push_back(location_);
  }

  void operands(Instruction& i) {
    const Type t = i.type, dt = i.dest_type;
    constexpr Type u32t = Type::u32;
    switch (i.shape) {
      case Shape::unary:
        dest(i, dt);
        sources(i, {t});
        break;
      case Shape::binary:
        dest(i, dt);
        sources(i, {t, t});
        break;
      case Shape::permute:
        dest(i, dt);
        sources(i, {t, t, u32t});
        break;
      case Shape::dot: {
        const Type sum = t == u32t && dt == u32t ? u32t : Type::s32;
        dest(i, sum);
        sources(i, {dt, t, sum});
        break;
      }
      case Shape::carry2:
        dest(i, t);
        sources(i, {t, t});
        carries(i);
        break;
      case Shape::carry3:
        dest(i, t);
        sources(i, {t, t, t});
        carries(i);
        break;
      case Shape::ternary:
        dest(i, dt);
        sources(i, {t, t, is_funnel(i.op) ? u32t : t});
        break;
      case Shape::widening2:
        dest(i, wider(t));
        sources(i, {t, t});
        break;
      case Shape::widening3:
        dest(i, wider(t));
        sources(i, {t, t, wider(t)});
        break;
      case Shape::shift:
        dest(i, dt);
        sources(i, {t, u32t});
        break;
      case Shape::extract:
        dest(i, dt);
        sources(i, {t, u32t, u32t});
        break;
      case Shape::insert:
        dest(i, dt);
        sources(i, {t, t, u32t, u32t});
        break;
      case Shape::count:
        dest(i, u32t);
        sources(i, {t});
        break;
      case Shape::lut:
        dest(i, dt);
        sources(i, {t, t, t});
        in_.expect(",");
        if (!is_number(in_.peek())) in_.fail("the table of '" + std::string(name_) + "' must be a number");
        i.s[3] = source(u32t);
        break;
      case Shape::testp:
        dest(i, Type::pred);
        sources(i, {t});
        break;
      case Shape::select:
        dest(i, dt);
        sources(i, {t, t, Type::pred});
        break;
      case Shape::slct:
        dest(i, dt);
        sources(i, {dt, dt, t});
        break;
      case Shape::compare:
        i.d[0] = dest_or_nothing(Type::pred);
        second(i, Type::pred);
        if (i.d[0] == kNoOperand && in_.at(",") && i.d[1] == kNoOperand && had_second_)
          in_.fail("'_|_' leaves no result");
        sources(i, {t, t});
        combining(i);
        break;
      case Shape::compare_set:
        dest(i, dt);
        sources(i, {t, t});
        combining(i);
        break;
      case Shape::move: move(i); break;
      case Shape::convert:
        i.d[0] = sized_register(&i.d_bytes, dt);
        in_.expect(",");
        i.s[0] = sized_source(t, &i.s_bytes);
        break;
      case Shape::address:
        dest(i, dt);
        sources(i, {t});
        break;
      case Shape::space_test:
        dest(i, Type::pred);
        sources(i, {Type::u64});
        break;
      case Shape::branch: branch_to(in_.word("a label")); break;
      case Shape::branch_table:
        i.s[0] = source(u32t);
        in_.expect(",");
        table_uses_.push_back(use_of_label(here(), in_.word("a branch table")));
        break;
      case Shape::call: call(i); break;
      case Shape::leave:
      case Shape::fence: break;
      case Shape::hint: memory_address(i); break;
      case Shape::load: load(i); break;
      case Shape::store: store(i); break;
      case Shape::atomic:
        i.d[0] = dest_or_nothing(t);
        in_.expect(",");
        memory_address(i);
        atomic_values(i);
        break;
      case Shape::reduction:
        memory_address(i);
        atomic_values(i);
        break;
      case Shape::async_copy: async_copy(i); break;
      case Shape::async_group:
        if (i.op == Op::cp_async_wait_group) {
          if (!is_number(in_.peek())) in_.fail("how many groups may be left must be a number");
          i.s[0] = source(u32t);
        }
        break;
      case Shape::mbarrier: barrier_in_memory(i); break;
      case Shape::matrix_load:
        vector_of_size(i, vector(i.d, 4, [&](u32) { return dest_register(Type::b32); }));
        in_.expect(",");
        memory_address(i);
        break;
      case Shape::matrix_multiply: product(i); break;
      case Shape::shuffle:
        dest(i, Type::b32);
        second(i, Type::pred);
        sources(i, {Type::b32, u32t, u32t, u32t});
        break;
      case Shape::vote:
        dest(i, VoteMode(i.mode) == VoteMode::ballot ? Type::b32 : Type::pred);
        in_.expect(",");
        i.negate_c = in_.accept("!");
        i.s[0] = source(Type::pred);
        in_.expect(",");
        i.s[1] = source(u32t);
        break;
      case Shape::match:
        if (i.op == Op::match_all) i.d[0] = dest_or_nothing(Type::b32), second(i, Type::pred);
        else dest(i, Type::b32);
        sources(i, {t, u32t});
        break;
      case Shape::activemask: dest(i, Type::b32); break;
      case Shape::redux:
        dest(i, t);
        sources(i, {t, u32t});
        break;
      case Shape::warp_barrier:
      case Shape::sleep: i.s[0] = source(u32t); break;
      case Shape::barrier: barrier(i); break;
      case Shape::barrier_arrive:
        barrier_name(i);
        in_.expect(",");
        thread_count(i);
        break;
      case Shape::barrier_red: barrier_reduction(i); break;
      case Shape::clock: break;
    }
  }

  void vector_of_size(const Instruction& i, u32 count) const {
    if (count != i.vector)
      in_.fail("'" + std::string(name_) + "' has " + std::to_string(count) + " elements");
  }

  static bool is_funnel(Op op) {
    return op == Op::shf_l_clamp || op == Op::shf_l_wrap || op == Op::shf_r_clamp || op == Op::shf_r_wrap;
  }
  void dest(Instruction& i, Type type) { i.d[0] = dest_register(type); }
  void sources(Instruction& i, std::initializer_list<Type> types) {
    u32 k = 0;
    for (const Type type : types) {
      in_.expect(",");
      i.s[k++] = source(type);
    }
  }
  // The q of d|q, which may be '_'.
  void second(Instruction& i, Type type) {
    had_second_ = in_.accept("|");
    if (had_second_) i.d[1] = dest_or_nothing(type);
  }
  void carries(Instruction& i) {
    const bool takes = i.op == Op::addc || i.op == Op::subc || i.op == Op::madc_lo || i.op == Op::madc_hi;
    if (takes) i.s[3] = carry();
    if (i.carry_out || !takes) i.d[1] = carry();
  }
  void combining(Instruction& i) {
    if (i.combine == BoolOp::none) return;
    in_.expect(",");
    i.negate_c = in_.accept("!");
    i.s[2] = source(Type::pred);
  }

  void move(Instruction& i) {
    if (in_.at("{")) {
      i.mode = kMoveUnpack;
      part_bytes_ = 0;
      i.vector = u8(vector(i.d, 4, [&](u32) { return in_.accept("_") ? kNoOperand : part_register(i); }));
      check_parts(i);
      sources(i, {i.type});
      return;
    }
    dest(i, i.type);
    in_.expect(",");
    if (in_.at("{")) {
      i.mode = kMovePack;
      pack(i);
      return;
    }
    if (const auto special = special_named(in_.peek().text); special && is_clock(*special)) {
      in_.next();
      i.shape = Shape::clock;
      i.mode = u8(*special);
      return;
    }
    i.s[0] = source(i.type);
  }
  FrameOffset part_register(const Instruction& i) {
    if (in_.at("_")) in_.fail("'_' is not a source");
    const Register r = need_register();
    if (r.bytes() == 0 || r.bytes() >= size_of(i.type) || (part_bytes_ && part_bytes_ != r.bytes()))
      does_not_fit(r);
    part_bytes_ = r.bytes();
    return r.frame;
  }
  // {a, b} as a source. How wide a number is follows from how many parts there are.
  void pack(Instruction& i) {
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
  void check_parts(const Instruction& i) const {
    if (i.type != Type::b32 && i.type != Type::b64 && i.type != Type::b16)
      in_.fail("'" + std::string(name_) + "' has no parts: write .b" + std::to_string(8 * size_of(i.type)));
    if (i.vector < 2 || part_bytes_ < 2 || part_bytes_ * i.vector != size_of(i.type))
      in_.fail("the parts do not fill '" + std::string(name_) + "'");
  }

  void load(Instruction& i) {
    const auto element = [&](u32) {
      return in_.accept("_") ? kNoOperand : sized_register(&i.d_bytes, i.type);
    };
    if (i.vector > 1) vector_of_size(i, vector(i.d, 4, element));
    else i.d[0] = sized_register(&i.d_bytes, i.type);
    if (i.d_bytes == 0) in_.fail("'" + std::string(name_) + "' needs a register");
    in_.expect(",");
    memory_address(i);
  }
  void store(Instruction& i) {
    memory_address(i);
    in_.expect(",");
    const auto element = [&](u32) { return sized_source(i.type, &i.s_bytes); };
    if (i.vector > 1) vector_of_size(i, vector(i.s + 1, 4, element));
    else i.s[1] = element(0);
  }
  void atomic_values(Instruction& i) {
    in_.expect(",");
    i.s[1] = source(i.type);
    if (i.op == Op::atom_cas) {
      in_.expect(",");
      i.s[2] = source(i.type);
    }
  }
  // [shared], [global], bytes {, how many of them are read; the others become zeros}
  void async_copy(Instruction& i) {
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
  void barrier_in_memory(Instruction& i) {
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
  FrameOffset register_of(Type type) {
    const Register r = need_register();
    if (r.bytes() != size_of(type)) does_not_fit(r);
    return r.frame;
  }
  // {d…}, {a…}, {b…}, {c…}, where each has the registers that the form needs
  void product(Instruction& i) {
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
  void branch_to(std::string_view name) { branches_.push_back(use_of_label(here(), name)); }

  // call (results), callee, (arguments);
  void call(Instruction& i) {
    CallSite site;
    if (in_.at("(")) {
      site.results = param_list();
      in_.expect(",");
    }
    const std::string_view callee = in_.word("a function");
    const auto pointer = find_register(callee);
    if (pointer) {
      if (pointer->bytes() != 8 || is_float(pointer->type)) does_not_fit(*pointer);
      site.by_address = true;
      i.s[0] = pointer->frame;
    } else {
      site.callee = std::string(callee);
    }
    if (in_.accept(",") && in_.at("(")) {
      site.arguments = param_list();
      if (pointer) in_.expect(",");
    }
    if (pointer) check_prototype(site, in_.word("the call's prototype"));
    i.target = u32(program_.calls.size());
    program_.calls.push_back(std::move(site));
  }
  // label: .callprototype (results) _ (arguments) .noreturn;  Of both, their sizes are kept.
  CallSite prototype() {
    CallSite p;
    if (in_.at("(")) p.results = prototype_list();
    in_.expect("_");
    if (in_.at("(")) p.arguments = prototype_list();
    while (!in_.at(";")) {
      const std::string_view name = in_.word("';'");
      if (name != ".noreturn") in_.fail("unknown directive '" + std::string(name) + "' in .callprototype");
    }
    in_.expect(";");
    return p;
  }
  std::vector<ParamVar> prototype_list() {
    std::vector<ParamVar> list;
    in_.expect("(");
    while (!in_.accept(")")) {
      in_.expect(".param");
      const Declaration d = read_declaration(in_);
      list.push_back({std::string(d.name), 0, u32(d.size), 0});
      if (!in_.at(")")) in_.expect(",");
    }
    return list;
  }
  void check_prototype(const CallSite& site, std::string_view name) const {
    const CallSite* known = nullptr;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend() && !known; ++scope)
      if (const auto p = scope->prototypes.find(name); p != scope->prototypes.end()) known = &p->second;
    if (!known) in_.fail("call prototype '" + std::string(name) + "' is not declared");
    if (!site.fits(known->arguments, known->results))
      in_.fail("a call with other parameters than its prototype '" + std::string(name) + "' has");
  }
  std::vector<ParamVar> param_list() {
    std::vector<ParamVar> list;
    in_.expect("(");
    while (!in_.accept(")")) {
      const std::string_view name = in_.word("a .param variable");
      const ParamVar* p = find_param(name);
      if (!p)
        throw Unsupported{"a call with the register '" + std::string(name) +
                          "' as its parameter is not simulated"};
      list.push_back(*p);
      if (!in_.at(")")) in_.expect(",");
    }
    return list;
  }

  void barrier(Instruction& i) {
    barrier_name(i);
    if (in_.accept(",")) thread_count(i);
  }
  // Numbers are checked here, registers when the barrier is reached.
  void barrier_name(Instruction& i) {
    if (is_number(in_.peek()) && Cursor(in_).integer() >= 16) in_.fail("there are 16 barriers: 0 to 15");
    i.s[0] = source(Type::u32);
  }
  void thread_count(Instruction& i) {
    if (is_number(in_.peek()) && Cursor(in_).integer() % kWarpSize != 0)
      in_.fail("the threads that take part in a barrier are whole warps: a multiple of 32");
    i.s[1] = source(Type::u32);
  }
  void barrier_reduction(Instruction& i) {
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
  // ---- After the last statement
  void finish() {
    // Lanes that return meet at one instruction, whatever way they took: a function's last one. A kernel's end is
    // an exit even where the text forgot it.
    const Op leaving = f_.is_kernel ? Op::exit : Op::ret;
    if (f_.is_kernel)  // nobody to return to
      for (u32 pc = f_.begin; pc < here(); ++pc)
        if (Instruction& i = program_.code[pc]; i.op == Op::ret) i.op = Op::exit;
    const bool labelled =
        std::ranges::any_of(labels_, [&](const auto& label) { return label.second == here(); });
    const bool ended =
        here() > f_.begin && program_.code.back().op == leaving && program_.code.back().guard == kNoOperand;
    if (!ended || labelled) {
      Instruction end;
      end.op = leaving;
      end.shape = Shape::leave;
      emit(end);
    }
    f_.end = here();
    if (!f_.is_kernel)
      for (u32 pc = f_.begin; pc + 1 < f_.end; ++pc)
        if (Instruction& i = program_.code[pc]; i.op == Op::ret)
          i.op = Op::bra, i.shape = Shape::branch, i.target = f_.end - 1;
    for (const auto& b : branches_) {
      location_ = program_.lines[b.pc];
      program_.code[b.pc].target = label_at(b);
    }
    for (const auto& use : table_uses_) {
      location_ = program_.lines[use.pc];
      const auto table = tables_.find(use.label);
      if (table == tables_.end())
        throw SyntaxError(use.line, "branch table '" + std::string(use.label) + "' is not declared");
      program_.code[use.pc].target = table->second;
    }
    for (const auto& entry : table_labels_) program_.tables[entry.pc].push_back(label_at(entry));
  }

  struct LabelUse {
    u32 pc;  // or the index of a table
    std::string_view label;
    u32 line;
    u32 scope;
  };
  LabelUse use_of_label(u32 pc, std::string_view name) const {
    return {pc, name, in_.peek().line, scopes_.back().number};
  }
  // A label is known in the block of PTX that it stands in, and in those inside.
  u32 label_at(const LabelUse& use) const {
    for (u32 scope = use.scope; scope != kNoScope; scope = around_[scope])
      if (const auto found = labels_.find({scope, use.label}); found != labels_.end()) return found->second;
    throw SyntaxError(use.line, "label '" + std::string(use.label) + "' is not declared");
  }

  SourceLine location_;
  std::map<std::tuple<u16, u32, u16>, u32> calls_;         // of each file, line and column: SourceLine::call
  std::map<std::tuple<u16, u32, u16, u32>, u32> inlined_;  // the call of each place with the call around it
  bool had_second_ = false;
  std::size_t end_ = 0;  // where the function's last brace stands
  u32 part_bytes_ = 0;
  static constexpr u32 kNoScope = 0xffffffffu;
  std::vector<u32> around_;                                 // by block of PTX: the number of that around it
  std::map<std::pair<u32, std::string_view>, u32> labels_;  // by block and name
  std::unordered_map<std::string_view, u32> tables_;
  std::vector<LabelUse> branches_, table_uses_, table_labels_;
};

}  // namespace

void parse_body(Cursor& in, Program& program, const ModuleSymbols& symbols, Function& f) {
  BodyParser(in, program, symbols, f).parse();
}

}  // namespace gpusim::ptx
