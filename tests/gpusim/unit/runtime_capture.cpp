// Streams that write down what they are given: what a capture takes, and what ends it. (programs/graph_capture.cu runs
// what has been captured.)
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

constexpr auto kGlobal = cudaStreamCaptureModeGlobal, kOfThread = cudaStreamCaptureModeThreadLocal,
               kRelaxed = cudaStreamCaptureModeRelaxed;

// Two streams that the default stream does not wait for.
struct TwoStreams : FreshDevice {
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr;
  int* d = nullptr;

  TwoStreams() {
    REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaMalloc(&d, 64) == cudaSuccess);
    REQUIRE(cudaMemset(d, 0, 64) == cudaSuccess);
  }
  ~TwoStreams() {
    for (cudaStream_t stream : {first, second})
      if (stream) cudaStreamDestroy(stream);
    cudaEventDestroy(event);
  }
  void begin(cudaStream_t stream, cudaStreamCaptureMode mode = kGlobal) {
    REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
  }
  cudaError_t end(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    CHECK((graph == nullptr) == (error != cudaSuccess));
    if (graph) CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    return error;
  }
  cudaStreamCaptureStatus status(cudaStream_t stream) {
    cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
    CHECK(cudaStreamIsCapturing(stream, &found) == cudaSuccess);
    return found;
  }
};

}  // namespace

