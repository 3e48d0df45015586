// What the parser of PTX takes, and what it says of what it does not take, by line. (ptx_errors/, ptxcheck/ and
// instruction_forms.py ask as a program does.)
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/parser.h"
#include "ptx/program.h"

using namespace gpusim;

namespace {

// What the parser says: of the text, or else of its functions, one in a line.
std::string said(const std::string& text) {
  try {
    const Program program = ptx::parse(text);
    std::string problems;
    for (const Function& f : program.functions)
      for (const Problem& p : f.problems) problems += (problems.empty() ? "" : "\n") + program.text(p);
    return problems;
  } catch (const ptx::SyntaxError& e) {
    return e.what();
  }
}
// A statement on line 2 of a kernel, whose registers are %r1 to %r9, %rd1 to %rd9, %p1, %f1, %h1.
std::string said_of(const std::string& statement) {
  return said(
      ".visible .entry k(.param .u64 a) { .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .pred %p<2>; .reg .f32 %f<2>; "
      ".reg .b16 %h<2>;\n" +
      statement + "\nret;\n}\n");
}
const Variable& variable(const Program& program, std::string_view name) {
  for (const Variable& v : program.variables)
    if (v.name == name) return v;
  FAIL("no variable " << name);
  return program.variables.front();
}
template <class T> std::vector<T> initial(const Variable& v) {
  std::vector<T> values(v.init.size() / sizeof(T));
  std::memcpy(values.data(), v.init.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

TEST_CASE("comments and strings may hold anything; what does not end is said where it begins or stops") {
  CHECK(said("/* a\n b */ .version 7.0 // .entry\n/**/") == "");
  CHECK(said("\n/* without\nend") == "ptx line 3: comment without end");
  CHECK(said(".file 1 \"a.cu") == "ptx line 1: string without end");
  CHECK(said(".file 1 \"a\n.cu\"") == "ptx line 1: string without end");
  CHECK(said("\n#") == "ptx line 2: unexpected character '#'");
  CHECK(said("\x01") == "ptx line 1: unexpected character '\\1'");
  CHECK(said("\xc3") == "ptx line 1: unexpected character '\\195'");
  const Program program = ptx::parse(".file 1 \"a\\\"b\\\\\\303\\244\\8\", 12, 34\n");
  REQUIRE(program.files.size() == 2);
  CHECK(program.files[1] ==
        "a\"b\\\xc3\xa4"
        "8");
}

TEST_CASE("a file is a list of directives") {
  CHECK(
      said(
          ".version 7.0 .target sm_80, debug .address_size 64 .pragma \"nounroll\"; .section .debug { .b8 1; { } }") ==
      "");
  CHECK(said("add.u32") == "ptx line 1: expected a directive instead of 'add.u32'");
  CHECK(said(".version") == "ptx line 1: expected a version instead of the end of the text");
  CHECK(said(".target ;") == "ptx line 1: expected a target instead of ';'");
  CHECK(said(".file 1 a.cu") == "ptx line 1: expected a file name in quotes");
  CHECK(said(".file 65535 \"a.cu\"") == "ptx line 1: file number 65535 is more than 65534");
  CHECK(said(".file 0x \"a.cu\"") == "ptx line 1: '0x' is not a 64-bit integer");
  CHECK(said(".file 18446744073709551616 \"a.cu\"") ==
        "ptx line 1: '18446744073709551616' is not a 64-bit integer");
  CHECK(said(".visible .entry k();") == "ptx line 1: kernel k has no body");
  CHECK(said(".func f() { ret; }\n.func f() { ret; }") == "ptx line 2: function f is defined twice");
  CHECK(said(".func f();\n.func f() { ret; }\n.func f();") == "");
  CHECK(said(".entry k { ret;") == "ptx line 1: function k has no end");
  CHECK(said(".entry 7.0") != "");
}

TEST_CASE("functions say how they are to be launched") {
  const Program program = ptx::parse(
      ".entry a .maxntid 8, 4, 2 .minnctapersm 2 { ret; } .entry b .reqntid 4096 { ret; } .entry c .maxnreg 32 { ret; }\n"
      ".func f() .noreturn { ret; }");
  CHECK(program.functions[0].max_threads == 64);
  CHECK(program.functions[1].max_threads == 1024);
  CHECK(program.functions[2].max_threads == 1024);
  CHECK(said(".entry k .maxclusterrank 4 { ret; }") == "ptx line 1: unknown directive '.maxclusterrank'");
  CHECK(said(".entry k .maxntid 2000000 { ret; }") ==
        "ptx line 1: launch bound 2000000 is more than 1048576");
}

TEST_CASE("a declaration has a type, an alignment and a size that fits") {
  const Program program = ptx::parse(
      ".global .align 16 .v4 .f32 a[3][2]; .const .v2 .u16 b; .extern .shared .align 8 .b8 c[]; "
      ".global .attribute(.managed) .s32 d = -5;\n.visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u8 q) { ret; }");
  CHECK(variable(program, "a").size == 96);
  CHECK(variable(program, "a").align == 16);
  CHECK(variable(program, "b").size == 4);
  CHECK(variable(program, "c").is_extern);
  CHECK(variable(program, "c").size == 0);
  CHECK(initial<s32>(variable(program, "d")) == std::vector{-5});
  REQUIRE(program.functions[0].params.size() == 2);
  CHECK(program.functions[0].params[1].size == 1);
  CHECK(said(".global .align 3 .u32 a;") == "ptx line 1: alignment 3 is not a power of two");
  CHECK(said(".global .align 8192 .u32 a;") == "ptx line 1: alignment 8192 is more than 4096");
  CHECK(said(".global .big .u32 a;") == "ptx line 1: unknown directive '.big'");
  CHECK(said(".global a;") == "ptx line 1: expected a type");
  CHECK(said(".global .pred a;") == "ptx line 1: expected a type");
  CHECK(said(".global .u32 a[1073741824];") == "ptx line 1: 'a' is larger than 2 GiB");
  CHECK(said(".global .u32 a[4") == "ptx line 1: expected ']' instead of the end of the text");
  CHECK(said(".global .u32 ;") == "ptx line 1: expected a name instead of ';'");
  CHECK(said(".shared .u8 a[300000];") == "ptx line 1: shared variable 'a' is larger than 256 KiB");
  CHECK(said(".local .u32 a;") == "ptx line 1: a variable cannot be declared in this state space here");
  CHECK(said(".param .u32 a;") == "ptx line 1: a variable cannot be declared in this state space here");
  CHECK(said(".entry k(.param .b8 p[40000]) { ret; }") ==
        "ptx line 1: parameter p is larger than 32768 bytes");
  CHECK(said(".entry k(.reg .u32 p) { ret; }") == "ptx line 1: expected '.param' instead of '.reg'");
  std::string many = ".entry k(";
  for (int i = 0; i < 40; ++i)
    many += (i ? ", .param .b8 p" : ".param .b8 p") + std::to_string(i) + "[32768]";
  CHECK(said(many + ") { ret; }") == "ptx line 1: the parameters of k are larger than 32768 bytes");
}

TEST_CASE("variables begin with numbers of all kinds, or with addresses") {
  const Program program = ptx::parse(
      ".global .u32 bases[6] = {10, 0x1F, 0X1f, 017, 0b101, 12U};\n"
      ".global .f32 floats[4] = {1.5, 0f40000000, 0d4008000000000000, -2.5};\n"
      ".global .f64 doubles[3] = {0.25, 0f40000000, -0d3FF0000000000000};\n"
      ".global .s8 bytes[2][2] = {{-128, 127}, {255}};\n"
      ".global .u64 pointers[3] = {bases, generic(floats)+8, 7};\n");
  CHECK(initial<u32>(variable(program, "bases")) == std::vector<u32>{10, 31, 31, 15, 5, 12});
  CHECK(initial<float>(variable(program, "floats")) == std::vector<float>{1.5f, 2, 3, -2.5f});
  CHECK(initial<double>(variable(program, "doubles")) == std::vector<double>{0.25, 2, -1});
  CHECK(initial<s8>(variable(program, "bytes")) == std::vector<s8>{-128, 127, -1, 0});
  const Variable& pointers = variable(program, "pointers");
  REQUIRE(pointers.pointers.size() == 2);
  CHECK(pointers.pointers[0].symbol == "bases");
  CHECK(pointers.pointers[1].symbol == "floats");
  CHECK(pointers.pointers[1].at == 8);
  CHECK(pointers.pointers[1].addend == 8);
  CHECK(initial<u64>(pointers)[2] == 7);

  CHECK(said(".global .u32 a = {1, 2};") == "ptx line 1: more initial values than 'a' has elements");
  CHECK(said(".global .u8 a = 256;") == "ptx line 1: an initial value of 'a' does not fit 8 bits");
  CHECK(said(".global .s8 a = -129;") == "ptx line 1: an initial value of 'a' does not fit 8 bits");
  CHECK(said(".global .u32 b; .global .u32 a = b;") ==
        "ptx line 1: the address in 'a' needs elements of 64 bits");
  CHECK(said(".global .f32 a = 1.5x;") == "ptx line 1: '1.5x' is not a float");
  CHECK(said(".global .f32 a = 0f123;") ==
        "ptx line 1: '0f123' is not a float: f takes 8 hexadecimal digits");
  CHECK(said(".global .f64 a = 0d12345678;") ==
        "ptx line 1: '0d12345678' is not a float: d takes 16 hexadecimal digits");
  CHECK(said(".global .u32 a[2] = {1 2};") == "ptx line 1: expected ',' instead of '2'");
  CHECK(said(".global .u32 a = {{{{{{{{{{1}}}}}}}}}};") ==
        "ptx line 1: initial values nested deeper than 8 levels");
  CHECK(said(".global .b8 a[300000000] = 1;") ==
        "ptx line 1: initialised variable 'a' is larger than 256 MiB");
}

TEST_CASE("a statement that is wrong is told with its line, and those behind it are read") {
  CHECK(said_of("") == "");
  CHECK(said_of(".loc 1 2 3, elsewhere 4") == "ptx line 2: unknown 'elsewhere' in .loc");
  CHECK(said_of(".loc 1 2 3, inlined_at") == "ptx line 3: 'ret' is not a 64-bit integer");
  CHECK(said_of("here: here: ret;") == "ptx line 2: label 'here' stands twice");
  CHECK(said_of("@%p1 7;").find("ptx line 2: ") == 0);
  CHECK(said_of("@%q bra away;").find("ptx line 2: ") == 0);
  CHECK(said_of("frobnicate.u32 %r1, 1;") == "ptx line 2: 'frobnicate.u32' is no PTX instruction");
  CHECK(said_of("lop3.b32 %r1, %r2, %r3, %r4, %r5;") ==
        "ptx line 2: the table of 'lop3.b32' must be a number");
  CHECK(said_of("setp.eq.u32 _|_, %r1, %r2;") == "ptx line 2: '_|_' leaves no result");
  CHECK(said_of("mov.b64 %rd1, {%r1, _};") == "ptx line 2: '_' is not a source");
  CHECK(said_of("mov.b32 %r1, {1, 65536};") == "ptx line 2: 65536 does not fit a part of 'mov.b32'");
  CHECK(said_of("mov.b32 %r1, {1, -32769};") == "ptx line 2: -32769 does not fit a part of 'mov.b32'");
  CHECK(said_of("mov.b32 %r1, {1, -32768};") == "");
  CHECK(said_of("bra away;") == "ptx line 2: label 'away' is not declared");
  CHECK(said_of("call %rd1, p;") == "ptx line 2: call prototype 'p' is not declared");
  CHECK(said_of("p: .callprototype _ (.param .b32 _);\ncall %rd1, p;") ==
        "ptx line 3: a call with other parameters than its prototype 'p' has");
  CHECK(said_of("p: .callprototype _;\ncall %rd1, p;") == "");
  CHECK(said_of("p: .callprototype _ .always;") ==
        "ptx line 2: unknown directive '.always' in .callprototype");
  CHECK(said_of("call %r1, p;") == "ptx line 2: a register of type .b32 does not fit 'call'");
  CHECK(said_of("mov.u64 %rd1, k;") ==
        "ptx line 2: the address of kernel 'k' is not simulated; run this on a GPU");
  CHECK(said_of("call f, (%r1);") ==
        "ptx line 2: a call with the register '%r1' as its parameter is not simulated; run this on a GPU");
  CHECK(said_of("call nobody;") == "ptx line 1: call of 'nobody', which is not declared");
  CHECK(said_of("call k;").find("call of kernel 'k'") != std::string::npos);
  CHECK(said_of(".reg .b32;") == "ptx line 2: expected a register name instead of ';'");
  CHECK(said_of("nonsense nonsense; also wrong;").find("\n") != std::string::npos);
  const std::string deep = std::string(70, '{') + std::string(70, '}');
  CHECK(said_of(deep).find("ptx line 2: blocks nested deeper than 64 levels") != std::string::npos);
  std::string mistakes;
  for (int i = 0; i < 150; ++i) mistakes += "wrong.u32 %r1;\n";
  const std::string many = said_of(mistakes);
  CHECK(std::count(many.begin(), many.end(), '\n') + 1 == 100);  // the rest would follow from them
}

TEST_CASE("calls fit what they call") {
  const auto call = [](const std::string& arguments, const std::string& results = "") {
    return said(
        ".func (.param .b32 result) f(.param .b32 x);\n.visible .entry k() {\n.param .b32 a; .param .b64 wide; .param .b32 r;\ncall " +
        (results.empty() ? "" : "(" + results + "), ") + "f" +
        (arguments.empty() ? "" : ", (" + arguments + ")") + ";\nret;\n}\n");
  };
  CHECK(call("a", "r") == "");
  const std::string others = "call of 'f' with other parameters than it has";
  CHECK(call("wide", "r").find(others) != std::string::npos);
  CHECK(call("a, a", "r").find(others) != std::string::npos);
  CHECK(call("a").find(others) != std::string::npos);
  CHECK(call("", "r").find(others) != std::string::npos);
  CHECK(call("a r", "r").find("expected ',' instead of 'r'") != std::string::npos);
}

TEST_CASE("lines of the source are those of the files that are there") {
  const Program program = ptx::parse(
      ".file 1 \"a.cu\"\n.visible .entry k() {\n.loc 1 10 3\nret;\n.loc 7 20 1\nret;\n"
      ".loc 1 30 5, function_name $L_name+4, inlined_at 1 10 3\nret;\n.loc 1 0 0\nret;\n}\n");
  REQUIRE(program.lines.size() >= 4);
  CHECK(program.where(u32(0)) == "a.cu:10:3");
  CHECK(program.where(u32(1)) == "k");  // no file 7
  CHECK(program.where(u32(2)) == "a.cu:30:5");
  CHECK(program.where(u32(3)) == "a.cu:30:5");  // line 0: as before
  REQUIRE(program.callers(2).size() == 1);
  CHECK(program.callers(2)[0].line == 10);
  CHECK(program.where(u32(999)) == "unknown place");
  CHECK(program.callers(999).empty());
}

TEST_CASE("an instruction is a lane's own affair unless it moves lanes, memory or time") {
  const auto is_of_executor = [](std::string_view name) {
    if (name == "mbarrier.pending_count") return false;  // of a number, in no memory
    for (const std::string_view family :
         {"activemask", "atom.",  "bar.", "barrier.", "bra",       "brkpt",  "brx.", "call",      "cp.",
          "exit",       "fence",  "ld",   "match.",   "mbarrier.", "membar", "mma.", "nanosleep", "prefetch",
          "red.",       "redux.", "ret",  "shfl.",    "st",        "trap",   "vote."})
      if (name.starts_with(family)) return true;
    return false;
  };
  int count = 0;
#define OP(name, mnemonic, shape, types, modifiers)                                  \
  CHECK_MESSAGE(computes_lanes(Shape::shape) != is_of_executor(mnemonic), mnemonic); \
  ++count;
#include "ptx/opcodes.def"
#undef OP
  CHECK(count > 100);
  CHECK(!computes_lanes(Shape::clock));  // a mov that is read afresh each time
}
// SPDX-License-Identifier: MIT
