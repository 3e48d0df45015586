#include "runtime/capture.h"

#include <algorithm>
#include <utility>

#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/misuse.h"

namespace gpusim::runtime {
namespace {

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// The capture of the first stream, of all GPUs, for which `is_so` is true; null if there is none.
template <class F> Capture* find_capture(F is_so) {
  if (process().captures == 0) return nullptr;
  for (const auto& context : process().contexts) {
    if (context->per_thread.capture && is_so(context->per_thread)) return context->per_thread.capture.get();
    for (CUstream_st* s : context->streams)
      if (s->capture && is_so(*s)) return s->capture.get();
  }
  return nullptr;
}

// If `stream` is the default stream: a capture of a stream that it would wait for, or null. Null for other
// streams.
Capture* waited_for_by(cudaStream_t stream) {
  const CUstream_st* const s = process().captures == 0 ? nullptr : find_stream(stream);
  if (!s || !is_legacy(*s)) return nullptr;
  return find_capture(
      [&](const CUstream_st& other) { return other.context == s->context && is_blocking(other); });
}

// Whether the last nodes of the capture's first stream come after all work of the streams that have joined.
bool is_joined(const Capture& c) {
  std::vector<const CUgraphNode_st*> reached(c.origin->front.begin(), c.origin->front.end());
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const CUgraphNode_st* before : reached[i]->after)
      if (std::ranges::find(reached, before) == reached.end()) reached.push_back(before);
  const auto is_reached = [&](const CUgraphNode_st* n) {
    return std::ranges::find(reached, n) != reached.end();
  };
  return std::ranges::all_of(c.streams,
                             [&](const CUstream_st* s) { return std::ranges::all_of(s->front, is_reached); });
}

}  // namespace

cudaError_t Capture::invalidate(cudaError_t error) {
  is_valid = false;
  return refuse(error);
}

CUstream_st* capturing(cudaStream_t stream) {
  if (process().captures == 0) return nullptr;
  CUstream_st* const s = find_stream(stream);
  return s && s->capture ? s : nullptr;
}

cudaError_t captured(CUstream_st& s, const GraphWork& work) {
  if (!s.capture->is_valid) return refuse(cudaErrorStreamCaptureInvalidated);
  s.front = {s.capture->graph->add(work, s.front)};
  return cudaSuccess;
}

cudaError_t captured_wait(CUstream_st& s, const std::shared_ptr<Capture>& capture,
                          const std::vector<CUgraphNode_st*>& nodes) {
  if (!capture->is_valid) return refuse(cudaErrorStreamCaptureInvalidated);
  if (is_legacy(s)) return capture->invalidate(cudaErrorStreamCaptureImplicit);
  if (s.capture && s.capture != capture) {
    s.capture->is_valid = false;
    return capture->invalidate(cudaErrorStreamCaptureMerge);
  }
  if (!s.capture) {
    s.capture = capture;
    capture->streams.push_back(&s);
  }
  for (CUgraphNode_st* node : nodes)
    if (std::ranges::find(s.front, node) == s.front.end()) s.front.push_back(node);
  return cudaSuccess;
}

void leave_capture(CUstream_st& s) {
  if (!s.capture) return;
  s.capture->is_valid = false;
  std::erase(s.capture->streams, &s);
  if (s.capture->origin == &s) {  // without its first stream the capture cannot be ended by a call
    s.capture->has_ended = true;
    for (CUstream_st* other : std::exchange(s.capture->streams, {})) other->capture = nullptr;
    destroy_graph(s.capture->graph);
    --process().captures;
  }
  s.capture = nullptr;
}

cudaError_t forbid_implicit(cudaStream_t stream) {
  if (const cudaError_t error = forbid_here()) return error;
  if (!find_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  Capture* const c = waited_for_by(stream);
  return c ? c->invalidate(cudaErrorStreamCaptureImplicit) : cudaSuccess;
}
cudaError_t forbid_waiting(cudaStream_t stream) {
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  CUstream_st* const s = capturing(stream);
  return s ? s->capture->invalidate(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}
cudaError_t forbid_waiting_for_all() {
  Capture* const c = find_capture([](const CUstream_st& s) { return s.context == &current(); });
  return c ? c->invalidate(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}
cudaError_t forbid_unsafe() {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  Capture* const c = find_capture([](const CUstream_st& s) {
    const bool is_ours = s.capture->thread == std::this_thread::get_id();
    return is_ours
               ? s.capture->mode != cudaStreamCaptureModeRelaxed
               : thread_mode == cudaStreamCaptureModeGlobal && s.capture->mode == cudaStreamCaptureModeGlobal;
  });
  return c ? c->invalidate(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

}  // namespace gpusim::runtime

using gpusim::DeviceLock;
using namespace gpusim::runtime;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const DeviceLock lock;
  CUstream_st* const s = find_stream(stream);
  if (!s) return refuse(cudaErrorInvalidResourceHandle);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return refuse(cudaErrorInvalidValue);
  if (is_legacy(*s)) return refuse(cudaErrorStreamCaptureUnsupported);
  if (s->capture) return refuse(cudaErrorIllegalState);
  auto capture = std::make_shared<Capture>();
  *capture = {make_graph(), s, mode, std::this_thread::get_id(), ++process().captures_made, true, false, {s}};
  ++process().captures;
  s->capture = std::move(capture);
  s->front.clear();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const DeviceLock lock;
  if (!graph) return refuse(cudaErrorInvalidValue);
  *graph = nullptr;
  CUstream_st* const s = find_stream(stream);
  if (!s) return refuse(cudaErrorInvalidResourceHandle);
  if (!s->capture) return refuse(cudaErrorIllegalState);
  const std::shared_ptr<Capture> c = s->capture;
  if (c->origin != s) return c->invalidate(cudaErrorStreamCaptureUnmatched);
  if (c->thread != std::this_thread::get_id() && c->mode != cudaStreamCaptureModeRelaxed)
    return refuse(cudaErrorStreamCaptureWrongThread);
  const cudaError_t error = !c->is_valid     ? cudaErrorStreamCaptureInvalidated
                            : !is_joined(*c) ? cudaErrorStreamCaptureUnjoined
                                             : cudaSuccess;
  c->has_ended = true;
  --process().captures;
  for (CUstream_st* member : c->streams) member->capture = nullptr, member->front.clear();
  if (error) destroy_graph(c->graph);
  else *graph = c->graph;
  return refuse(error);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, size_t* count) {
  const DeviceLock lock;
  if (!status) return refuse(cudaErrorInvalidValue);
  const CUstream_st* const s = find_stream(stream);
  if (!s) return refuse(cudaErrorInvalidResourceHandle);
  if (waited_for_by(stream)) return refuse(cudaErrorStreamCaptureImplicit);
  *status = !s->capture            ? cudaStreamCaptureStatusNone
            : s->capture->is_valid ? cudaStreamCaptureStatusActive
                                   : cudaStreamCaptureStatusInvalidated;
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (id) *id = s->capture->id;
  if (graph) *graph = s->capture->graph;
  if (dependencies) *dependencies = s->front.data();
  if (count) *count = s->front.size();
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
    return refuse(cudaErrorInvalidValue);
  *mode = std::exchange(thread_mode, *mode);
  return cudaSuccess;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
