// What a thread accesses, or for whom it waits, depends on data: with these values it happens to be right.
#include "launch_each.h"

// ---- Addresses
KERNEL(wrong_index_from_global) { b[a[ME]] = 1; }
KERNEL(right_index_from_global) { b[ME] = a[ME]; }
KERNEL(wrong_index_from_shared) {
  __shared__ int at[kThreads];
  at[T] = a[ME];
  __syncthreads();
  b[at[T]] = 1;
}
KERNEL(right_value_from_shared) {
  __shared__ int at[kThreads];
  at[T] = a[ME];
  __syncthreads();
  b[ME] = at[63 - T];
}
KERNEL(wrong_index_from_shuffle) { b[__shfl_xor_sync(0xffffffff, a[ME], 1)] = 1; }
KERNEL(right_index_from_shuffle_of_indices) { b[__shfl_xor_sync(0xffffffff, ME, 1)] = 1; }
KERNEL(wrong_index_from_ballot) { b[kThreads * 40 + ME - __popc(__ballot_sync(0xffffffff, a[ME] >= 0))] = 1; }
KERNEL(right_index_from_ballot_of_indices) {
  b[kThreads * 40 + ME - __popc(__ballot_sync(0xffffffff, T % 32 < 16))] = 1;
}
KERNEL(wrong_index_from_reduction) { b[ME + __reduce_add_sync(0xffffffff, a[ME] < 0)] = 1; }
KERNEL(wrong_index_from_match) { b[ME + __popc(__match_any_sync(0xffffffff, a[ME]))] = 1; }
KERNEL(wrong_index_from_block_count) { b[ME + __syncthreads_count(a[ME] < 0)] = 1; }
KERNEL(right_index_from_block_count) { b[ME + __syncthreads_count(T < 3)] = 1; }
KERNEL(wrong_index_from_ticket) { b[atomicAdd(&b[kInts - 1], 1)] = 1; }
KERNEL(wrong_index_from_clock) { b[ME + (clock() < 0)] = 1; }
KERNEL(wrong_index_from_global_timer) {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  b[ME + (now == 0)] = 1;
}
KERNEL(wrong_index_from_multiprocessor) {
  unsigned at;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(at));
  b[ME + (at > 1000)] = 1;
}
KERNEL(wrong_index_from_warp_number) {
  unsigned warp;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  b[blockIdx.x * 64 + (warp % 2) * 32 + T % 32] = 1;
}
KERNEL(wrong_index_from_active_lanes) { b[ME + __popc(__activemask())] = 1; }
__constant__ int table[4] = {0, 0, 0, 0};
KERNEL(wrong_index_from_constant_memory) { b[ME + table[T % 4]] = 1; }
KERNEL(wrong_index_from_private_array) {
  int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = a[k * 64 + T];
  b[mine[n % 4] % 64 + 64 * blockIdx.x] = 1;
}
KERNEL(wrong_index_by_selection) { b[a[ME] >= 0 ? ME : 0] = 1; }
KERNEL(wrong_index_by_minimum) { b[min(a[ME], ME)] = 1; }
KERNEL(wrong_pointer_from_memory) {
  int** const pointers = reinterpret_cast<int**>(a);
  if (n < 0) *pointers[ME] = 1;
  __shared__ int* chosen;
  if (T == 0) chosen = b;
  __syncthreads();
  chosen[ME] = 1;
}

