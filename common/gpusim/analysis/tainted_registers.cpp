#include "analysis/tainted_registers.h"

#include "ptx/parameter_bytes.h"

namespace gpusim {

const char* words_for(DataSource s) {
  switch (s) {
    case DataSource::nothing: break;
    case DataSource::memory: return "memory";
    case DataSource::atomic: return "the result of an atomic";
    case DataSource::clock: return "a clock";
    case DataSource::processor: return "where on the GPU it runs (%smid, %warpid …)";
    case DataSource::active_lanes: return "which lanes happen to run together (__activemask())";
    case DataSource::call: return "a function that is called";
    case DataSource::no_value: return "a variable that may have no value yet";
  }
  return "nothing";
}

DataSource source_of(Special s) {
  switch (s) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
    case Special::dynamic_smem_size:
    case Special::total_smem_size: return DataSource::nothing;
    case Special::warpid:
    case Special::nwarpid:
    case Special::smid:
    case Special::nsmid:
    case Special::gridid: return DataSource::processor;
    case Special::clock:
    case Special::clock_hi:
    case Special::clock64:
    case Special::globaltimer: return DataSource::clock;
  }
  return DataSource::processor;
}

// The first cause that is found for a register stays: that it has no value comes before all others.
TaintedRegisters::TaintedRegisters(const Program& program, const Function& f,
                                   const DefiniteAssignment& assignment)
    : function_(f) {
  for (u32 pc = f.begin; pc < f.end; ++pc) passes_parameters_ |= program.code[pc].shape == Shape::call;
  for (const DefiniteAssignment::Read& read : assignment.reads_without_value())
    taint(read.reg, DataSource::no_value);
  for (const SpecialValue& s : f.specials) taint(s.frame, source_of(s.which));
  do {
    changed_ = false;
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      DataSource made = result_of(in);
      if (made == DataSource::nothing) made = source(in.guard);
      if (made == DataSource::nothing) continue;
      for (const FrameOffset d : in.d)
        if (d != kNoOperand) taint(d, made);
    }
  } while (changed_);
}

DataSource TaintedRegisters::source(FrameOffset reg) const {
  if (reg == kNoOperand) return DataSource::nothing;
  const auto known = depends_.find(reg);
  return known == depends_.end() ? DataSource::nothing : known->second;
}

void TaintedRegisters::taint(FrameOffset reg, DataSource s) {
  if (s != DataSource::nothing) changed_ |= depends_.emplace(reg, s).second;
}

DataSource TaintedRegisters::any_of(std::span<const FrameOffset> registers) const {
  for (const FrameOffset reg : registers)
    if (const DataSource s = source(reg); s != DataSource::nothing) return s;
  return DataSource::nothing;
}

// What the result of an instruction depends on.
DataSource TaintedRegisters::result_of(const Instruction& in) const {
  switch (in.shape) {
    case Shape::load: return loaded(in);
    case Shape::atomic: return DataSource::atomic;
    case Shape::mbarrier:
    case Shape::matrix_load: return DataSource::memory;
    case Shape::call: return DataSource::call;
    case Shape::activemask: return DataSource::active_lanes;
    case Shape::clock: return DataSource::clock;
#define LANE_SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
    case Shape::matrix_multiply:
    case Shape::shuffle:
    case Shape::vote:
    case Shape::match:
    case Shape::redux:
    case Shape::barrier_red: return any_of(in.s);
    // These give nothing.
    case Shape::branch:
    case Shape::branch_table:
    case Shape::leave:
    case Shape::store:
    case Shape::reduction:
    case Shape::async_copy:
    case Shape::async_group:
    case Shape::fence:
    case Shape::hint:
    case Shape::warp_barrier:
    case Shape::barrier:
    case Shape::barrier_arrive:
    case Shape::sleep: return DataSource::nothing;
  }
  return DataSource::memory;
}

// A kernel's arguments are the same for all launches that a proof is about. Those of another function are not
// followed from call to call, and neither is what a call gives back, which is read from a parameter as well.
DataSource TaintedRegisters::loaded(const Instruction& in) const {
  if (in.space != Space::param) return DataSource::memory;
  if (!function_.is_kernel) return DataSource::call;
  if (loaded_parameter(function_, in, u64(size_of(in.type)) * in.vector)) return DataSource::nothing;
  return passes_parameters_ ? DataSource::call : source(in.s[0]);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
