// What each thread of a block knows of the others by barriers in shared memory (mbarrier) and by atomics that release and
// acquire: who arrives, or releases, puts what it knows into an object; who waits, or acquires, takes it from there. An
// atomic behind a fence releases what was before the fence, and a fence behind an atomic acquires what that one found.
//
// A view has a time for each thread: what that thread did before it comes before all that the view's owner does now. An
// asynchronous copy whose end a barrier waits for is known to those who wait there, not to others with whom its thread
// meets: such copies count as threads of their own, the *copiers*.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base.h"
#include "device/each_lane.h"

namespace gpusim {

class ThreadViews {
 public:
  // A new block.
  void begin(u32 threads) {
    threads_ = threads;
    views_.assign(threads, {});
    found_.assign(threads, {});
    fenced_.assign(threads, 0);
    objects_.clear();
  }
  u32 copier_of(u32 thread) const { return threads_ + thread; }
  bool is_copier(u32 who) const { return who >= threads_; }

  // Whether what `earlier` did at `time` comes before what `later` does now. A thread knows its own copies.
  bool knows(u32 later, u32 earlier, u32 time) const {
    if (earlier == copier_of(later)) return true;
    const View& v = views_[later];
    return !v.empty() && time < v[earlier];
  }
  // Whether it would know that behind a fence: it has found it at an atomic.
  bool has_found(u32 later, u32 earlier, u32 time) const {
    const View& v = found_[later];
    return !v.empty() && time < v[earlier];
  }

  // __syncwarp, of the warp whose first thread is `first`.
  void meet(u32 first, Mask lanes, u32 now) {
    View all = blank();
    for_each_lane(lanes, [&](u32 l) {
      join(all, views_[first + l]);
      all[first + l] = now;
    });
    for_each_lane(lanes, [&](u32 l) { views_[first + l] = all; });
  }
  void release(u64 object, u32 thread, u32 now) {
    View& v = begun(objects_[object].next);
    join(v, views_[thread]);
    v[thread] = now;
  }
  // Copies that the thread has asked for have ended.
  void release_copies(u64 object, u32 thread, u32 now) {
    View& v = begun(objects_[object].next);
    v[copier_of(thread)] = now;
  }
  // The thread has waited for its own copies.
  void know_copies(u32 thread, u32 now) {
    View& v = begun(views_[thread]);
    v[copier_of(thread)] = now;
  }
  // What was released is there for those who acquire: of a barrier, only when a phase is complete.
  void publish(u64 object) {
    Object& o = objects_[object];
    if (o.published.empty()) o.published = o.next;
    else join(o.published, o.next);
  }
  void acquire(u64 object, u32 thread) {
    const auto found = objects_.find(object);
    if (found == objects_.end() || found->second.published.empty()) return;
    View& v = begun(views_[thread]);
    join(v, found->second.published);
  }
  void forget(u64 object) { objects_.erase(object); }

  // The thread has found there what others have published: known to it from its next fence on.
  void find(u64 object, u32 thread) {
    const auto found = objects_.find(object);
    if (found == objects_.end() || found->second.published.empty()) return;
    View& v = begun(found_[thread]);
    join(v, found->second.published);
  }
  void fence(u32 thread, u32 now) {
    fenced_[thread] = now;
    if (found_[thread].empty()) return;
    View& v = begun(views_[thread]);
    join(v, found_[thread]);
    found_[thread].clear();
  }
  // Of the last fence of the thread; 0: none.
  u32 fenced(u32 thread) const { return fenced_[thread]; }

 private:
  using View = std::vector<u32>;  // times, by thread, then by copier; empty: nothing is known
  struct Object {
    View next, published;
  };

  View blank() const { return View(2 * std::size_t(threads_)); }
  // To be written.
  View& begun(View& view) const {
    if (view.empty()) view = blank();
    return view;
  }
  static void join(View& into, const View& from) {
    for (std::size_t k = 0; k < from.size(); ++k) into[k] = std::max(into[k], from[k]);
  }

  u32 threads_ = 0;
  std::vector<View> views_, found_;
  std::vector<u32> fenced_;
  std::unordered_map<u64, Object> objects_;  // by address in the block's shared memory
};

}  // namespace gpusim
