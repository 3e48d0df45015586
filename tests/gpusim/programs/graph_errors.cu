// expect: wait for a stream that is captured: cudaErrorStreamCaptureUnsupported, then cudaErrorStreamCaptureInvalidated
// expect: wait for the device: cudaErrorStreamCaptureUnsupported, then cudaErrorStreamCaptureInvalidated
// expect: cudaMalloc: cudaErrorStreamCaptureUnsupported, then cudaErrorStreamCaptureInvalidated
// expect: cudaMalloc in a relaxed capture: cudaSuccess, then cudaSuccess
// expect: the default stream: cudaErrorStreamCaptureImplicit, then cudaErrorStreamCaptureInvalidated
// expect: the default stream beside one that does not block it: cudaSuccess, then cudaSuccess
// expect: a stream that does not join: cudaErrorStreamCaptureUnjoined
// expect: to end in the other stream: cudaErrorStreamCaptureUnmatched
// expect: capture of the default stream: cudaErrorStreamCaptureUnsupported
// expect: an event of outside: cudaErrorStreamCaptureIsolation
// expect: no error is left: cudaSuccess
//
// What a capture does not allow.
#include <cstdio>

__global__ void nothing() {}

template <class Call>
void try_in(const char* what, unsigned flags, cudaStreamCaptureMode mode, Call call) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, flags);
  cudaStreamBeginCapture(stream, mode);
  nothing<<<1, 1, 0, stream>>>();
  const cudaError_t error = call(stream);
  cudaGraph_t graph;
  const cudaError_t end = cudaStreamEndCapture(stream, &graph);
  std::printf("%s: %s, then %s\n", what, cudaGetErrorName(error), cudaGetErrorName(end));
  if (end == cudaSuccess) cudaGraphDestroy(graph);
  cudaGetLastError();
  cudaStreamDestroy(stream);
}

int main() {
  nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
  constexpr auto global = cudaStreamCaptureModeGlobal;
  const auto allocate = [](cudaStream_t) {
    void* memory;
    const cudaError_t error = cudaMalloc(&memory, 64);
    return error;
  };
  const auto launch = [](cudaStream_t) {
    nothing<<<1, 1>>>();
    return cudaGetLastError();
  };
  try_in("wait for a stream that is captured", 0, global, [](cudaStream_t s) { return cudaStreamSynchronize(s); });
  try_in("wait for the device", 0, global, [](cudaStream_t) { return cudaDeviceSynchronize(); });
  try_in("cudaMalloc", 0, global, allocate);
  try_in("cudaMalloc in a relaxed capture", 0, cudaStreamCaptureModeRelaxed, allocate);
  try_in("the default stream", 0, global, launch);
  try_in("the default stream beside one that does not block it", cudaStreamNonBlocking, global, launch);

  cudaStream_t first, second;
  cudaEvent_t fork, outside;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  cudaEventCreate(&fork), cudaEventCreate(&outside);
  const auto begin = [&] {
    cudaStreamBeginCapture(first, global);
    nothing<<<1, 1, 0, first>>>();
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    nothing<<<1, 1, 0, second>>>();
  };
  cudaGraph_t graph;
  begin();
  std::printf("a stream that does not join: %s\n", cudaGetErrorName(cudaStreamEndCapture(first, &graph)));
  begin();
  std::printf("to end in the other stream: %s\n", cudaGetErrorName(cudaStreamEndCapture(second, &graph)));
  cudaStreamEndCapture(first, &graph);
  std::printf("capture of the default stream: %s\n", cudaGetErrorName(cudaStreamBeginCapture(nullptr, global)));
  cudaEventRecord(outside, second);
  cudaStreamBeginCapture(first, global);
  std::printf("an event of outside: %s\n", cudaGetErrorName(cudaStreamWaitEvent(first, outside, 0)));
  cudaStreamEndCapture(first, &graph);
  cudaGetLastError();
  std::printf("no error is left: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
