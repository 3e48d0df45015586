// Chapter 15 · What threads keep of a row while the whole row is not known yet: packs of it, in registers or in
// shared memory. rows.cuh says what an operation `Op` is.
#pragma once

#include <cuda_pipeline.h>
#include <packs.cuh>

// The packs that thread `me` of a team keeps of a row: `first_pack + me`, then every kTeam-th after it, before
// `end_pack`.
template <typename Op, typename T, bool kAligned, int kTeam, int kPacks> struct Share {
  using Row = PackedRow<T, kAligned>;
  uint4 packs[kPacks];
  int first;  // the first pack of this thread

  __device__ static uint4 nothing() {
    float x[kPerPack<T>];
#pragma unroll
    for (int e = 0; e < kPerPack<T>; ++e) x[e] = Op::kFiller;
    return packed<T>(x);
  }

  __device__ void load(const Row& row, int first_pack, int end_pack, int me, Keep keep) {
    first = first_pack + me;
#pragma unroll  // first all loads: none of them is used before the last is made
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      packs[k] = pack < end_pack && row.is_whole(pack) ? row.load(pack, keep) : nothing();
    }
    if constexpr (!kAligned) {
#pragma unroll
      for (int k = 0; k < kPacks; ++k) {
        const int pack = first + k * kTeam;
        if (pack < end_pack && row.is_partial(pack)) packs[k] = row.load_partial(pack, Op::kFiller);
      }
    }
  }

  __device__ void store(const Op& op, const typename Op::Row& whole_row, const Row& row, int end_pack) const {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      if (pack >= end_pack || row.first_of(pack) >= row.columns) continue;
      float x[kPerPack<T>];
      unpack<T>(packs[k], x);
      op.template apply<T>(whole_row, x, row, pack);
      row.store(pack, x);
    }
  }
};

// The same for a block, in its dynamic shared memory, and for aligned rows only. Each thread reads only its own
// packs, so none waits for another's copies.
template <typename Op, typename T, int kTeam, int kPacks> struct ShareInShared {
  using Row = PackedRow<T, true>;
  static constexpr int kGroup = 2;  // packs that come to registers at a time
  static_assert(kPacks % kGroup == 0);
  int first;  // the first pack of this thread

  __device__ static uint4& kept(int k) {
    extern __shared__ uint4 packs[];
    return packs[threadIdx.x + k * kTeam];
  }
  __device__ uint4 kept_or_nothing(int k, int end_pack) const {
    return first + k * kTeam < end_pack ? kept(k) : Share<Op, T, true, kTeam, 1>::nothing();
  }

  // Begins the copies, and does not wait for them.
  __device__ void load(const Row& row, int first_pack, int end_pack) {
    first = first_pack + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      if (pack < end_pack) __pipeline_memcpy_async(&kept(k), row.address(pack), sizeof(uint4));
    }
  }

  // Waits for the copies.
  __device__ typename Op::State state(const Op& op, int end_pack) const {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    typename Op::State state = Op::nothing();
#pragma unroll 1
    for (int k = 0; k < kPacks; k += kGroup) {
      const uint4 group[kGroup] = {kept_or_nothing(k, end_pack), kept_or_nothing(k + 1, end_pack)};
      state = Op::merge(state, op.template state_of<T>(group));
    }
    return state;
  }

  __device__ void store(const Op& op, const typename Op::Row& whole_row, const Row& row, int end_pack) const {
#pragma unroll kGroup
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      if (pack >= end_pack) continue;
      float x[kPerPack<T>];
      unpack<T>(kept(k), x);
      op.template apply<T>(whole_row, x, row, pack);
      row.store(pack, x);
    }
  }
};

// What a block keeps of an aligned row: of each thread kInShared packs in shared memory, then kPacks in registers.
template <typename Op, typename T, int kTeam, int kPacks, int kInShared> struct BlockShare {
  using Row = PackedRow<T, true>;
  Share<Op, T, true, kTeam, kPacks> in_registers;
  ShareInShared<Op, T, kTeam, kInShared> in_shared;

  __device__ void load(const Row& row, int first_pack, int end_pack, Keep keep) {
    if constexpr (kInShared > 0) in_shared.load(row, first_pack, end_pack);
    in_registers.load(row, first_pack + kInShared * kTeam, end_pack, threadIdx.x, keep);
  }
  __device__ typename Op::State state(const Op& op, int end_pack) const {
    typename Op::State state = op.template state_of<T>(in_registers.packs);
    if constexpr (kInShared > 0) state = Op::merge(state, in_shared.state(op, end_pack));
    return state;
  }
  __device__ void store(const Op& op, const typename Op::Row& whole_row, const Row& row, int end_pack) const {
    if constexpr (kInShared > 0) in_shared.store(op, whole_row, row, end_pack);
    in_registers.store(op, whole_row, row, end_pack);
  }
};
// SPDX-License-Identifier: MIT
