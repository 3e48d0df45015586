// Streams and events. With one GPU all work is done when a call returns, so streams and events record at most
// its order. For several GPUs see work.h.
#include <chrono>
#include <memory>

#include "cuda_runtime_api.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/misuse.h"
#include "runtime/work.h"

using gpusim::DeviceLock;
using namespace gpusim::runtime;
using WallClock = std::chrono::steady_clock;

struct CUevent_st {
  // One recording of the event.
  struct Moment {
    bool has_come = false;
    WallClock::time_point time;
    Clock clock;
    unsigned long long waits = 0;  // how often the program had waited for the GPU before
  };

  bool timed;
  std::shared_ptr<Moment> recorded;  // null: the event was never recorded
  // If the last recording was in a stream in capture: the capture, and the nodes that the event comes after.
  std::shared_ptr<Capture> capture = nullptr;
  std::vector<CUgraphNode_st*> nodes = {};

  bool is_captured() const { return capture && !capture->has_ended; }
};

namespace {

using Moment = CUevent_st::Moment;

// Queries in a row without any progress, after which a program counts as waiting.
constexpr unsigned kMostVainQueries = 100'000;

std::set<cudaStream_t>& streams() { return current().streams; }
bool is_event(cudaEvent_t event) {
  for (const auto& context : process().contexts)
    if (context->events.count(event)) return true;
  return false;
}
bool is_stream(cudaStream_t stream) { return find_stream(stream) != nullptr; }
bool is_made(cudaStream_t stream) { return is_stream(stream) && find_stream(stream) == stream; }

// For the calls that wait: reports a fault of a kernel first, then a handle that is not valid.
cudaError_t wait_for(bool handle_is_valid) {
  if (const cudaError_t error = synchronise()) return error;
  return handle_is_valid ? cudaSuccess : refuse(cudaErrorInvalidResourceHandle);
}

// Answers whether the condition holds now. A program that asks again and again while nothing moves is treated
// like one that waits: what cannot go on is given up.
cudaError_t query(const std::function<bool()>& is_so) {
  static unsigned vain = 0;
  if (is_so()) return vain = 0, synchronise();
  vain = go_on() ? 0 : vain + 1;
  if (vain > kMostVainQueries) vain = 0, go_on_until(is_so);
  if (is_so()) return synchronise();
  return cudaErrorNotReady;
}

class WaitForMoment final : public Task {
 public:
  explicit WaitForMoment(std::shared_ptr<Moment> moment) : moment_(std::move(moment)) {}
  Progress step(CUstream_st& s) override {
    if (!moment_->has_come && !device_lost()) return Progress::waits;
    join(s.clock, moment_->clock);
    return Progress::done;
  }

 private:
  std::shared_ptr<Moment> moment_;
};

// Records the moment even after a fault, because other streams may wait for it.
class RecordMoment final : public Task {
 public:
  explicit RecordMoment(std::shared_ptr<Moment> moment) : moment_(std::move(moment)) {}
  Progress step(CUstream_st& s) override {
    *moment_ = {true, WallClock::now(), s.clock, 0};
    return Progress::done;
  }

 private:
  std::shared_ptr<Moment> moment_;
};

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  const DeviceLock lock;
  if (const cudaError_t error = synchronise()) return error;
  if (!stream || flags > cudaStreamNonBlocking) return refuse(cudaErrorInvalidValue);
  CUstream_st* made = new CUstream_st;
  made->context = &current();
  made->flags = flags;
  made->priority = priority;
  made->number = number_of_stream();
  streams().insert(*stream = made);
  expect_overlap();
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
  if (const cudaError_t error = wait_for(is_made(stream))) return error;
  if (is_multi_gpu()) finish(*stream);
  else join(stream->context->destroyed, stream->clock);  // no call has waited for its work
  if (is_blocking(*stream)) join(stream->context->legacy.clock, stream->clock);
  leave_capture(*stream);
  stream->context->streams.erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_waiting(stream)) return error;
  CUstream_st* s = find_stream(stream);
  if (s) finish(*s);
  const OnGpu on(s ? *s->context : current());
  return wait_for(s != nullptr);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const DeviceLock lock;
  CUstream_st* s = find_stream(stream);
  if (!s || !is_multi_gpu()) return cudaStreamSynchronize(stream);
  if (const cudaError_t error = forbid_waiting(stream)) return error;
  const OnGpu on(*s->context);
  const cudaError_t error = query([&] { return s->tasks.empty(); });
  if (error == cudaSuccess) host_comes_after(s->clock);
  return error;
}

