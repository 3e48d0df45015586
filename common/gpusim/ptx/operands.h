// Operands of instructions, and the declarations that they name: registers, parameters, local and shared variables.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ptx/frame.h"

namespace gpusim::ptx {

class Operands {
 public:
  Operands(Cursor& in, Program& program, const ModuleSymbols& symbols, Function& f)
      : in_(in), program_(program), symbols_(symbols), f_(f), frame_(f) {}

 protected:
  // A block of PTX, { … }: names declared in it end with it.
  struct RegisterRange {
    Type type;
    std::vector<FrameOffset> frames;
  };
  struct Scope {
    u32 number = 0;
    std::unordered_map<std::string_view, Register> registers;
    std::unordered_map<std::string_view, RegisterRange> ranges;  // by prefix: %r<16>
    std::map<std::string, ParamVar, std::less<>> params;
    std::unordered_map<std::string_view, u32> locals;           // offset in the call's local memory
    std::unordered_map<std::string_view, u32> shared;           // index in Program::variables
    std::unordered_map<std::string_view, CallSite> prototypes;  // of calls by address
  };

  // ---- Declarations, from behind the state space to the ';'
  void registers();
  void param_variable();
  void local_variable();
  void shared_variable();

  // ---- What a name means, innermost scope first
  std::optional<Register> find_register(std::string_view name) const;
  const ParamVar* find_param(std::string_view name) const;
  std::optional<u32> find_local(std::string_view name) const;
  std::optional<u32> find_variable(std::string_view name) const;
  bool is_predicate(const Token&) const;

  // ---- Operands: each reads one and returns where its lanes lie. A register must have the size of the type, and not be
  // a float's where an integer is meant, or the other way round.
  FrameOffset dest_register(Type);
  FrameOffset dest_or_nothing(Type);  // '_': kNoOperand
  FrameOffset source(Type);           // register, constant, special register or address of a variable
  FrameOffset predicate();
  FrameOffset carry();                        // the thread's carry flag: a predicate without a name
  FrameOffset literal(u32 bytes, u64 value);  // a number, in every lane
  // May be wider than the type; *bytes, 0 at first, becomes the width that all elements share.
  FrameOffset sized_register(u8* bytes, Type);
  FrameOffset sized_source(Type, u8* bytes);
  // [register], [register+4], [symbol+4], [64]
  void memory_address(Instruction&);
  FrameOffset symbol_address(std::string_view name, u32 bytes);
  FrameOffset address_of(const ParamVar&);
  Register need_register();
  template <class F> u32 vector(FrameOffset* out, u32 most, F element) {
    u32 count = 0;
    in_.expect("{");
    do {
      if (count == most) in_.fail("more than " + std::to_string(most) + " elements");
      out[count] = element(count);
      ++count;
    } while (in_.accept(","));
    in_.expect("}");
    return count;
  }

  static bool is_number(const Token&);
  [[noreturn]] void does_not_fit(const Register&) const;
  Type wider(Type) const;

  Cursor& in_;
  Program& program_;
  const ModuleSymbols& symbols_;
  Function& f_;
  FrameBuilder frame_;
  std::vector<Scope> scopes_;
  std::string_view name_;            // the mnemonic being read: for messages
  Shape shape_{};                    // and its shape
  std::vector<Instruction> before_;  // what must run before it: !%p as a source needs its opposite

 private:
  std::string_view name_in_declaration() const;
  u64 immediate(Type);
  u64 integer_of(u32 bytes);
  FrameOffset opposite(FrameOffset predicate);
  std::optional<Register> carry_;
};

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
