#include "execution/module.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <unordered_set>

#include "analysis/block_independence.h"
#include "analysis/reachable.h"
#include "analysis/straight.h"
#include "execution/builtins.h"
#include "execution/check.h"
#include "ptx/names.h"
#include "ptx/parser.h"

namespace gpusim {
namespace {

// Adds host functions that are called only by address, such as sinf in a table: no call instruction names them.
void add_host_calls(Program& p) {
  for (const u32 index : p.address_taken) {
    Function& f = p.functions[index];
    CallSite site;
    site.callee = f.name;
    site.arguments = f.params;
    site.results = f.results;
    if (f.begin != f.end) continue;
    // A table of {sinf, …} has the host's names, as their declarations are the host's.
    if (!find_host_function(site.callee)) site.callee = "__nv_" + site.callee;
    if (!fits_host_function(site)) continue;
    f.host_call = s32(p.calls.size());
    p.calls.push_back(std::move(site));
  }
}

// The program of a PTX text, with everything that is wrong with its functions. Throws SyntaxError.
Program read_program(std::string_view text) {
  Program p = ptx::parse(text);
  add_host_calls(p);
  for (Function& f : p.functions)
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      if (p.code[pc].shape != Shape::call) continue;
      const CallSite& site = p.calls[p.code[pc].target];
      if (!site.is_host() || fits_host_function(site)) continue;
      const char* why = find_host_function(site.callee) ? "' with other parameters than it has"
                                                        : "', which nothing defines";
      f.problems.push_back({p.lines[pc], f.ptx_line, "call of '" + site.callee + why});
    }
  return p;
}

// A load or store of a parameter by name. Its bytes lie in the frame, so it cannot fail. (The executor handles parameters that
// are misaligned or accessed through a generic address.)
bool moves_parameter(const Function& f, const Instruction& in) {
  if (in.space != Space::param || in.address_bytes != 8 || in.order != MemoryOrder::weak ||
      !is_load_or_store(in.shape))
    return false;
  const auto address = std::ranges::find(f.constants, in.s[0], &Constant::frame);
  if (address == f.constants.end() || address->base != Constant::Base::none || address->bytes != 8)
    return false;
  const u64 first = address->value + u64(in.offset), bytes = size_of(in.type) * in.vector,
            last = first + (kWarpSize - 1) * address->lane_stride;
  return bytes != 0 && (first | address->lane_stride) % bytes == 0 && first <= f.frame_bytes &&
         last <= f.frame_bytes && bytes <= f.frame_bytes - last;
}

void bind(LoadedModule& m) {
  Program& p = m.code;
  m.lane_function.resize(p.code.size());
  m.row_move.resize(p.code.size());
  m.atomic_function.resize(p.code.size());
  for (const CallSite& site : p.calls) {
    m.host_function.push_back(site.is_host() ? find_host_function(site.callee) : nullptr);
    m.host_lanes_function.push_back(
        site.is_host() && fits_host_function(site) ? find_host_lanes_function(site.callee) : nullptr);
    m.acts.push_back(site.is_host() && acts_by_itself(site.callee));
  }
  for (Function& f : p.functions)
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = p.code[pc];
      if (moves_parameter(f, in)) {
        m.lane_function[pc] = bind_lanes(in);
        continue;
      }
      m.row_move[pc] = bind_row(in);
      if (is_atomic(in.shape)) m.atomic_function[pc] = bind_atomic(in);
      else if (computes_lanes(in.shape)) m.lane_function[pc] = bind_lanes(in);
      else continue;
      if (m.atomic_function[pc] || m.lane_function[pc]) continue;
      f.problems.push_back({p.lines[pc], f.ptx_line,
                            std::string("'") + mnemonic(in.op) + "." + name_of(in.dest_type) +
                                (in.dest_type != in.type ? std::string(".") + name_of(in.type) : "") +
                                "' with these modifiers is not simulated; run this on a GPU"});
    }
}

