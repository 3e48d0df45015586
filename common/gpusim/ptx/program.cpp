#include "ptx/program.h"

#include <algorithm>

#include "ptx/paths.h"

namespace gpusim {

const char* name_of(Type t) {
  constexpr const char* names[] = {"",    "pred", "b8",  "b16",   "b32",  "b64",   "u8",
                                   "u16", "u32",  "u64", "s8",    "s16",  "s32",   "s64",
                                   "f32", "f64",  "f16", "f16x2", "bf16", "bf16x2"};
  return names[u8(t)];
}

const char* mnemonic(Op op) {
  constexpr const char* names[] = {
#define OP(name, mnemonic, shape, types, modifiers) mnemonic,
#include "ptx/opcodes.def"
#undef OP
  };
  return names[u16(op)];
}

bool CallSite::fits(const std::vector<ParamVar>& params, const std::vector<ParamVar>& of_results) const {
  const auto same_sizes = [](const std::vector<ParamVar>& a, const std::vector<ParamVar>& b) {
    return std::ranges::equal(a, b, {}, &ParamVar::size, &ParamVar::size);
  };
  return same_sizes(arguments, params) && same_sizes(results, of_results);
}

const Function* Program::function_at(u32 pc) const {
  for (const Function& f : functions)
    if (pc >= f.begin && pc < f.end) return &f;
  return nullptr;
}

std::string Program::where(const SourceLine& at) const {
  if (!at.line || at.file >= files.size() || files[at.file].empty()) return "";
  return shortened(files[at.file]) + ":" + std::to_string(at.line) +
         (at.column ? ":" + std::to_string(at.column) : "");
}

std::string Program::where(u32 pc) const {
  const std::string place = pc < lines.size() ? where(lines[pc]) : "";
  if (!place.empty()) return place;
  const Function* f = function_at(pc);
  return f ? f->name : "unknown place";
}

std::vector<SourceLine> Program::callers(u32 pc) const {
  std::vector<SourceLine> calls;
  if (pc < lines.size())
    for (u32 call = lines[pc].call; call; call = calls.back().call) calls.push_back(inlined_calls[call - 1]);
  return calls;
}

std::string Program::text(const Problem& problem) const {
  const std::string place = where(problem.at);
  return (place.empty() ? "ptx line " + std::to_string(problem.ptx_line) : place) + ": " + problem.what;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
