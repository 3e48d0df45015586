// What orders threads, and what does not: barriers, fences, flags, atomics, lanes that have left. The classes of faults are those of
// GPUVerify's tests (Betts, Chong, Donaldson, Qadeer, Thomson, "GPUVerify", OOPSLA 2012), the kernels are not.
#include "launch_each.h"

KERNEL(wrong_no_barrier) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  b[ME] = tile[63 - T];
}
KERNEL(right_barrier) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncthreads();
  b[ME] = tile[63 - T];
}
KERNEL(wrong_barrier_missing_at_the_end_of_a_loop) {
  __shared__ int tile[kThreads];
  for (int k = 0; k < n; ++k) {
    tile[T] = T + k;
    __syncthreads();
    b[ME] += tile[63 - T];
  }
}
KERNEL(right_barriers_in_a_loop) {
  __shared__ int tile[kThreads];
  for (int k = 0; k < n; ++k) {
    tile[T] = T + k;
    __syncthreads();
    b[ME] += tile[63 - T];
    __syncthreads();
  }
}
KERNEL(wrong_barrier_in_both_branches) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  if (T < 32) {
    __syncthreads();
    b[ME] = 1;
  } else {
    __syncthreads();
    b[ME] = tile[63 - T];
  }
}
KERNEL(wrong_left_before_barrier) {
  if (T >= 32) return;
  __syncthreads();
  b[ME] = 1;
}
KERNEL(right_nobody_leaves) {
  if (T < 32) b[ME] = 1;
  __syncthreads();
}
KERNEL(wrong_between_blocks) { a[(ME + 64) % 128] = a[ME]; }
KERNEL(right_within_blocks) {
  const int mine = a[ME ^ 1];
  __syncthreads();
  a[ME] = mine;
}
KERNEL(wrong_block_barrier_between_blocks) {
  const int mine = a[(ME + 64) % 128];
  __syncthreads();
  a[ME] = mine;
}
KERNEL(wrong_syncwarp_for_other_warps) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncwarp();
  b[ME] = tile[63 - T];
}
KERNEL(right_syncwarp) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncwarp();
  b[ME] = tile[T ^ 31];
}
KERNEL(wrong_mask_too_small) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncwarp(T % 32 < 16 ? 0x0000ffff : 0xffff0000);
  b[ME] = tile[T ^ 31];
}
KERNEL(wrong_syncwarp_of_lanes_that_left) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  if (T % 32 >= 16) return;
  __syncwarp();
  b[ME] = tile[T];
}
KERNEL(wrong_shuffle_orders_nothing) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  const int lane = __shfl_xor_sync(0xffffffff, T, 1);
  b[ME] = tile[lane];
}
KERNEL(wrong_ballot_orders_nothing) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  b[ME] = __ballot_sync(0xffffffff, T > 3) + tile[T ^ 1];
}
KERNEL(wrong_lockstep_tree) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  __syncthreads();
  if (T < 32) tile[T] += tile[T + 32];
  if (T < 16) tile[T] += tile[T + 16];
  if (T == 0) b[blockIdx.x] = tile[0];
}
KERNEL(wrong_volatile_tree) {
  __shared__ volatile int tile[kThreads];
  tile[T] = T;
  __syncthreads();
  if (T < 32) tile[T] = tile[T] + tile[T + 32];
  if (T < 16) tile[T] = tile[T] + tile[T + 16];
  if (T == 0) b[blockIdx.x] = tile[0];
}
KERNEL(wrong_volatile_flag) {
  volatile int* const flag = b + 1;
  if (ME == 0) b[0] = 1, *flag = 1;
  if (ME == 0) b[2] = *flag;
}
KERNEL(wrong_fence_alone) {
  b[ME] = T;
  __threadfence();
  a[ME] = b[ME ^ 1] * 0;
}
KERNEL(wrong_fence_though_nothing_needs_it) {
  b[ME] = T;
  __threadfence();
}
KERNEL(wrong_named_barrier) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  asm volatile("bar.sync 1;" ::: "memory");
  b[ME] = tile[63 - T];
}
KERNEL(wrong_barrier_of_some_threads) {
  __shared__ int tile[kThreads];
  tile[T] = T;
  asm volatile("bar.sync 0, 64;" ::: "memory");
  b[ME] = tile[63 - T];
}
KERNEL(wrong_plain_and_atomic) {
  atomicAdd(&b[0], 1);
  if (ME == 0) b[1] = b[0];
}
KERNEL(wrong_plain_read_before_own_atomic) {
  const int before = b[T];
  atomicAdd(&b[T], 1);
  a[ME] = before;
}
KERNEL(right_atomic_then_barrier) {
  __shared__ int total;
  if (T == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, T);
  __syncthreads();
  b[ME] = total;
}
KERNEL(right_histogram) { atomicAdd(&b[T % 16], 1); }
KERNEL(wrong_histogram_of_data) { atomicAdd(&b[a[ME] % 16], 1); }
KERNEL(free_float_atomic) { atomicAdd(reinterpret_cast<float*>(b), 0.1f); }
KERNEL(free_two_kinds_of_atomics) {
  atomicAdd(&b[0], T);
  atomicMax(&b[0], 5);
}
KERNEL(free_exchange) { atomicExch(&b[0], ME); }
KERNEL(free_ticket_as_value) { a[ME] = atomicAdd(&b[0], 1); }
KERNEL(free_clock_as_value) { a[ME] = int(clock()); }
KERNEL(wrong_compare_and_swap) { atomicCAS(&b[0], 0, ME); }
KERNEL(wrong_lock) {
  if (T == 0) {
    while (atomicCAS(&b[0], 0, 1) != 0) {
    }
    b[1] += 1;
    atomicExch(&b[0], 0);
  }
}
KERNEL(wrong_last_block) {
  __shared__ int is_last;
  b[ME] = T;
  __threadfence();
  __syncthreads();
  if (T == 0) is_last = atomicAdd(&b[kInts - 1], 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last) a[T] = b[T] + b[T + 64];
}
KERNEL(wrong_bytes_of_one_word) {
  char* const bytes = reinterpret_cast<char*>(b);
  bytes[ME] = 1;
  if (ME == 0) b[1] = 2;
}
KERNEL(right_bytes) { reinterpret_cast<char*>(b)[ME] = 1; }
KERNEL(wrong_neighbours_stencil) { a[ME + 1] = a[ME] + a[ME + 2]; }
KERNEL(right_stencil) { b[ME + 1] = a[ME] + a[ME + 1] + a[ME + 2]; }
KERNEL(wrong_off_by_one) {
  b[ME] = 1;
  if (T == 63) b[ME + 1] = 2;
}
KERNEL(wrong_two_arrays_one_barrier_apart) {
  __shared__ int first[kThreads], second[kThreads];
  first[T] = T;
  __syncthreads();
  second[63 - T] = first[T];
  b[ME] = second[T];
}
KERNEL(wrong_modulo) { b[T % 48 + 64 * blockIdx.x] = T; }
KERNEL(right_modulo) { b[T % 64 + 64 * blockIdx.x] = T; }
__device__ int counter;
KERNEL(wrong_module_variable) { counter = ME; }
KERNEL(right_module_variable) {
  if (ME == 3) counter = ME;
}
KERNEL(wrong_malloc) {
  int* const mine = static_cast<int*>(malloc(16));
  *mine = T;
  free(mine);
}
KERNEL(right_printf) {
  b[ME] = 1;
  if (n < 0) printf("%d\n", T);
}
__device__ __noinline__ int by_call(int* p, int at) { return p[at]; }
KERNEL(wrong_function_by_address) {
  int (*f)(int*, int) = n > 100 ? nullptr : by_call;
  b[ME] = f(a, ME);
}