// A stream that the program has created, or one of those that always exist.
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  const DeviceLock lock;
  if (!flags) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *flags = is_made(stream) ? stream->flags : unsigned(cudaStreamDefault);
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const DeviceLock lock;
  if (!priority) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *priority = is_made(stream) ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  const DeviceLock lock;
  if (!device) return refuse(cudaErrorInvalidValue);
  if (!is_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  *device = int(find_stream(stream)->context->gpu.device.number);
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
  if (!is_stream(to) || !is_stream(from)) return refuse(cudaErrorInvalidResourceHandle);
  find_stream(to)->window = find_stream(from)->window;
  find_stream(to)->synchronization = find_stream(from)->synchronization;
  return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  const DeviceLock lock;
  if (!value) return refuse(cudaErrorInvalidValue);
  const CUstream_st* s = find_stream(stream);
  if (!s) return refuse(cudaErrorInvalidResourceHandle);
  switch (id) {
    case cudaStreamAttributeAccessPolicyWindow: value->accessPolicyWindow = s->window; return cudaSuccess;
    case cudaStreamAttributeSynchronizationPolicy: value->syncPolicy = s->synchronization; return cudaSuccess;
    case cudaStreamAttributePriority: value->priority = s->priority; return cudaSuccess;
    default: return refuse(cudaErrorInvalidValue);
  }
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue* value) {
  const DeviceLock lock;
  if (!value) return refuse(cudaErrorInvalidValue);
  CUstream_st* s = find_stream(stream);
  if (!s) return refuse(cudaErrorInvalidResourceHandle);
  if (id == cudaStreamAttributeAccessPolicyWindow) {
    const cudaAccessPolicyWindow& window = value->accessPolicyWindow;
    const bool is_share = window.hitRatio >= 0 && window.hitRatio <= 1;
    if (!is_share || window.missProp == cudaAccessPropertyPersisting) return refuse(cudaErrorInvalidValue);
    s->window = window;
  } else if (id == cudaStreamAttributeSynchronizationPolicy) {
    s->synchronization = value->syncPolicy;
  } else if (id == cudaStreamAttributePriority) {
    s->priority = value->priority;
  } else {
    return refuse(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

// The device is not locked while the program's function runs, because it may wait for another thread that
// uses the GPU.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  if (const cudaError_t error = cudaStreamSynchronize(stream)) return error;
  if (!callback) return refuse(cudaErrorInvalidValue);
  const InHostFunction inside;
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (!function) return refuse(cudaErrorInvalidValue);
  {
    const DeviceLock lock;
    cudaError_t error = cudaSuccess;
    if (CUstream_st* const s = capturing(stream)) return captured(*s, host_work({function, data}, &error));
  }
  if (const cudaError_t error = cudaStreamSynchronize(stream)) return error;
  const InHostFunction inside;
  function(data);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  const DeviceLock lock;
  if (const cudaError_t error = synchronise()) return error;
  if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
    return refuse(cudaErrorInvalidValue);
  *event = *current().events.insert(new CUevent_st{!(flags & cudaEventDisableTiming), nullptr}).first;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const DeviceLock lock;
  if (const cudaError_t error = wait_for(is_event(event))) return error;
  for (const auto& context : process().contexts) context->events.erase(event);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const DeviceLock lock;
  if (is_event(event) && event->is_captured()) return event->capture->invalidate(cudaErrorCapturedEvent);
  if (is_event(event) && event->recorded) {
    const std::shared_ptr<Moment> moment = event->recorded;
    go_on_until([&] { return moment->has_come; });
    host_comes_after(moment->clock);
  }
  return wait_for(is_event(event));
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const DeviceLock lock;
  if (!is_multi_gpu() || !is_event(event) || !event->recorded || event->is_captured())
    return cudaEventSynchronize(event);
  const std::shared_ptr<Moment> moment = event->recorded;
  const cudaError_t error = query([&] { return moment->has_come; });
  if (error == cudaSuccess) host_comes_after(moment->clock);
  return error;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  const DeviceLock lock;
  if (!milliseconds) return refuse(cudaErrorInvalidValue);
  for (cudaEvent_t event : {start, stop}) {
    if (const cudaError_t error = wait_for(is_event(event))) return error;
    if (!event->timed || !event->recorded) return refuse(cudaErrorInvalidResourceHandle);
  }
  for (cudaEvent_t event : {start, stop})
    // With one GPU all work is done already. On a GPU it need not be before the program has waited for it.
    if (!event->recorded->has_come || (!is_multi_gpu() && event->recorded->waits == process().waits))
      return refuse(cudaErrorNotReady,
                    "cudaEventElapsedTime is asked for an event that the program has not waited for "
                    "(cudaEventSynchronize)");
  *milliseconds =
      std::chrono::duration<float, std::milli>(stop->recorded->time - start->recorded->time).count();
  return cudaSuccess;
}

}  // extern "C"

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  const DeviceLock lock;
  return cudaEventCreateWithFlags(event, flags);
}

// Recording an event waits for nothing, so it does not report a fault.
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const DeviceLock lock;
  CUstream_st* s = find_stream(stream);
  if (!is_event(event) || !s) return refuse(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  if (s->capture) {
    if (!s->capture->is_valid) return refuse(cudaErrorStreamCaptureInvalidated);
    event->recorded = nullptr, event->capture = s->capture, event->nodes = s->front;
    return cudaSuccess;
  }
  event->capture = nullptr;
  event->recorded = std::make_shared<Moment>();
  if (is_multi_gpu()) {
    give(*s, std::make_unique<RecordMoment>(event->recorded));
  } else {
    begin_now(stream);
    *event->recorded = {true, WallClock::now(), s->clock, process().waits};
  }
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  const DeviceLock lock;
  CUstream_st* s = find_stream(stream);
  if (!is_event(event) || !s) return refuse(cudaErrorInvalidResourceHandle);
  if (s->capture && flags == cudaEventWaitExternal)
    return captured(*s, event_work(cudaGraphNodeTypeWaitEvent, event));
  if (event->is_captured()) return captured_wait(*s, event->capture, event->nodes);
  if (s->capture && event->recorded) return s->capture->invalidate(cudaErrorStreamCaptureIsolation);
  s->vain_wait = event->recorded ? nullptr : std::make_shared<const gpusim::ApiCall>(gpusim::ApiCall::here());
  if (!event->recorded) return cudaSuccess;
  if (is_multi_gpu()) give(*s, std::make_unique<WaitForMoment>(event->recorded));
  else join(s->clock, event->recorded->clock);
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  const DeviceLock lock;
  if (flags > cudaEventRecordExternal) return refuse(cudaErrorInvalidValue);
  CUstream_st* const s = flags == cudaEventRecordExternal ? capturing(stream) : nullptr;
  if (s && is_event(event)) return captured(*s, event_work(cudaGraphNodeTypeEventRecord, event));
  return cudaEventRecord(event, stream);
}
// SPDX-License-Identifier: MIT
