// Streams in capture: they record the work that they are given in a graph. Call all of this with the device
// locked.
#pragma once

#include <thread>

#include "runtime/graph.h"
#include "runtime/work.h"

namespace gpusim::runtime {

struct Capture {
  cudaGraph_t graph = nullptr;
  const CUstream_st* origin = nullptr;  // the stream in which the capture began
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  u64 id = 0;
  bool is_valid = true;
  bool has_ended = false;
  std::vector<CUstream_st*> streams;  // all that take part

  cudaError_t invalidate(cudaError_t);
};

// The stream of the handle, if it is in capture; else null.
CUstream_st* capturing(cudaStream_t);
// Records work as a node after those that the stream has recorded before.
cudaError_t captured(CUstream_st&, const GraphWork&);
// Makes the stream wait for these nodes as well. A stream that is not in capture joins the capture.
cudaError_t captured_wait(CUstream_st&, const std::shared_ptr<Capture>&, const std::vector<CUgraphNode_st*>&);
void leave_capture(CUstream_st&);

// Errors of calls that a capture forbids and that end it; cudaSuccess if no capture forbids the call.
cudaError_t forbid_implicit(cudaStream_t);  // work for the default stream, which waits for other streams
cudaError_t forbid_waiting(cudaStream_t);   // waiting for work of a stream that is only recorded
cudaError_t forbid_waiting_for_all();       // waiting for the whole GPU
cudaError_t forbid_unsafe();                // calls that may wait, like cudaMalloc

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
