// Cooperative groups: the threads of a block, of a part of a warp or of a whole grid, as objects. Each function is one
// of the barriers, shuffles and votes that CUDA C++ has without them, so the checks and counters know them.
//
// Not here: groups of clusters and of several GPUs, tiles of more than 32 threads, memcpy_async.
#pragma once
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"
#include "gpusim/detail/group_shuffles.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {

// Any group whose kind shows at run time: a block, a grid, or lanes of a warp.
class thread_group {
 public:
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long size() const { return num_threads(); }
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;

 protected:
  enum class Kind { lanes, block, grid };
  __device__ explicit thread_group(Kind kind, unsigned mask = 0) : kind_(kind), mask_(mask) {}

  Kind kind_;
  unsigned mask_;                           // of lanes
  unsigned meta_rank_ = 0, meta_size_ = 1;  // which of how many parts of the group that was divided
  bool is_tile_ = false;  // lanes beside each other, beginning at a multiple of their number

  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned threads);
};

// The threads of a block.
class thread_block : public thread_group {
 public:
  __device__ static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static void sync() { __syncthreads(); }

 private:
  __device__ thread_block() : thread_group(Kind::block) {}
  friend __device__ thread_block this_thread_block();
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

// The threads of a grid. Who waits for all of them needs cudaLaunchCooperativeKernel, as on a GPU.
class grid_group : public thread_group {
 public:
  __device__ bool is_valid() const { return detail::grid_barrier.is_cooperative; }
  __device__ void sync() const {
    if (!is_valid())
      __gpusim_trap(
          "sync() of this_grid() in a kernel that was launched by <<<>>>: only one that cudaLaunchCooperativeKernel "
          "launches may wait for its whole grid");
    detail::wait_for_grid();
  }
  __device__ static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  __device__ static dim3 dim_blocks() { return gridDim; }
  __device__ static dim3 group_dim() { return gridDim; }
  __device__ static dim3 block_index() { return blockIdx; }

 private:
  __device__ grid_group() : thread_group(Kind::grid) {}
  friend __device__ grid_group this_grid();
};
__device__ inline grid_group this_grid() { return grid_group(); }

// Lanes of a warp, any of them. Ranks count its lanes from 0.
class coalesced_group : public thread_group {
 public:
  __device__ unsigned num_threads() const { return __popc(mask_); }
  __device__ unsigned size() const { return num_threads(); }
  __device__ unsigned thread_rank() const { return __popc(mask_ & detail::lanes_below()); }
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }
  __device__ void sync() const { __syncwarp(mask_); }

  template <class T>
  __device__ T shfl(const T& value, unsigned rank) const {
    return detail::from_lane(mask_, value, rank == 0 ? __ffs(mask_) - 1 : detail::lane_of(mask_, rank));
  }
  template <class T>
  __device__ T shfl_up(const T& value, unsigned distance) const {
    const unsigned rank = thread_rank();
    return detail::from_lane(mask_, value,
                             rank < distance ? detail::lane() : detail::lane_of(mask_, rank - distance));
  }
  template <class T>
  __device__ T shfl_down(const T& value, unsigned distance) const {
    const unsigned rank = thread_rank() + distance;
    return detail::from_lane(mask_, value, rank >= size() ? detail::lane() : detail::lane_of(mask_, rank));
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate) != 0; }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate) != 0; }
  __device__ unsigned ballot(int predicate) const {
    return detail::ranks_of(mask_, __ballot_sync(mask_, predicate));
  }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return detail::ranks_of(mask_, detail::match_any(mask_, value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all_equal) const {
    return detail::ranks_of(mask_, detail::match_all(mask_, value, all_equal));
  }

 private:
  __device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(Kind::lanes, mask) {
    meta_rank_ = meta_rank, meta_size_ = meta_size;
  }
  friend __device__ coalesced_group coalesced_threads();
  friend __device__ coalesced_group tiled_partition(const coalesced_group& parent, unsigned threads);
  friend struct detail::Lanes;
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Size lanes of a warp beside each other: 1, 2, 4, … 32. Parent is the group that was divided, void for "any".
template <unsigned Size, class Parent = void>
class thread_block_tile;

namespace detail {

template <unsigned Size>
class Tile {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile has a power of two of threads");
  static_assert(Size <= 32, "tiles of more than 32 threads are not simulated; run this on a GPU");

 public:
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static unsigned thread_rank() { return lane() & (Size - 1); }
  __device__ static void sync() { __syncwarp(mask()); }

  template <class T>
  __device__ T shfl(const T& value, int rank) const {
    return by_words(value, [=](const int& word) { return __shfl_sync(mask(), word, rank, Size); });
  }
  template <class T>
  __device__ T shfl_up(const T& value, unsigned distance) const {
    return by_words(value, [=](const int& word) { return __shfl_up_sync(mask(), word, distance, Size); });
  }
  template <class T>
  __device__ T shfl_down(const T& value, unsigned distance) const {
    return by_words(value, [=](const int& word) { return __shfl_down_sync(mask(), word, distance, Size); });
  }
  template <class T>
  __device__ T shfl_xor(const T& value, unsigned lane_mask) const {
    return by_words(value, [=](const int& word) { return __shfl_xor_sync(mask(), word, lane_mask, Size); });
  }
  __device__ int any(int predicate) const { return __any_sync(mask(), predicate) != 0; }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate) != 0; }
  __device__ unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first_lane(); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return detail::match_any(mask(), value) >> first_lane();
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all_equal) const {
    return detail::match_all(mask(), value, all_equal) >> first_lane();
  }

 private:
  __device__ static unsigned first_lane() { return lane() & ~(Size - 1); }
  __device__ static unsigned mask() {
    return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << first_lane();
  }
  friend struct Lanes;
};

