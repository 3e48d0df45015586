#include "runtime/misuse.h"

#include "runtime/host_watch.h"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <utility>

namespace gpusim::runtime {
namespace {

thread_local bool in_host_function = false;
bool is_child = false;

// Runs in a child that fork() has made. It has one thread only, so a lock that another thread held would
// never be freed.
void begin_child() {
  is_child = true;
  new (&process().mutex) ProcessLock;
}

// The handler of SIGSEGV. The functions that it calls are safe in a signal handler.
void explain(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<u64>(info->si_addr);
#if defined(__x86_64__) && defined(__GLIBC__)
  const greg_t* const registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const bool writes = registers[REG_ERR] & 2;  // of the page fault
  if (is_watched_access(address, writes, reinterpret_cast<void*>(registers[REG_RIP]))) return;
#endif
  if (Memory::is_device(address) || Memory::is_constant(address)) {
    char text[200];
    const int length = std::snprintf(
        text, sizeof text,
        "gpusim: the host itself reads or writes 0x%llx, which is memory of a GPU: copy it (cudaMemcpy), or "
        "allocate it for both (cudaMallocManaged)\n",
        static_cast<unsigned long long>(address));
    if (write(STDERR_FILENO, text, std::size_t(length)) < 0) return void(signal(number, SIG_DFL));
  }
  signal(number, SIG_DFL);  // the instruction runs again, and the signal then ends the program
}

}  // namespace

cudaError_t forbid_here() {
  static const int is_watched = pthread_atfork(nullptr, nullptr, begin_child);
  (void)is_watched;
  if (is_child) {
    tell(
        "a child made by fork() cannot use the GPU that its parent has used: fork before the first call of "
        "CUDA, or start a program (exec)");
    return refuse(cudaErrorInitializationError);
  }
  if (in_host_function) {
    tell(
        "a function that a stream calls (cudaLaunchHostFunc, cudaStreamAddCallback) may not call CUDA: the "
        "stream waits for it");
    return refuse(cudaErrorNotPermitted);
  }
  return cudaSuccess;
}

bool handles_segmentation_faults() {
#if defined(__x86_64__) && defined(__GLIBC__)
  struct sigaction now = {};
  return sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == explain;
#else
  return false;  // whether an access reads or writes is not known
#endif
}

bool is_forked() { return is_child; }

InHostFunction::InHostFunction() : before_(std::exchange(in_host_function, true)) {}
InHostFunction::~InHostFunction() { in_host_function = before_; }

void explain_segmentation_faults() {
  struct sigaction now = {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
    return;
  struct sigaction ours = {};
  ours.sa_sigaction = explain;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
