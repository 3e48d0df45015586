#include "ptx/parser.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/cfg.h"
#include "ptx/mnemonic.h"

namespace gpusim::ptx {
namespace {

// Bytes; these keep a damaged module from asking for all memory.
constexpr u64 kLargestVariable = u64(1) << 31, kLargestInitialised = u64(1) << 28,
              kLargestParameters = u64(1) << 20;

// Only shared memory may have a larger alignment, because its addresses start at 0 in each block.
void want_alignment_up_to_4096(Cursor& in, const Declaration& d) {
  if (d.align > 4096) in.fail("alignment " + std::to_string(d.align) + " is more than 4096");
}

bool is_type(const Token& t) {
  return t.kind == Token::word && t.text.starts_with('.') && type_named(t.text.substr(1)).has_value();
}

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : tokens_(tokenize(text)), in_(tokens_) {}

  Program parse() {
    while (!in_.at_end()) statement();
    for (const Function& f : program_.functions)
      if (f.is_kernel && f.begin == f.end) throw SyntaxError(f.ptx_line, "kernel " + f.name + " has no body");
    for (std::vector<SourceLine>* lines : {&program_.lines, &program_.inlined_calls})
      for (SourceLine& line : *lines)
        if (line.file >= program_.files.size()) line = {};  // a .loc that names no .file
    for (std::vector<SourceLine>* lines : {&program_.inlined_calls, &program_.lines})
      for (SourceLine& line : *lines) leave_headers(line);
    resolve_calls();
    find_taken_addresses();
    for (const Function& f : program_.functions)
      if (f.problems.empty()) find_reconvergence(program_, f.begin, f.end);
    return std::move(program_);
  }

 private:
  // Code in a CUDA header (the assignment of a float4, an intrinsic) is attributed to the line that uses it.
  void leave_headers(SourceLine& line) const {
    const auto is_of_cuda = [this](const SourceLine& l) {
      return program_.files[l.file].find("/gpusim/include/") != std::string::npos;
    };
    while (line.call && is_of_cuda(line)) line = program_.inlined_calls[line.call - 1];
  }

  void statement() {
    bool is_extern = false;
    while (in_.at(".visible") || in_.at(".weak") || in_.at(".common") || in_.at(".extern"))
      is_extern |= in_.next().is(".extern");
    const Token& t = in_.peek();
    if (in_.accept(".version") || in_.accept(".address_size")) {
      in_.word("a version");
    } else if (in_.accept(".target")) {
      do in_.word("a target");
      while (in_.accept(","));
    } else if (in_.accept(".file")) {
      file();
    } else if (in_.at(".section")) {
      in_.skip_block();
    } else if (in_.at(".pragma") || in_.at(".alias")) {
      in_.skip_statement();
    } else if (in_.accept(".entry")) {
      function(true);
    } else if (in_.accept(".func")) {
      function(false);
    } else if (t.kind == Token::word && t.text.starts_with('.') && space_named(t.text.substr(1))) {
      const Space space = *space_named(in_.next().text.substr(1));
      const u32 index = read_variable(in_, program_, space, is_extern);
      symbols_.variables[program_.variables[index].name] = index;
    } else {
      in_.fail("expected a directive instead of '" + std::string(t.text) + "'");
    }
  }

  void file() {
    const u64 index = in_.integer_up_to(65534, "file number");
    if (in_.peek().kind != Token::string) in_.fail("expected a file name in quotes");
    if (program_.files.size() <= index) program_.files.resize(index + 1);
    program_.files[index] = unescaped(in_.next().text);
    while (in_.accept(",")) in_.integer();  // time stamp, size
  }

