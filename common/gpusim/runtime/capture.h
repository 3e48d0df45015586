// Streams that write down what they are given: into a graph. To be called with the device locked.
#pragma once

#include <thread>

#include "runtime/graph.h"
#include "runtime/work.h"

namespace gpusim::runtime {

struct Capture {
  cudaGraph_t graph = nullptr;
  const CUstream_st* origin = nullptr;  // where it has begun
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  u64 id = 0;
  bool is_valid = true;
  bool has_ended = false;
  std::vector<CUstream_st*> streams;  // that take part

  cudaError_t invalidate(cudaError_t);
};

// The stream if it writes down what it is given; else null.
CUstream_st* capturing(cudaStream_t);
// Writes it down, after what the stream has been given before.
cudaError_t captured(CUstream_st&, const GraphWork&);
// The stream waits for these nodes as well; one that does not capture joins.
cudaError_t captured_wait(CUstream_st&, const std::shared_ptr<Capture>&, const std::vector<CUgraphNode_st*>&);
void leave_capture(CUstream_st&);

// Errors of calls that a capture forbids, which it does not survive; cudaSuccess where there is none.
cudaError_t forbid_implicit(cudaStream_t);  // work for the default stream, which waits for others
cudaError_t forbid_waiting(cudaStream_t);   // waiting for what is only written down
cudaError_t forbid_waiting_for_all();       // … for the whole GPU
cudaError_t forbid_unsafe();                // calls that may wait, like cudaMalloc

}  // namespace gpusim::runtime