// The tile's number, and how many tiles there are, according to the group that was divided.
template <unsigned Size>
__device__ unsigned meta_rank(const thread_block&) {
  return thread_block::thread_rank() / Size;
}
template <unsigned Size>
__device__ unsigned meta_size(const thread_block&) {
  return (thread_block::num_threads() + Size - 1) / Size;
}
template <unsigned Size, unsigned Of>
__device__ unsigned meta_rank(const Tile<Of>& parent) {
  return parent.thread_rank() / Size;
}
template <unsigned Size, unsigned Of>
__device__ constexpr unsigned meta_size(const Tile<Of>&) {
  return Of / Size;
}

}  // namespace detail

template <unsigned Size>
class thread_block_tile<Size, void> : public detail::Tile<Size> {
 public:
  template <class Parent>
  __device__ thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }

 protected:
  __device__ thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned meta_rank_, meta_size_;
  friend __device__ thread_block_tile<1> this_thread();
};
template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
 public:
  __device__ explicit thread_block_tile(const Parent& parent)
      : thread_block_tile<Size, void>(detail::meta_rank<Size>(parent), detail::meta_size<Size>(parent)) {}
};
__device__ inline thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

template <unsigned Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}

namespace detail {

// What makes groups of masks, and masks of groups.
struct Lanes {
  template <unsigned Size>
  __device__ static unsigned mask(const Tile<Size>& tile) {
    return tile.mask();
  }
  __device__ static unsigned mask(const coalesced_group& group) { return group.mask_; }
  __device__ static coalesced_group group(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
  __device__ static unsigned meta_rank(const coalesced_group& group) { return group.meta_rank_; }
};

// Divides the lanes in `mask` into parts of `threads` lanes, counted from the first, and returns the part with this lane.
__device__ inline unsigned part_of(unsigned mask, unsigned rank, unsigned threads) {
  const unsigned first = rank / threads * threads;
  const unsigned from = ~0u << lane_of(mask, first);
  const unsigned behind = lane_of(mask, first + threads);  // no lane: the part ends with the mask
  return mask & from & (behind < 32 ? (1u << behind) - 1 : ~0u);
}
__device__ inline void check_tile(unsigned threads) {
  if (threads == 0 || threads > 32 || (threads & (threads - 1)))
    __gpusim_trap("tiled_partition() of a number of threads that is not 1, 2, 4, 8, 16 or 32");
}

}  // namespace detail

__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned threads) {
  detail::check_tile(threads);
  if (parent.size() <= threads) return parent;
  const unsigned rank = parent.thread_rank();
  return coalesced_group(detail::part_of(parent.mask_, rank, threads), rank / threads,
                         (parent.size() + threads - 1) / threads);
}
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned threads) {
  detail::check_tile(threads);
  if (parent.kind_ == thread_group::Kind::lanes) {
    if (parent.num_threads() <= threads) return parent;
    return thread_group(thread_group::Kind::lanes,
                        detail::part_of(parent.mask_, unsigned(parent.thread_rank()), threads));
  }
  // Of a block (no grid is divided): the last tile may be shorter.
  const unsigned first = thread_block::thread_rank() & ~(threads - 1),
                 left = thread_block::num_threads() - first;
  const unsigned lanes = left < threads ? left : threads;
  return thread_group(thread_group::Kind::lanes, (~0u >> (32 - lanes)) << (detail::lane() & ~(threads - 1)));
}

__device__ inline unsigned long long thread_group::num_threads() const {
  if (kind_ == Kind::lanes) return __popc(mask_);
  return kind_ == Kind::block ? thread_block::num_threads() : grid_group::num_threads();
}
__device__ inline unsigned long long thread_group::thread_rank() const {
  if (kind_ == Kind::lanes) return __popc(mask_ & detail::lanes_below());
  return kind_ == Kind::block ? thread_block::thread_rank() : grid_group::thread_rank();
}
__device__ inline void thread_group::sync() const {
  if (kind_ == Kind::lanes) __syncwarp(mask_);
  else if (kind_ == Kind::block) __syncthreads();
  else static_cast<const grid_group*>(this)->sync();
}

// The lanes that have the same label; those for which `predicate` holds, and the others.
template <class Group>
__device__ coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned mask = detail::Lanes::mask(group), holds = __ballot_sync(mask, predicate);
  if (holds == 0 || holds == mask) return detail::Lanes::group(mask, 0, 1);
  return detail::Lanes::group(predicate ? holds : mask & ~holds, predicate, 2);
}
template <class Group, class Label>
__device__ coalesced_group labeled_partition(const Group& group, Label label) {
  static_assert(__is_integral(Label) || __is_pointer(Label), "a label is an integer or a pointer");
  if constexpr (__is_same(Label, bool)) return binary_partition(group, label);
  const unsigned mask = detail::Lanes::mask(group), same = detail::match_any(mask, label);
  const unsigned first = __ffs(same) - 1, leaders = __ballot_sync(mask, first == detail::lane());
  return detail::Lanes::group(same, __popc(leaders & ((1u << first) - 1)), __popc(leaders));
}

// The same for any group.
template <class Group>
__device__ void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__device__ auto group_size(const Group& group) {
  return group.num_threads();
}

template <class Group, class Function, class... Arguments>
__device__ void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
__device__ auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result;
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