TEST_CASE_FIXTURE(TwoStreams,
                  "every call that works in a stream becomes a node of its kind, and does nothing yet") {
  int value = 5, calls = 0, *pointer = d;
  void* arguments[] = {&pointer, &value};
  begin(first);
  CHECK(status(first) == cudaStreamCaptureStatusActive);
  CHECK(status(second) == cudaStreamCaptureStatusNone);
  CHECK(cudaLaunchKernel(&set_int, 1, 1, arguments, 0, first) == cudaSuccess);
  CHECK(cudaMemsetAsync(d + 1, 1, 4, first) == cudaSuccess);
  CHECK(cudaMemset2DAsync(d + 2, 8, 2, 4, 2, first) == cudaSuccess);
  CHECK(cudaMemcpyAsync(d + 5, d, 4, cudaMemcpyDeviceToDevice, first) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(d + 6, 8, d + 1, 4, 4, 2, cudaMemcpyDeviceToDevice, first) == cudaSuccess);
  cudaMemcpy3DParms box = {};
  box.srcPtr = {d, 4, 4, 1};
  box.dstPtr = {d + 10, 4, 4, 1};
  box.extent = {4, 1, 1};
  box.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3DAsync(&box, first) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(first, [](void* data) { ++*static_cast<int*>(data); }, &calls) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event, first, cudaEventRecordExternal) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(first, event, cudaEventWaitExternal) == cudaSuccess);

  cudaStreamCaptureStatus found = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t growing = nullptr, graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(first, &found, &id, &growing, &last, &count) == cudaSuccess);
  CHECK(found == cudaStreamCaptureStatusActive);
  CHECK(id != 0);
  CHECK(count == 1);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeGetType(last[0], &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeWaitEvent);
  CHECK(cudaStreamGetCaptureInfo(first, nullptr) == cudaErrorInvalidValue);
  REQUIRE(cudaStreamEndCapture(first, &graph) == cudaSuccess);
  CHECK(graph == growing);

  cudaGraphNode_t nodes[16];
  count = 16;
  REQUIRE(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
  const cudaGraphNodeType wanted[] = {
      cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemset,      cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeHost,   cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent};
  REQUIRE(count == 9);
  for (size_t i = 0; i < count; ++i) {
    CHECK(cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess);
    CHECK(type == wanted[i]);
  }
  int back[16] = {};
  CHECK(cudaMemcpy(back, d, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (const int each : back) CHECK(each == 0);
  CHECK(calls == 0);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, second) == cudaSuccess);
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(cudaMemcpy(back, d, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  const int ones = 0x01010101, twos = 0x02020202;
  const int results[16] = {5, ones, twos, 0, twos, 5, ones, 0, twos, 0, 5};
  for (int i = 0; i < 16; ++i) CHECK(back[i] == results[i]);
  CHECK(calls == 1);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE_FIXTURE(TwoStreams, "a capture begins once, in a stream of one's own, and ends where it began") {
  const auto no_stream = reinterpret_cast<cudaStream_t>(0x40);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(no_stream, kGlobal) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureMode(7)) == cudaErrorInvalidValue);
  CHECK(cudaStreamBeginCapture(nullptr, kGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorIllegalState);
  CHECK(cudaStreamEndCapture(first, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamEndCapture(no_stream, &graph) == cudaErrorInvalidResourceHandle);
  begin(first);
  CHECK(cudaStreamBeginCapture(first, kGlobal) == cudaErrorIllegalState);
  CHECK(end(first) == cudaSuccess);
  cudaStreamCaptureStatus found;
  CHECK(cudaStreamIsCapturing(no_stream, &found) == cudaErrorInvalidResourceHandle);
  // By another thread, only where the capture is relaxed.
  begin(first, kOfThread);
  cudaError_t error = cudaSuccess;
  std::thread([&] { error = end(first); }).join();
  CHECK(error == cudaErrorStreamCaptureWrongThread);
  CHECK(end(first) == cudaSuccess);
  begin(first, kRelaxed);
  std::thread([&] { error = end(first); }).join();
  CHECK(error == cudaSuccess);
}

TEST_CASE_FIXTURE(TwoStreams, "streams join a capture by events, and must come back") {
  const auto fork = [&] {
    CHECK(cudaMemsetAsync(d, 0, 4, first) == cudaSuccess);
    CHECK(cudaEventRecord(event, first) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(second, event, 0) == cudaSuccess);
    CHECK(cudaMemsetAsync(d + 1, 0, 4, second) == cudaSuccess);
  };
  begin(first);
  fork();
  CHECK(status(second) == cudaStreamCaptureStatusActive);
  CHECK(cudaEventRecord(event, second) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(first, event, 0) == cudaSuccess);
  CHECK(end(first) == cudaSuccess);
  CHECK(status(second) == cudaStreamCaptureStatusNone);
  begin(first);
  fork();
  CHECK(end(first) == cudaErrorStreamCaptureUnjoined);
  begin(first);
  fork();
  CHECK(end(second) == cudaErrorStreamCaptureUnmatched);
  CHECK(status(first) == cudaStreamCaptureStatusInvalidated);
  CHECK(cudaMemsetAsync(d, 0, 4, first) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaEventRecord(event, first) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamWaitEvent(second, event, 0) == cudaErrorStreamCaptureInvalidated);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  // Two captures do not meet.
  begin(first);
  begin(second);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event, 0) == cudaErrorStreamCaptureMerge);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  CHECK(end(second) == cudaErrorStreamCaptureInvalidated);
  // Nor does one with what was before it, with the default stream, or with who waits for its event.
  CHECK(cudaEventRecord(event, second) == cudaSuccess);
  begin(first);
  CHECK(cudaStreamWaitEvent(first, event, 0) == cudaErrorStreamCaptureIsolation);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, event, 0) == cudaErrorStreamCaptureImplicit);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaErrorCapturedEvent);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE_FIXTURE(TwoStreams, "what waits or allocates ends a capture that forbids it") {
  void* pointer = nullptr;
  begin(first);
  CHECK(cudaStreamSynchronize(first) == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first);
  CHECK(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  for (const auto mode : {kGlobal, kOfThread}) {
    begin(first, mode);
    CHECK(cudaMalloc(&pointer, 4) == cudaErrorStreamCaptureUnsupported);
    CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  }
  begin(first);
  CHECK(cudaFree(d) == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first);
  CHECK(cudaMallocHost(&pointer, 4) == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first);
  CHECK(cudaFreeHost(nullptr) == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first, kRelaxed);
  CHECK(cudaMalloc(&pointer, 4) == cudaSuccess);
  CHECK(end(first) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
  // Other threads: a global capture forbids them, one of its thread does not; and a thread may say that it knows.
  cudaError_t error = cudaSuccess;
  const auto elsewhere = [&](cudaStreamCaptureMode own) {
    std::thread([&] {
      CHECK(cudaThreadExchangeStreamCaptureMode(&own) == cudaSuccess);
      CHECK(own == kGlobal);
      error = cudaMalloc(&pointer, 4);
      if (error == cudaSuccess) error = cudaFree(pointer);
    }).join();
    return error;
  };
  begin(first, kOfThread);
  CHECK(elsewhere(kGlobal) == cudaSuccess);
  CHECK(end(first) == cudaSuccess);
  begin(first);
  CHECK(elsewhere(kOfThread) == cudaSuccess);
  CHECK(elsewhere(kRelaxed) == cudaSuccess);
  CHECK(elsewhere(kGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  cudaStreamCaptureMode mode = cudaStreamCaptureMode(7);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaErrorInvalidValue);
  CHECK(cudaThreadExchangeStreamCaptureMode(nullptr) == cudaErrorInvalidValue);
  // A stream that the default stream waits for.
  cudaStream_t blocking;
  REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
  begin(blocking);
  cudaStreamCaptureStatus found;
  CHECK(cudaStreamIsCapturing(nullptr, &found) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaMemsetAsync(d, 0, 4, nullptr) == cudaErrorStreamCaptureImplicit);
  CHECK(end(blocking) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamDestroy(blocking) == cudaSuccess);
}

TEST_CASE_FIXTURE(TwoStreams, "a graph is not launched in a capture, and frees nothing") {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  begin(first);
  CHECK(cudaMemsetAsync(d, 1, 4, first) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(first, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
  begin(first);
  CHECK(cudaGraphLaunch(exec, first) == cudaErrorStreamCaptureUnsupported);
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
  begin(first);
  cudaError_t error = cudaSuccess;
  CHECK(said_by([&] { error = cudaFreeAsync(d, first); }) ==
        "gpusim: freeing memory in a graph is not simulated: free it after the launches of the graph\n");
  CHECK(error == cudaErrorNotSupported);
  // What no launch would take, a capture does not take either.
  CHECK(cudaLaunchKernel(&bounded, 1, 65, nullptr, 0, first) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3DAsync(nullptr, first) == cudaErrorInvalidValue);
  cudaMemcpy3DParms nothing = {};
  CHECK(cudaMemcpy3DAsync(&nothing, first) == cudaErrorInvalidValue);
  CHECK(end(first) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE_FIXTURE(TwoStreams, "a stream that is destroyed takes its capture with it") {
  begin(first);
  CHECK(cudaMemsetAsync(d, 0, 4, first) == cudaSuccess);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event, 0) == cudaSuccess);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  first = nullptr;
  CHECK(status(second) == cudaStreamCaptureStatusNone);
  CHECK(cudaMemsetAsync(d, 3, 4, second) == cudaSuccess);  // works as before
  int back = 0;
  CHECK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == 0x03030303);
  // One that has joined leaves it spoilt.
  REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
  begin(first);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event, 0) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
  second = nullptr;
  CHECK(end(first) == cudaErrorStreamCaptureInvalidated);
}
// SPDX-License-Identifier: MIT
