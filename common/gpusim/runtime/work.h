// What programs have given to streams and is not done yet. With one GPU that is nothing: work is done when the call that
// gives it returns, and only its order is kept, where races are looked for. Where there are several, a kernel may wait for what another GPU will do; then it stops where it
// waits, the program goes on, and so does the kernel whenever the program gives work or waits for some.
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

enum class Step { done, moved, waits };

class Task {
 public:
  virtual ~Task() = default;
  virtual Step step(CUstream_st&) = 0;
  // Everything seems to wait. Whether this waits for certain; else it may have gone on.
  virtual bool is_stuck(CUstream_st&) { return true; }
  // … and so does everything else. Ends the task, with the fault of its GPU; false: it goes on after all. One of
  // those that wait is to `tell`.
  virtual bool give_up(CUstream_st&, bool tell) { return (void)tell, false; }

  u64 order = 0;  // of all tasks
  Clock host;     // what the program had waited for when it gave the task
  // GPUs whose streams wait for it, and it for them, as for those of its own: in the default stream only.
  std::vector<Context*> with;
  bool has_begun = false;
};

}  // namespace gpusim::runtime

struct CUstream_st {
  gpusim::runtime::Context* context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  cudaAccessPolicyWindow window = {};  // attributes, which nothing here depends on
  cudaSynchronizationPolicy synchronization = cudaSyncPolicyAuto;
  gpusim::u32 number = 0;  // among all streams
  std::deque<std::unique_ptr<gpusim::runtime::Task>> tasks;
  gpusim::runtime::Clock clock;  // of what has been done
  std::shared_ptr<gpusim::runtime::Capture>
      capture;                         // into which it writes down what it is given (capture.h)
  std::vector<CUgraphNode_st*> front;  //   and after which nodes that comes
};

namespace gpusim::runtime {

// Other processes, for whose GPUs work of this one waits, and they for it.
class Outside {
 public:
  virtual ~Outside() = default;
  // Takes what they have sent. True: something has come.
  virtual bool take() = 0;
  // A kernel of this process runs, so that they need not give it up. Called often.
  virtual void tell_busy() = 0;
};

// More than one GPU works together, here or in several processes.
bool is_multi_gpu();

// The default stream of its GPU; one that waits for that, and it for this.
inline bool is_legacy(const CUstream_st& s) { return &s == &s.context->legacy; }
inline bool is_blocking(const CUstream_st& s) { return !(s.flags & cudaStreamNonBlocking); }

// The stream of a handle, of which some mean streams of the current GPU; null: none.
CUstream_st* find_stream(cudaStream_t);
// A number for a new stream.
u32 number_of_stream();

// With one GPU: the stream, whose next work has begun; null where nobody asks for its order, or there is no such stream.
const CUstream_st* begin_now(cudaStream_t);
// Where it stands now, with the last work that it has begun.
LaunchMoment moment_in(const CUstream_st&);

// Takes the task; does what can be done.
void give(CUstream_st&, std::unique_ptr<Task>);
// The same for an act of the host that waits for nothing but, in the default stream, for these GPUs.
void give(CUstream_st&, std::function<void(const CUstream_st&)>, std::vector<Context*> with = {});

// Lets other host threads give work, and other processes send theirs. False: there are none, or none has for a long time
// (so many times the patience of the process).
bool others_go_on(double patiences = 1);

// One step of each task that can begin. True if anything has moved.
bool go_on();
// Goes on until it is true, or all that could make it true has been given up.
void go_on_until(const std::function<bool()>&);
// … until a stream, a GPU, all GPUs have nothing to do; then the program comes after that. With one GPU only the latter.
void finish(CUstream_st&);
void finish(Context&);
void finish_all();
// The program has waited for this.
void host_comes_after(const Clock&);

}  // namespace gpusim::runtime
