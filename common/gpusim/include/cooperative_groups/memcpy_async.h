// cooperative_groups::memcpy_async: the threads of a group copy together, by cp.async where the places allow it.
#pragma once
#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {
namespace detail {

template <class Group>
__device__ void copy_bytes(const Group& group, char* to, const char* from, size_t bytes) {
  const size_t rank = group.thread_rank(), threads = group.num_threads();
  const size_t address = size_t(to) | size_t(from) | bytes;
  if (__isShared(to) && __isGlobal(from) && address % 4 == 0) {
    const size_t unit = address % 16 == 0 ? 16 : address % 8 == 0 ? 8 : 4;
    for (size_t at = rank * unit; at < bytes; at += threads * unit) {
      if (unit == 16) __pipeline_memcpy_async(to + at, from + at, 16);
      else if (unit == 8) __pipeline_memcpy_async(to + at, from + at, 8);
      else __pipeline_memcpy_async(to + at, from + at, 4);
    }
  } else if (address % 4 == 0) {
    for (size_t at = rank * 4; at < bytes; at += threads * 4)
      *reinterpret_cast<int*>(to + at) = *reinterpret_cast<const int*>(from + at);
  } else {
    for (size_t at = rank; at < bytes; at += threads) to[at] = from[at];
  }
  __pipeline_commit();
}

}  // namespace detail

// Bytes.
template <class Group, class T, class Size>
__device__ void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  detail::copy_bytes(group, reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), size_t(bytes));
}
// Elements: as many as both places have.
template <class Group, class T, class ToCount, class FromCount>
__device__ void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                             const FromCount& from_count) {
  const size_t count = size_t(to_count) < size_t(from_count) ? size_t(to_count) : size_t(from_count);
  memcpy_async(group, to, from, count * sizeof(T));
}

// For all copies of the group but the last N; then the group meets.
template <unsigned N, class Group>
__device__ void wait_prior(const Group& group) {
  __pipeline_wait_prior(N);
  group.sync();
}
template <class Group>
__device__ void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
