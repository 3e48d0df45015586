// expect: a stream destroyed: cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle
// expect: no stream at all: cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle
// expect: no memory of the host: cudaErrorInvalidValue cudaErrorInvalidValue
// expect: limits: cudaErrorInvalidValue cudaSuccess cudaSuccess
// expect: in a function of a stream: cudaErrorNotPermitted cudaErrorNotPermitted cudaErrorNotPermitted
// expect: in a callback: cudaErrorNotPermitted
// expect: behind them: cudaSuccess
// expect: in a child: cudaErrorInitializationError cudaErrorInitializationError
// expect: the child has ended by itself, the parent goes on: cudaSuccess
// expect-error: gpusim: a copy was given 4 bytes of host memory at 0x10, but the program has no memory there, or less than that
// expect-error: gpusim: a function that a stream calls (cudaLaunchHostFunc, cudaStreamAddCallback) may not call CUDA
// expect-error: gpusim: a child made by fork() cannot use the GPU that its parent has used
// expect-error: gpusim: the host itself reads or writes 0x20000000
// expect-exit: -11
//
// What a host program may not do: each call says so by its error, and by a line where the error alone says little. At the
// end it reads memory of the GPU as if it were its own.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

__global__ void nothing() {}

const char* name(cudaError_t error) { return cudaGetErrorName(error); }
cudaError_t launch(cudaStream_t stream) {
  nothing<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

void handles(int* memory) {
  cudaStream_t stream, none = reinterpret_cast<cudaStream_t>(0x1234);
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  const cudaError_t first = launch(stream), second = cudaMemsetAsync(memory, 0, 4, stream);
  std::printf("a stream destroyed: %s %s %s\n", name(first), name(second),
              name(cudaMemcpyAsync(memory, &memory, 4, cudaMemcpyHostToDevice, stream)));
  cudaGetLastError();
  const cudaError_t third = launch(none);
  std::printf("no stream at all: %s %s\n", name(third), name(cudaMemsetAsync(memory, 0, 4, none)));
  std::printf("no memory of the host: %s %s\n", name(cudaMemcpy(memory, (void*)16, 4, cudaMemcpyHostToDevice)),
              name(cudaMemcpy((void*)16, memory, 4, cudaMemcpyDeviceToHost)));
}

void limits() {
  std::printf("limits: %s", name(cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024 + 1)));
  std::printf(" %s", name(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(-1))));
  std::printf(" %s\n", name(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, size_t(1) << 63)));
}

void called(void* memory) {
  void* more;
  const cudaError_t first = cudaMalloc(&more, 4), second = launch(nullptr);
  std::printf("in a function of a stream: %s %s %s\n", name(first), name(second), name(cudaMemset(memory, 0, 4)));
}
void called_back(cudaStream_t stream, cudaError_t, void*) {
  std::printf("in a callback: %s\n", name(cudaStreamSynchronize(stream)));
}

void functions(int* memory) {
  cudaLaunchHostFunc(nullptr, called, memory);
  cudaStreamAddCallback(nullptr, called_back, memory, 0);
  cudaGetLastError();
  std::printf("behind them: %s\n", name(launch(nullptr)));
}

void children() {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    int* memory;
    const cudaError_t first = cudaMalloc(&memory, 4);
    std::printf("in a child: %s %s\n", name(first), name(launch(nullptr)));
    std::fflush(stdout);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("the child has ended by itself, the parent goes on: %s\n",
              WIFEXITED(status) && WEXITSTATUS(status) == 7 ? name(cudaDeviceSynchronize()) : "no");
}

int main() {
  int* memory;
  cudaMalloc(&memory, 4);
  handles(memory);
  limits();
  functions(memory);
  children();
  std::fflush(stdout);
  return *static_cast<volatile int*>(memory);
}
// SPDX-License-Identifier: MIT
