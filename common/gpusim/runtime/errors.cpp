#include "runtime/errors.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cuda_runtime_api.h"
#include "runtime/misuse.h"

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

void tell_unasked() {
  const Process& p = process();
  if (!p.unasked.empty() && p.print_faults) tell(p.unasked + "; nobody asked cudaGetLastError() for it");
}

// Prints the line only if the exit status is 0: a program that ends with an error has reported something
// itself.
void tell_unasked_at_end() {
#if defined(__GLIBC__)
  on_exit(
      [](int status, void*) {
        if (status == 0) tell_unasked();
      },
      nullptr);
#else
  std::atexit(tell_unasked);
#endif
}

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

cudaError_t refuse(cudaError_t code, const std::string& what) {
  static const bool registered = (tell_unasked_at_end(), true);
  (void)registered;
  if (process().unasked.empty()) process().unasked = what + ": " + cudaGetErrorString(code);
  return refuse(code);
}

void kernel_faulted(const Fault& fault, bool print) {
  std::string quoted = with_source_line(fault.message);
  for (const std::string& call : fault.called_at) quoted += "\n  called at " + with_source_line(call);
  if (print && process().print_faults) tell(quoted);
  if (print) current().gpu.findings.note_fault(fault.message, quoted);
  if (!device_lost()) current().pending = cudaError_t(fault.code);
}

cudaError_t synchronise() {
  if (const cudaError_t error = forbid_here()) return error;
  Context& c = current();
  if (c.pending != cudaSuccess) c.sticky = std::exchange(c.pending, cudaSuccess);
  return refuse(c.sticky);
}

bool device_lost() { return current().pending != cudaSuccess || current().sticky != cudaSuccess; }

void forget_errors() {
  last_error = current().pending = current().sticky = cudaSuccess;
  process().unasked.clear();
}

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
  process().unasked.clear();
  return last;
}

cudaError_t cudaPeekAtLastError() {
  const DeviceLock lock;
  process().unasked.clear();
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