// ---- Branches, guards and loops
KERNEL(wrong_branch) {
  if (a[ME] < 0) b[0] = T;
}
KERNEL(right_branch) {
  if (ME < n) b[ME] = a[ME];
}
KERNEL(wrong_loop_bound) {
  for (int k = 0; k < a[0]; ++k) b[k] = T;
}
KERNEL(right_loop_bound) {
  for (int k = 0; k < n; ++k) b[ME] += a[k];
}
KERNEL(wrong_loop_end) {
  int k = 0;
  while (a[k] < 100) ++k;
  b[ME] = k;
}
KERNEL(wrong_early_exit) {
  __shared__ int tile[kThreads];
  if (a[ME] < 0) return;
  tile[T] = 1;
  __syncthreads();
  b[ME] = tile[63 - T];
}
KERNEL(wrong_switch) {
  switch (a[ME] / 1000) {
    case 0: b[ME] = 1; break;
    case 1: b[0] = 2; break;
    case 2: b[1] = 3; break;
    case 3: b[2] = 4; break;
    default: b[3] = 5;
  }
}
KERNEL(wrong_any) {
  if (__any_sync(0xffffffff, a[ME] < 0)) b[0] = T;
}
KERNEL(wrong_block_or) {
  if (__syncthreads_or(a[ME] < 0)) b[0] = T;
}
KERNEL(wrong_ticket) {
  if (atomicAdd(&b[0], 1) == 1000) b[1] = T;
}
KERNEL(wrong_barrier_in_branch) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  if (a[0] == 0) __syncthreads();
  b[ME] = tile[63 - T];
}
KERNEL(wrong_divergence_by_float) {
  if (float(a[ME]) * 0.5f < -1.0f) b[0] = T;
}
KERNEL(wrong_branch_by_aliased_flag) {
  b[ME] = 0;
  __syncthreads();
  if (a[kInts + T] != 0) b[kThreads * 3] = T;
}

// ---- Masks and lanes
KERNEL(wrong_mask_of_syncwarp) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncwarp(a[kInts - 1] > 0 ? 0xffffffff : 1u << T % 32);
  b[ME] = tile[T ^ 1];
}
KERNEL(right_mask_of_syncwarp) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncwarp(T % 32 < 16 ? 0x0000ffff : 0xffff0000);
  b[ME] = tile[T ^ 1];
}
KERNEL(wrong_source_lane) { b[ME] = __shfl_sync(0xffffffff, T, a[T]); }
KERNEL(wrong_mask_of_shuffle) { b[ME] = __shfl_sync(a[0] == 0 ? 0xffffffff : 1, T, 0); }
KERNEL(wrong_active_mask) { b[ME] = __shfl_sync(__activemask(), T, 0); }

int main() {
  launch(wrong_index_from_global);
  launch(right_index_from_global);
  launch(wrong_index_from_shared);
  launch(right_value_from_shared);
  launch(wrong_index_from_shuffle);
  launch(right_index_from_shuffle_of_indices);
  launch(wrong_index_from_ballot);
  launch(right_index_from_ballot_of_indices);
  launch(wrong_index_from_reduction);
  launch(wrong_index_from_match);
  launch(wrong_index_from_block_count);
  launch(right_index_from_block_count);
  launch(wrong_index_from_ticket);
  launch(wrong_index_from_clock);
  launch(wrong_index_from_global_timer);
  launch(wrong_index_from_multiprocessor);
  launch(wrong_index_from_warp_number);
  launch(wrong_index_from_active_lanes);
  launch(wrong_index_from_constant_memory);
  launch(wrong_index_from_private_array);
  launch(wrong_index_by_selection);
  launch(wrong_index_by_minimum);
  launch(wrong_pointer_from_memory);
  launch(wrong_branch);
  launch(right_branch);
  launch(wrong_loop_bound);
  launch(right_loop_bound);
  launch(wrong_loop_end);
  launch(wrong_early_exit);
  launch(wrong_switch);
  launch(wrong_any);
  launch(wrong_block_or);
  launch(wrong_ticket);
  launch(wrong_barrier_in_branch);
  launch(wrong_divergence_by_float);
  launch(wrong_branch_by_aliased_flag);
  launch(wrong_mask_of_syncwarp);
  launch(right_mask_of_syncwarp);
  launch(wrong_source_lane);
  launch(wrong_mask_of_shuffle);
  launch(wrong_active_mask);
}
// SPDX-License-Identifier: MIT
