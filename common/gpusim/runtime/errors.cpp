#include "runtime/errors.h"

#include <cstdio>
#include <set>

#include "cuda_runtime_api.h"
#include "gpusim/report.h"
#include "observers/findings.h"

namespace gpusim::runtime {
namespace {

struct State {
  cudaError_t pending = cudaSuccess;  // a fault that no call has seen yet
  cudaError_t sticky = cudaSuccess;   // a fault that has been seen
  std::set<std::string> told;
  bool print_faults = true;
};

// What cudaGetLastError gives: each host thread has its own.
thread_local cudaError_t last_error = cudaSuccess;

// Not destroyed: destructors of a program may still call the API.
State& state() {
  static State& state = *new State;
  return state;
}

struct ErrorRow {
  cudaError_t code;
  const char* name;
  const char* text;
};
constexpr ErrorRow kErrors[] = {
#define CUDA_ERROR(name, code, text) {name, #name, text},
#include "gpusim/detail/errors.def"
#undef CUDA_ERROR
};

const ErrorRow* find_error(cudaError_t code) {
  for (const ErrorRow& row : kErrors)
    if (row.code == code) return &row;
  return nullptr;
}

}  // namespace

cudaError_t refuse(cudaError_t code) {
  if (code != cudaSuccess) last_error = code;
  return code;
}

void kernel_faulted(const Fault& fault) {
  std::string quoted = with_source_line(fault.message);
  for (const std::string& call : fault.called_at) quoted += "\n  called at " + with_source_line(call);
  if (state().print_faults) tell(quoted);
  note_fault(fault.message, quoted);
  if (!device_lost()) state().pending = cudaError_t(fault.code);
}

cudaError_t synchronise() {
  State& s = state();
  if (s.pending != cudaSuccess) {
    s.sticky = s.pending;
    s.pending = cudaSuccess;
  }
  return refuse(s.sticky);
}

bool device_lost() { return state().pending != cudaSuccess || state().sticky != cudaSuccess; }

void forget_errors() { last_error = state().pending = state().sticky = cudaSuccess; }

void tell(const std::string& message) {
  if (!state().told.insert(message).second) return;
  std::fflush(stdout);  // keeps the order of what the program printed and of this line
  std::fprintf(stderr, "gpusim: %s\n", message.c_str());
}

}  // namespace gpusim::runtime

void gpusim::print_faults(bool on) {
  const DeviceLock lock;
  runtime::state().print_faults = on;
}

using gpusim::DeviceLock;
using namespace gpusim::runtime;

extern "C" {

cudaError_t cudaGetLastError() {
  const DeviceLock lock;
  const cudaError_t last = last_error;
  last_error = state().sticky;
  return last;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

const char* cudaGetErrorName(cudaError_t code) {
  const ErrorRow* row = find_error(code);
  return row ? row->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t code) {
  const ErrorRow* row = find_error(code);
  return row ? row->text : "unrecognized error code";
}

}  // extern "C"