  void function(bool is_kernel) {
    Function f;
    f.is_kernel = is_kernel;
    f.ptx_line = in_.peek().line;
    if (in_.at("(")) f.results = parameters(f);
    const std::string_view name = in_.word("a function's name");
    f.name = std::string(name);
    if (in_.at("(")) f.params = parameters(f);
    attributes(f);
    const auto known = symbols_.functions.find(name);
    const u32 index = known == symbols_.functions.end() ? u32(program_.functions.size()) : known->second;
    if (known == symbols_.functions.end()) {
      program_.functions.emplace_back();
      symbols_.functions[f.name] = index;
    } else if (program_.functions[index].end != 0 && in_.at("{")) {
      in_.fail("function " + f.name + " is defined twice");
    }
    if (in_.at("{")) {
      program_.functions[index].name = f.name;  // a recursive call finds it
      program_.functions[index].is_kernel = is_kernel;
      parse_body(in_, program_, symbols_, f);
      program_.functions[index] = std::move(f);
    } else {
      in_.expect(";");
      if (program_.functions[index].end == 0) program_.functions[index] = std::move(f);
    }
  }

  // Kernel parameters: one copy, packed as the host packs them. Function parameters: one per lane.
  std::vector<ParamVar> parameters(Function& f) {
    std::vector<ParamVar> vars;
    in_.expect("(");
    while (!in_.accept(")")) {
      in_.expect(".param");
      const Declaration d = read_declaration(in_);
      want_alignment_up_to_4096(in_, d);
      ParamVar p;
      p.name = std::string(d.name);
      p.size = u32(d.size);
      if (d.size > 32768) in_.fail("parameter " + p.name + " is larger than 32768 bytes");
      if (f.frame_bytes > kLargestParameters)
        in_.fail("the parameters of " + f.name + " are larger than 32768 bytes");
      f.frame_bytes = u32(align_up(f.frame_bytes, f.is_kernel ? d.align : 64));
      p.frame = f.frame_bytes;
      p.stride = f.is_kernel ? 0 : p.size;
      f.frame_bytes += f.is_kernel ? p.size : p.size * kWarpSize;
      vars.push_back(std::move(p));
      if (!in_.at(")")) in_.expect(",");
    }
    return vars;
  }

  void attributes(Function& f) {
    while (in_.peek().kind == Token::word && in_.peek().text.starts_with('.')) {
      const std::string_view name = in_.next().text;
      if (name == ".noreturn") continue;
      u64 product = 1;
      do product *= in_.integer_up_to(1u << 20, "launch bound");
      while (in_.accept(","));
      if (name == ".maxntid" || name == ".reqntid") {
        f.max_threads = u32(std::clamp<u64>(product, 1, 1024));
        f.bounds_threads = true;
      } else if (name == ".minnctapersm") f.min_blocks = u32(std::min<u64>(product, 32));
      else if (name == ".maxnreg") f.max_registers = u32(std::clamp<u64>(product, 16, 255));
      else if (name != ".maxnctapersm") in_.fail("unknown directive '" + std::string(name) + "'");
    }
  }

  // Adds functions whose addresses occur in initial values, such as virtual tables. Those taken in code are there already.
  void find_taken_addresses() {
    std::vector<u32>& taken = program_.address_taken;
    for (const Variable& v : program_.variables)
      for (const Variable::Pointer& p : v.pointers)
        if (const auto f = symbols_.functions.find(p.symbol); f != symbols_.functions.end())
          taken.push_back(f->second);
    std::erase_if(taken, [&](u32 f) { return program_.functions[f].is_kernel; });
    std::ranges::sort(taken);
    taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  }
  // A call that cannot be made is a problem of the function that makes it.
  void resolve_calls() {
    for (Function& f : program_.functions)
      for (u32 pc = f.begin; pc < f.end; ++pc) {
        if (program_.code[pc].shape != Shape::call) continue;
        const std::string wrong = resolve(program_.calls[program_.code[pc].target]);
        if (!wrong.empty()) f.problems.push_back({program_.lines[pc], f.ptx_line, wrong});
      }
  }
  // Finds the function that is called. What is wrong with the call, or nothing.
  std::string resolve(CallSite& call) {
    if (call.by_address) return "";
    const auto f = symbols_.functions.find(call.callee);
    if (f == symbols_.functions.end()) return "call of '" + call.callee + "', which is not declared";
    const Function& callee = program_.functions[f->second];
    if (callee.is_kernel) return "call of kernel '" + call.callee + "'";
    if (!call.fits(callee)) return "call of '" + call.callee + "' with other parameters than it has";
    if (callee.end > callee.begin) call.function = s32(f->second);
    return "";
  }