bool place(LoadedModule& m, Memory& memory, std::string* error) {
  Program& p = m.code;
  m.memory = &memory;
  m.first_code_address = memory.reserve_code(u64(p.functions.size()) * LoadedModule::kFunctionBytes);
  for (Variable& v : p.variables) {
    if (v.space == Space::shared || v.is_extern) continue;
    v.address = memory.allocate(
        v.size, v.space == Space::constant ? MemoryKind::constant : MemoryKind::module_variable);
    if (!v.address) {
      *error =
          "variable '" + v.name + "' (" + std::to_string(v.size) + " bytes) does not fit the device's memory";
      return false;
    }
    u8* bytes = memory.resolve(v.address, v.size);
    if (v.size) memory.fill(v.address, v.size, 0);
    if (!v.init.empty()) std::memcpy(bytes, v.init.data(), v.init.size());
    m.placed.push_back({v.name, v.address, std::size_t(v.size)});
  }
  for (const Variable& v : p.variables)
    for (const Variable::Pointer& pointer : v.pointers) {
      const auto target = std::ranges::find(p.variables, pointer.symbol, &Variable::name);
      const auto function = std::ranges::find(p.functions, pointer.symbol, &Function::name);
      if (function != p.functions.end() && function->is_kernel) continue;  // nothing can be done with it
      const bool is_function = function != p.functions.end();
      if (!is_function && (target == p.variables.end() || !target->address)) {
        *error = "variable '" + v.name + "' is initialised with the address of '" + pointer.symbol +
                 "', which this module does not define";
        return false;
      }
      const u64 value = (is_function ? m.address_of(u32(function - p.functions.begin())) : target->address) +
                        u64(pointer.addend);
      if (u8* at = memory.resolve(v.address + pointer.at, sizeof value))
        std::memcpy(at, &value, sizeof value);
    }
  for (Function& f : p.functions)
    for (Constant& c : f.constants) {
      if (c.base == Constant::Base::function) {
        c.value += m.address_of(c.variable);
        c.base = Constant::Base::none;
      }
      if (c.base != Constant::Base::variable) continue;
      const Variable& v = p.variables[c.variable];
      if (!v.address)
        f.problems.push_back(
            {p.lines[f.begin], f.ptx_line,
             "variable '" + v.name + "' is declared extern, but no module loaded with this one defines it"});
      c.value += v.address;
      c.base = Constant::Base::none;
    }
  return true;
}

SharedLayout lay_out_shared(const Program& p, const std::vector<u32>& functions) {
  SharedLayout layout;
  layout.offset.resize(p.variables.size());
  for (const auto& [variable, offset] : place_shared(p, functions)) {
    layout.offset[variable] = offset;
    if (!p.variables[variable].is_extern)  // placed in order: the last static one ends them
      layout.static_bytes = u32(std::min<u64>(offset + p.variables[variable].size, 1u << 30));
  }
  return layout;
}

void describe_kernels(LoadedModule& m) {
  const Program& p = m.code;
  for (u32 index = 0; index < p.functions.size(); ++index) {
    const Function& f = p.functions[index];
    if (!f.is_kernel) continue;
    KernelInfo k;
    k.name = f.name;
    k.pretty_name = kernel_name(f.name);
    k.function = index;
    k.entry_pc = f.begin;
    k.max_threads = f.max_threads;
    const u32 first = f.params.empty() ? 0 : f.params.front().frame;
    for (const ParamVar& v : f.params) {
      k.params.push_back({v.frame - first, v.size});
      k.param_bytes = v.frame - first + v.size;
    }
    const std::vector<u32> functions = reachable_functions(p, index);
    m.shared.push_back(lay_out_shared(p, functions));
    k.static_shared_bytes = m.shared.back().static_bytes;
    for (const u32 g : functions) {
      const Function& called = p.functions[g];
      k.local_bytes += called.local_bytes;
      k.registers = std::max(k.registers, called.registers);
      if (!called.problems.empty() && k.unsupported.empty()) k.unsupported = p.text(called.problems.front());
    }
    m.kernels.push_back(std::move(k));
  }
}

// Finds atomics at GPU scope that order nothing, have one operand, and return a value that their function never reads.
void find_deferrable(LoadedModule& m) {
  const Program& p = m.code;
  m.may_defer.resize(p.code.size());
  for (const Function& f : p.functions) {
    std::unordered_set<FrameOffset> read;
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = p.code[pc];
      read.insert(in.guard);
      read.insert(std::begin(in.s), std::end(in.s));
    }
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = p.code[pc];
      const bool orders = in.order != MemoryOrder::weak && in.order != MemoryOrder::relaxed;
      m.may_defer[pc] = is_atomic(in.shape) && !orders && !in.block_scope && in.s[2] == kNoOperand &&
                        (in.d[0] == kNoOperand || !read.contains(in.d[0]));
    }
  }
}

}  // namespace

