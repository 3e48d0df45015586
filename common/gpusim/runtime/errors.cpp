#include "runtime/errors.h"

#include <cstdio>
#include <utility>

#include "cuda_runtime_api.h"
#include "runtime/misuse.h"
#include "runtime/refusals.h"

namespace gpusim::runtime {
namespace {

// The error that cudaGetLastError returns. Each host thread has its own.
thread_local cudaError_t last_error = cudaSuccess;

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

cudaError_t refuse(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) return code;
  note_refusal(code, what, Returns::the_error);
  return last_error = code;
}

cudaError_t refuse_launch(cudaError_t code, const std::string& what) {
  note_refusal(code, what, Returns::nothing);
  return last_error = code;
}

void kernel_faulted(const Fault& fault, bool print) {
  std::string quoted = with_source_line(fault.message);
  for (const std::string& call : fault.called_at) quoted += "\n  called at " + with_source_line(call);
  if (print && process().print_faults) tell(quoted);
  if (print) ++process().faults;
  if (print) current().gpu.findings.note_fault(fault.message, quoted);
  if (!device_lost()) current().pending = cudaError_t(fault.code);
}

void library_faulted(FaultCode code, const std::string& text) {
  const Place call = place_of(ApiCall::here());
  kernel_faulted({code, call.line ? call.file + ":" + std::to_string(call.line) + ": " + text : text});
}

cudaError_t synchronise() {
  if (const cudaError_t error = forbid_here()) return error;
  process().has_context = true;
  Context& c = current();
  if (c.pending != cudaSuccess) c.sticky = std::exchange(c.pending, cudaSuccess);
  return refuse(c.sticky);
}

bool device_lost() { return current().pending != cudaSuccess || current().sticky != cudaSuccess; }

void forget_errors() { last_error = current().pending = current().sticky = cudaSuccess; }

void tell(const std::string& message) {
  if (!process().told.insert(message).second) return;
  std::fflush(stdout);  // so that this line comes after what the program has printed
  std::fprintf(stderr, "gpusim: %s\n", message.c_str());
}

}  // namespace gpusim::runtime

using gpusim::DeviceLock;
using namespace gpusim::runtime;

extern "C" {

cudaError_t cudaGetLastError() {
  const DeviceLock lock;
  const cudaError_t last = last_error;
  last_error = current().sticky;
  process().refusals.clear();
  return last;
}

cudaError_t cudaPeekAtLastError() {
  const DeviceLock lock;
  process().refusals.clear();
  return last_error;
}

const char* cudaGetErrorName(cudaError_t code) {
  const ErrorRow* row = find_error(code);
  return row ? row->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t code) {
  const ErrorRow* row = find_error(code);
  return row ? row->text : "unrecognized error code";
}

}  // extern "C"
// SPDX-License-Identifier: MIT
