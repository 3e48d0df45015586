// What each thread of a block knows of the others through barriers in shared memory (mbarrier) and through atomics that release
// and acquire. A thread that arrives or releases puts what it knows into an object, and a thread that waits or acquires takes it
// from there. An atomic after a fence releases what came before the fence, and a fence after an atomic acquires what the atomic
// found.
//
// A view has a time for each thread: what that thread did before it comes before everything that the view's owner does now. If a
// barrier waits for the end of an asynchronous copy, only threads that wait at the barrier know it, not others that the copy's
// own thread meets. So these copies count as threads of their own, the *copiers*.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/base.h"
#include "lanes/each_lane.h"

namespace gpusim {

class ThreadViews {
 public:
  // A new block.
  void begin(u32 threads) {
    threads_ = threads;
    views_.assign(threads, {});
    changes_.assign(threads, 0);
    found_.assign(threads, {});
    last_found_.assign(threads, {});
    fenced_.assign(threads, 0);
    objects_.clear();
  }
  u32 copier_of(u32 thread) const { return threads_ + thread; }
  bool is_copier(u32 who) const { return who >= threads_; }

  // Whether what `earlier` did at `time` comes before what `later` does now. A thread knows its own copies.
  bool knows(u32 later, u32 earlier, u32 time) const {
    if (earlier == copier_of(later)) return true;
    const View* const v = views_[later].get();
    return v && time < (*v)[earlier];
  }
  // Whether it would know that behind a fence: it has found it at an atomic.
  bool found_something(u32 later, u32 earlier, u32 time) const {
    const View& v = found_[later];
    return !v.empty() && time < v[earlier];
  }

  // __syncwarp, of the warp whose first thread is `first`.
  void meet(u32 first, Mask lanes, u32 now) {
    const auto all = std::make_shared<View>(blank());
    const View* last = nullptr;  // most lanes have the same view, from the last time that they met
    for_each_lane(lanes, [&](u32 l) {
      const View* const v = views_[first + l].get();
      if (v && v != last) join(*all, *v);
      last = v;
    });
    for_each_lane(lanes, [&](u32 l) { (*all)[first + l] = now; });
    for_each_lane(lanes, [&](u32 l) {
      views_[first + l] = all;
      ++changes_[first + l];
    });
  }
  void release(u64 object, u32 thread, u32 now) { release(objects_[object], thread, now); }
  // The same, visible at once to all that acquire from now on. A thread that polls a word by an atomic that adds nothing says
  // nothing new.
  void release_at_once(u64 object, u32 thread, u32 now) {
    Object& o = objects_[object];
    if (o.last_thread == thread && o.last_time == now && o.last_change == changes_[thread]) return;
    release(o, thread, now);
    publish(o);
    o.last_thread = thread, o.last_time = now, o.last_change = changes_[thread];
  }
  // Copies that the thread has asked for have ended.
  void release_copies(u64 object, u32 thread, u32 now) {
    View& v = begun(objects_[object].next);
    v[copier_of(thread)] = now;
  }
  // The thread has waited for its own copies.
  void know_copies(u32 thread, u32 now) {
    View& v = to_change(thread);
    v[copier_of(thread)] = now;
  }
  // What was released is there for those who acquire: of a barrier, only when a phase is complete.
  void publish(u64 object) { publish(objects_[object]); }
  void acquire(u64 object, u32 thread) {
    const auto found = objects_.find(object);
    if (found == objects_.end() || found->second.published.empty()) return;
    join(to_change(thread), found->second.published);
  }
  void forget(u64 object) { objects_.erase(object); }

  // The thread has found there what others have published: known to it from its next fence on.
  void find(u64 object, u32 thread) {
    const auto found = objects_.find(object);
    if (found == objects_.end() || found->second.published.empty()) return;
    const Found now = {object, found->second.publications};
    if (std::exchange(last_found_[thread], now) == now) return;  // polled again without a change
    join(begun(found_[thread]), found->second.published);
  }
  void fence(u32 thread, u32 now) {
    fenced_[thread] = now;
    if (found_[thread].empty()) return;
    join(to_change(thread), found_[thread]);
    found_[thread].clear();
    last_found_[thread] = {};
  }
  // Of the last fence of the thread; 0: none.
  u32 fenced(u32 thread) const { return fenced_[thread]; }

 private:
  using View = std::vector<u32>;  // times, by thread, then by copier; empty: nothing is known
  struct Object {
    View next, published;
    u32 publications = 0;
    u32 last_thread = 0, last_time = 0, last_change = 0;  // of the last release at once; at 0: none
  };
  struct Found {
    u64 object = 0;
    u32 publications = 0;  // 0: nothing
    bool operator==(const Found&) const = default;
  };
  static constexpr std::size_t kStep = 8;  // so many times are joined together

  View blank() const { return View((2 * std::size_t(threads_) + kStep - 1) / kStep * kStep); }
  // To be written.
  View& begun(View& view) const {
    if (view.empty()) view = blank();
    return view;
  }
  // For this thread alone.
  View& to_change(u32 thread) {
    ++changes_[thread];
    std::shared_ptr<View>& v = views_[thread];
    if (!v) v = std::make_shared<View>(blank());
    else if (v.use_count() > 1) v = std::make_shared<View>(*v);
    return *v;
  }
  void release(Object& o, u32 thread, u32 now) {
    View& v = begun(o.next);
    if (views_[thread]) join(v, *views_[thread]);
    v[thread] = now;
  }
  static void publish(Object& o) {
    ++o.publications;
    if (o.published.empty()) o.published = o.next;
    else join(o.published, o.next);
  }
  // Views are of one length, or empty. (Steps of a fixed length are what compilers make vectors of.)
  static void join(View& into, const View& from) {
    u32* const to = into.data();
    for (std::size_t k = 0; k < from.size(); k += kStep)
      for (std::size_t i = k; i < k + kStep; ++i) to[i] = std::max(to[i], from[i]);
  }

  u32 threads_ = 0;
  std::vector<std::shared_ptr<View>> views_;  // null: nothing is known; threads that have met share one
  std::vector<u32> changes_;                  // of each, counted
  std::vector<View> found_;
  std::vector<Found> last_found_;  // of each thread, since its last fence
  std::vector<u32> fenced_;
  std::unordered_map<u64, Object> objects_;  // by address in the block's shared memory
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