LoadedModule::~LoadedModule() {
  if (!memory) return;
  for (const Module::Variable& v : placed) memory->release(v.address);
}

const KernelInfo* LoadedModule::kernel(std::string_view mangled_name) const {
  const auto found = std::ranges::find(kernels, mangled_name, &KernelInfo::name);
  return found == kernels.end() ? nullptr : &*found;
}

const std::vector<FrameBytes>* LoadedModule::unset_registers(const Function& kernel) const {
  auto known = unset_registers_.find(&kernel);
  if (known == unset_registers_.end())
    known = unset_registers_.emplace(&kernel, gpusim::unset_registers(code, kernel)).first;
  return known->second ? &*known->second : nullptr;
}

// Asks the code only for what is certain: a generic access may be global, and an assertion may never fail.
bool LoadedModule::may_run_in_parallel(const KernelInfo& kernel) const {
  const auto known = may_share_out_.find(&kernel);
  if (known != may_share_out_.end()) return known->second;
  const auto depends = [&](const Instruction& in) {
    if (in.shape == Shape::clock) return true;
    if (in.shape == Shape::call) return acts[in.target] && code.calls[in.target].callee != "__assertfail";
    return in.space == Space::global && (is_atomic(in.shape) ? !may_defer[std::size_t(&in - code.code.data())]
                                                             : in.order != MemoryOrder::weak);
  };
  bool may = true;
  for (const u32 f : reachable_functions(code, kernel.function)) {
    const Function& function = code.functions[f];
    may = may && std::none_of(code.code.begin() + function.begin, code.code.begin() + function.end, depends);
  }
  return may_share_out_[&kernel] = may;
}

bool LoadedModule::are_blocks_apart(const LaunchInfo& launch) const {
  const auto [known, is_new] = apart_.try_emplace(launch.kernel);
  Apart& last = known->second;
  const std::span params(launch.params, launch.params ? launch.kernel->param_bytes : 0);
  if (is_new || last.grid != launch.grid || last.block != launch.block ||
      !std::ranges::equal(last.params, params))
    last = {launch.grid, launch.block, {params.begin(), params.end()}, blocks_are_independent(launch)};
  return last.blocks_are_independent;
}

std::optional<u32> LoadedModule::function_at(u64 address) const {
  const u64 at = address - first_code_address;
  const bool is_taken =
      at % kFunctionBytes == 0 && std::ranges::binary_search(code.address_taken, at / kFunctionBytes);
  return is_taken ? std::optional(u32(at / kFunctionBytes)) : std::nullopt;
}

const Module::Variable* LoadedModule::variable(std::string_view name) const {
  const auto found = std::ranges::find(placed, name, &Module::Variable::name);
  return found == placed.end() ? nullptr : &*found;
}

std::vector<Diagnostic> check_ptx(std::string_view text) {
  LoadedModule m;
  try {
    m.code = read_program(text);
  } catch (const ptx::SyntaxError& e) {
    return {{"", e.line, e.reason}};
  }
  bind(m);
  std::vector<Diagnostic> found;
  for (const Function& f : m.code.functions)
    for (const Problem& problem : f.problems)
      found.push_back({m.code.where(problem.at), problem.ptx_line, problem.what});
  for (Diagnostic& limit : check_limits(m.code)) found.push_back(std::move(limit));
  return found;
}

std::unique_ptr<Module> Device::load(std::string_view ptx, std::string* error) {
  auto m = std::make_unique<LoadedModule>();
  try {
    m->code = read_program(ptx);
  } catch (const ptx::SyntaxError& e) {
    *error = e.what();
    return nullptr;
  }
  bind(*m);
  find_deferrable(*m);
  m->branch_sides = BranchSides(m->code.code.size());
  m->straight_run = straight_runs(m->code, m->lane_function);
  if (!place(*m, memory, error)) return nullptr;
  describe_kernels(*m);
  return m;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