  std::vector<Token> tokens_;
  Cursor in_;
  Program program_;
  ModuleSymbols symbols_;
};

}  // namespace

namespace {

// The compiler that simcc names at the end of the text.
std::string compiler_of(std::string_view text) {
  constexpr std::string_view kMark = "\n// simcc: compiled by ";
  const std::size_t at = text.rfind(kMark);
  if (at == text.npos) return "";
  const std::string_view rest = text.substr(at + kMark.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

// The comments of simcc with which the text ends, in order.
std::vector<std::string> notes_of(std::string_view text) {
  constexpr std::string_view kMark = "// simcc: ";
  std::vector<std::string> notes;
  while (text.ends_with('\n')) {
    text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = text.substr(begin);
    if (line.starts_with(kMark)) notes.emplace_back(line.substr(kMark.size()));
    else if (!line.empty()) break;
    text = text.substr(0, begin);
  }
  std::ranges::reverse(notes);
  return notes;
}

}  // namespace

Program parse(std::string_view text) {
  Program program = ModuleParser(text).parse();
  program.compiler = compiler_of(text);
  program.notes = notes_of(text);
  return program;
}

Declaration read_declaration(Cursor& in) {
  Declaration d;
  u32 vector = 1;
  while (in.peek().kind == Token::word && in.peek().text.starts_with('.') && d.type == Type::none) {
    if (is_type(in.peek())) {
      d.type = *type_named(in.next().text.substr(1));
    } else if (in.accept(".align")) {
      d.align = u32(in.integer_up_to(1u << 20, "alignment"));
      if (!std::has_single_bit(d.align))
        in.fail("alignment " + std::to_string(d.align) + " is not a power of two");
    } else if (in.accept(".v2")) {
      vector = 2;
    } else if (in.accept(".v4")) {
      vector = 4;
    } else if (in.accept(".attribute")) {
      in.expect("(");
      while (!in.at_end() && !in.accept(")")) in.next();
    } else {
      in.fail("unknown directive '" + std::string(in.peek().text) + "'");
    }
  }
  if (size_of(d.type) == 0) in.fail("expected a type");
  // Kernel parameters: .ptr .global .align 4
  while (in.accept(".ptr") || in.accept(".global") || in.accept(".const") || in.accept(".shared") ||
         in.accept(".local") || in.at(".align"))
    if (in.accept(".align")) in.integer();
  d.name = in.word("a name");
  d.size = size_of(d.type) * vector;
  d.align = std::max(d.align, u32(d.size));
  if (d.size > kLargestVariable) in.fail("too large");
  while (in.accept("[")) {
    if (in.accept("]")) {
      d.unsized = true;
      d.size = 0;
      break;
    }
    const u64 count = in.integer_up_to(kLargestVariable, "array length");
    in.expect("]");
    if (count != 0 && d.size > kLargestVariable / count)
      in.fail("'" + std::string(d.name) + "' is larger than 2 GiB");
    d.size *= count;
  }
  return d;
}

bool is_float_literal(std::string_view t) {
  if (t.size() > 2 && t[0] == '0' && (t[1] == 'f' || t[1] == 'F' || t[1] == 'd' || t[1] == 'D')) return true;
  return !t.empty() && t[0] >= '0' && t[0] <= '9' && t.find('.') != t.npos;
}

u64 float_bits(std::string_view text, u32 bytes, const Cursor& in) {
  u64 bits = 0;
  if (text.find('.') != text.npos) {  // 1.5
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      in.fail("'" + std::string(text) + "' is not a float");
    return bytes == 4 ? std::bit_cast<u32>(float(value)) : std::bit_cast<u64>(value);
  }
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  const std::size_t digits = text[1] == 'f' || text[1] == 'F' ? 8 : 16;
  if (error != std::errc() || end != text.data() + text.size() || text.size() != 2 + digits)
    in.fail("'" + std::string(text) + "' is not a float: " + text[1] + " takes " + std::to_string(digits) +
            " hexadecimal digits");
  if (text[1] == 'f' || text[1] == 'F')
    return bytes == 8 ? std::bit_cast<u64>(double(std::bit_cast<float>(u32(bits)))) : bits;
  return bytes == 4 ? std::bit_cast<u32>(float(std::bit_cast<double>(bits))) : bits;
}

namespace {

void put(Variable& v, u64& at, u64 value, u32 bytes, const Cursor& in) {
  if (at + bytes > v.size) in.fail("more initial values than '" + v.name + "' has elements");
  std::memcpy(v.init.data() + at, &value, bytes);
  at += bytes;
}

// One initial value, or a braced list of them.
void initial_value(Cursor& in, Variable& v, u64& at, u32 bytes, int depth = 0) {
  if (depth > 8) in.fail("initial values nested deeper than 8 levels");
  if (in.accept("{")) {
    while (!in.accept("}")) {
      initial_value(in, v, at, bytes, depth + 1);
      if (!in.at("}")) in.expect(",");
    }
    return;
  }
  const std::string_view text = in.peek().text;
  const bool number = in.at("-") || (!text.empty() && text[0] >= '0' && text[0] <= '9');
  const bool negative = in.at("-") && is_float_literal(in.peek(1).text);
  if (negative || is_float_literal(text)) {
    if (negative) in.next();
    const u64 sign = negative ? u64(1) << (8 * bytes - 1) : 0;
    return put(v, at, float_bits(in.next().text, bytes, in) ^ sign, bytes, in);
  }
  if (number) {
    const bool below = in.at("-");
    const u64 value = in.integer();
    const bool fits =
        bytes == 8 || value >> (8 * bytes) == 0 || (below && s64(value) >= -(s64(1) << (8 * bytes - 1)));
    if (!fits)
      in.fail("an initial value of '" + v.name + "' does not fit " + std::to_string(8 * bytes) + " bits");
    return put(v, at, value, bytes, in);
  }
  if (bytes != 8) in.fail("the address in '" + v.name + "' needs elements of 64 bits");
  Variable::Pointer p{at, "", 0};
  const bool wrapped = in.accept("generic");
  if (wrapped) in.expect("(");
  p.symbol = std::string(in.word("a value"));
  if (wrapped) in.expect(")");
  if (in.accept("+")) p.addend = s64(in.integer());
  v.pointers.push_back(std::move(p));
  put(v, at, 0, bytes, in);
}

}  // namespace

u32 read_variable(Cursor& in, Program& program, Space space, bool is_extern) {
  if (space == Space::param || space == Space::local)
    in.fail("a variable cannot be declared in this state space here");
  const Declaration d = read_declaration(in);
  Variable v;
  v.ptx_line = in.peek().line;
  v.name = std::string(d.name);
  v.space = space;
  v.align = d.align;
  v.size = d.size;
  if (space != Space::shared) want_alignment_up_to_4096(in, d);
  v.is_extern = is_extern || d.unsized;
  if (space == Space::shared && v.size > 256 * 1024)
    in.fail("shared variable '" + v.name + "' is larger than 256 KiB");
  if (in.accept("=")) {
    if (v.size > kLargestInitialised) in.fail("initialised variable '" + v.name + "' is larger than 256 MiB");
    v.init.resize(v.size);
    u64 at = 0;
    initial_value(in, v, at, size_of(d.type));
  }
  in.expect(";");
  program.variables.push_back(std::move(v));
  return u32(program.variables.size() - 1);
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