int main() {
  launch(wrong_no_barrier);
  launch(right_barrier);
  launch(wrong_barrier_missing_at_the_end_of_a_loop);
  launch(right_barriers_in_a_loop);
  launch(wrong_barrier_in_both_branches);
  launch(wrong_left_before_barrier);
  launch(right_nobody_leaves);
  launch(wrong_between_blocks);
  launch(right_within_blocks);
  launch(wrong_block_barrier_between_blocks);
  launch(wrong_syncwarp_for_other_warps);
  launch(right_syncwarp);
  launch(wrong_mask_too_small);
  launch(wrong_syncwarp_of_lanes_that_left);
  launch(wrong_shuffle_orders_nothing);
  launch(wrong_ballot_orders_nothing);
  launch(wrong_lockstep_tree);
  launch(wrong_volatile_tree);
  launch(wrong_volatile_flag);
  launch(wrong_fence_alone);
  launch(wrong_fence_though_nothing_needs_it);
  launch(wrong_named_barrier);
  launch(wrong_barrier_of_some_threads);
  launch(wrong_plain_and_atomic);
  launch(wrong_plain_read_before_own_atomic);
  launch(right_atomic_then_barrier);
  launch(right_histogram);
  launch(wrong_histogram_of_data);
  launch(free_float_atomic);
  launch(free_two_kinds_of_atomics);
  launch(free_exchange);
  launch(free_ticket_as_value);
  launch(free_clock_as_value);
  launch(wrong_compare_and_swap);
  launch(wrong_lock);
  launch(wrong_last_block);
  launch(wrong_bytes_of_one_word);
  launch(right_bytes);
  launch(wrong_neighbours_stencil);
  launch(right_stencil);
  launch(wrong_off_by_one);
  launch(wrong_two_arrays_one_barrier_apart);
  launch(wrong_modulo);
  launch(right_modulo);
  launch(wrong_module_variable);
  launch(right_module_variable);
  launch(wrong_malloc);
  launch(right_printf);
  launch(wrong_function_by_address);
}
// SPDX-License-Identifier: MIT
