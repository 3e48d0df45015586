// Operands of branches and calls: labels, functions, their parameters.
#include <string>
#include <utility>

#include "ptx/mnemonic.h"
#include "ptx/shape_operands.h"

namespace gpusim::ptx {

void ShapeOperands::branch() { branches_.push_back(use_of_label(here(), in_.word("a label"))); }
void ShapeOperands::branch_table(Instruction& i) {
  i.s[0] = source(Type::u32);
  in_.expect(",");
  table_uses_.push_back(use_of_label(here(), in_.word("a branch table")));
}
void ShapeOperands::call(Instruction& i) {
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
std::vector<ParamVar> ShapeOperands::param_list() {
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
CallSite ShapeOperands::prototype() {
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
std::vector<ParamVar> ShapeOperands::prototype_list() {
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
void ShapeOperands::check_prototype(const CallSite& site, std::string_view name) const {
  const CallSite* known = nullptr;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend() && !known; ++scope)
    if (const auto p = scope->prototypes.find(name); p != scope->prototypes.end()) known = &p->second;
  if (!known) in_.fail("call prototype '" + std::string(name) + "' is not declared");
  if (!site.fits(known->arguments, known->results))
    in_.fail("a call with other parameters than its prototype '" + std::string(name) + "' has");
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
