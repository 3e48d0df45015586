// The work that streams have been given and that is not done yet. With one GPU there is none: work is done
// when the call that gives it returns, and if races are looked for, only its order is recorded. With several
// GPUs a kernel may wait for what another GPU will do. Such a kernel stops where it waits, and the program
// goes on. The kernel continues whenever the program gives work or waits for some.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "driver_types.h"

#include "runtime/clock.h"
#include "runtime/process.h"

struct CUgraphNode_st;

namespace gpusim::runtime {

struct Capture;

enum class Progress { done, moved, waits };

class Task {
 public:
  virtual ~Task() = default;
  virtual Progress step(CUstream_st&) = 0;
  // Called when every task seems to wait. Returns whether this one certainly waits; if not, it may have moved
  // on.
  virtual bool is_stuck(CUstream_st&) { return true; }
  // Called when every task certainly waits. Ends this one with a fault of its GPU; returns false if it can go
  // on after all. One of the waiting tasks gets `tell` and prints what happened.
  virtual bool give_up(CUstream_st&, bool tell) { return (void)tell, false; }

  u64 order = 0;  // the place among all tasks of the process
  Clock host;     // what the program had waited for when it gave the task
  // For a task in the default stream: further GPUs whose streams it waits for and which wait for it.
  std::vector<Context*> with;
  bool has_begun = false;
};

}  // namespace gpusim::runtime

struct CUstream_st {
  gpusim::runtime::Context* context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  cudaAccessPolicyWindow window = {};  // attributes that have no effect here
  cudaSynchronizationPolicy synchronization = cudaSyncPolicyAuto;
  gpusim::u32 number = 0;  // unique among all streams
  std::deque<std::unique_ptr<gpusim::runtime::Task>> tasks;
  gpusim::runtime::Clock clock;  // the work that is done
  std::shared_ptr<const gpusim::ApiCall>
      vain_wait;                 // the last wait, if it was for an event that was never recorded
  gpusim::u32 graph_launch = 0;  // whose nodes it is given now, or 0
  // The capture that records the stream's work (capture.h), or null; and the nodes that the next node comes
  // after.
  std::shared_ptr<gpusim::runtime::Capture> capture;
  std::vector<CUgraphNode_st*> front;
};

namespace gpusim::runtime {

// Other processes whose GPUs work together with those of this one.
class RemoteRanks {
 public:
  virtual ~RemoteRanks() = default;
  // Receives what they have sent. Returns whether anything has arrived.
  virtual bool take() = 0;
  // Tells them that a kernel of this process runs, so that they do not give it up. Called often.
  virtual void tell_busy() = 0;
};

// Whether more than one GPU works together, in this process or in several.
bool is_multi_gpu();

// Whether this is the legacy default stream of its GPU; whether it and the default stream wait for each
// other.
inline bool is_legacy(const CUstream_st& s) { return &s == &s.context->legacy; }
inline bool is_blocking(const CUstream_st& s) { return !(s.flags & cudaStreamNonBlocking); }

// The stream of a handle; null if there is none. Some handles stand for streams of the current GPU.
CUstream_st* find_stream(cudaStream_t);
// A number for a new stream.
u32 number_of_stream();

// Begins the stream's next work, with one GPU. Returns the stream; null if its order is not recorded, or
// there is no such stream.
const CUstream_st* begin_now(cudaStream_t);
// The stream's current moment, with the last work that it has begun.
LaunchMoment moment_in(const CUstream_st&);

// Gives a task to a stream, and does what can be done now.
void give(CUstream_st&, std::unique_ptr<Task>);
// The same for an act of the host. It waits for nothing else; in the default stream it waits for these GPUs
// as well.
void give(CUstream_st&, std::function<void(const CUstream_st&)>, std::vector<Context*> with = {});

// Lets other host threads give work, and other processes send theirs. Returns false if there are none, or if
// they have done nothing for this many times the patience of the process.
bool others_go_on(double patiences = 1);

// Does one step of each task that can begin. Returns whether anything has moved.
bool go_on();
// Goes on until the condition is true, or all work that could make it true has been given up.
void go_on_until(const std::function<bool()>&);
// Goes on until a stream, a GPU, or all GPUs have nothing to do. The program's clock is then after that work.
// With one GPU only the clock changes.
void finish(CUstream_st&);
void finish(Context&);
void finish_all();
// Records that the program has waited for this work. (The clock is empty if the order of streams is not recorded.)
void host_comes_after(const Clock&);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
