// Streams and events. All work is done when a call returns, so a stream has nothing to remember, and an event
// is a moment of the host's clock.
#include <chrono>
#include <optional>

#include "cuda_runtime_api.h"
#include "runtime/errors.h"

using gpusim::DeviceLock;
using namespace gpusim::runtime;
using Clock = std::chrono::steady_clock;

struct CUstream_st {
  unsigned flags;
  int priority;
};
struct CUevent_st {
  bool timed;
  std::optional<Clock::time_point> recorded;
};

namespace {

std::set<cudaStream_t>& streams() { return current().streams; }
std::set<cudaEvent_t>& events() { return current().events; }

bool is_stream(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams().count(stream);
}

// For the calls that wait: a fault of a kernel first, then whether the handle is one.
cudaError_t wait_for(bool handle_is_valid) {
  if (const cudaError_t error = synchronise()) return error;
  return handle_is_valid ? cudaSuccess : refuse(cudaErrorInvalidResourceHandle);
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  const DeviceLock lock;
  if (const cudaError_t error = synchronise()) return error;
  if (!stream || flags > cudaStreamNonBlocking) return refuse(cudaErrorInvalidValue);
  *stream = *streams().insert(new CUstream_st{flags, priority}).first;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  const DeviceLock lock;
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  const DeviceLock lock;
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const DeviceLock lock;
  if (const cudaError_t error = wait_for(streams().count(stream))) return error;
  streams().erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const DeviceLock lock;
  return wait_for(is_stream(stream));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

// A stream of the program's, or one of those that need not be created.
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  const DeviceLock lock;
  if (!flags) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *flags = streams().count(stream) ? stream->flags : unsigned(cudaStreamDefault);
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const DeviceLock lock;
  if (!priority) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *priority = streams().count(stream) ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  const DeviceLock lock;
  if (!device) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  const DeviceLock lock;
  if (!id) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *id = reinterpret_cast<unsigned long long>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  const DeviceLock lock;
  return is_stream(to) && is_stream(from) ? cudaSuccess : refuse(cudaErrorInvalidResourceHandle);
}

// The device is not locked while the program's function runs: it may wait for another thread that uses the device.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  if (const cudaError_t error = cudaStreamSynchronize(stream)) return error;
  if (!callback) return refuse(cudaErrorInvalidValue);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = cudaStreamSynchronize(stream)) return error;
  if (!function) return refuse(cudaErrorInvalidValue);
  function(data);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  const DeviceLock lock;
  if (const cudaError_t error = synchronise()) return error;
  if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
    return refuse(cudaErrorInvalidValue);
  *event = *events().insert(new CUevent_st{!(flags & cudaEventDisableTiming), std::nullopt}).first;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const DeviceLock lock;
  if (const cudaError_t error = wait_for(events().count(event))) return error;
  events().erase(event);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const DeviceLock lock;
  return wait_for(events().count(event));
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  const DeviceLock lock;
  if (!milliseconds) return refuse(cudaErrorInvalidValue);
  for (cudaEvent_t event : {start, stop}) {
    if (const cudaError_t error = wait_for(events().count(event))) return error;
    if (!event->timed || !event->recorded) return refuse(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*stop->recorded - *start->recorded).count();
  return cudaSuccess;
}

}  // extern "C"

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  const DeviceLock lock;
  return cudaEventCreateWithFlags(event, flags);
}

// Recording waits for nothing, so it does not show a fault.
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const DeviceLock lock;
  if (!events().count(event) || !is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  event->recorded = Clock::now();
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  const DeviceLock lock;
  return events().count(event) && is_stream(stream) ? cudaSuccess : refuse(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return flags > cudaEventRecordExternal ? refuse(cudaErrorInvalidValue) : cudaEventRecord(event, stream);
}
