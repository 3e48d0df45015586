// Function bodies: declarations, labels, instructions.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "ptx/mnemonic.h"
#include "ptx/shape_operands.h"

namespace gpusim::ptx {

namespace {

class BodyParser : private ShapeOperands {
 public:
  using ShapeOperands::ShapeOperands;

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
  static constexpr std::size_t kMostProblems = 100;  // per function: the rest are usually consequences

  void problem(u32 ptx_line, const std::string& what) { f_.problems.push_back({location_, ptx_line, what}); }
  // Resumes after the statement that started at `begin`.
  void skip_from(std::size_t begin) {
    in_.go_to(begin);
    in_.skip_statement(end_);
    if (in_.position() == begin) in_.go_to(begin + 1);
    if (in_.position() >= end_) scopes_.clear();
  }
  // Keeps only the name and the parameters of a function that has problems. Such a function is never run.
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
      is_undefined_ = in_.peek(1).text.find("undefined") != std::string_view::npos;
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
  // Where a call in inlined code was inlined. That call had a .loc of its own, which names the call that it replaces.
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
    if (i.op == Op::trap && std::exchange(is_undefined_, false)) program_.code.back().mode = kTrapUndefined;
    program_.lines.push_back(location_);
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

  // A label is known in the block of PTX that it stands in, and in those inside.
  u32 label_at(const LabelUse& use) const {
    for (u32 scope = use.scope; scope != kNoScope; scope = around_[scope])
      if (const auto found = labels_.find({scope, use.label}); found != labels_.end()) return found->second;
    throw SyntaxError(use.line, "label '" + std::string(use.label) + "' is not declared");
  }

  SourceLine location_;
  bool is_undefined_ = false;                              // what comes behind the next trap
  std::map<std::tuple<u16, u32, u16>, u32> calls_;         // of each file, line and column: SourceLine::call
  std::map<std::tuple<u16, u32, u16, u32>, u32> inlined_;  // the call of each place with the call around it
  std::size_t end_ = 0;                                    // where the function's last brace stands
  static constexpr u32 kNoScope = 0xffffffffu;
  std::vector<u32> around_;                                 // for each PTX block: the block around it
  std::map<std::pair<u32, std::string_view>, u32> labels_;  // by block and name
  std::unordered_map<std::string_view, u32> tables_;
  std::vector<LabelUse> table_labels_;
};

}  // namespace

void parse_body(Cursor& in, Program& program, const ModuleSymbols& symbols, Function& f) {
  BodyParser(in, program, symbols, f).parse();
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
