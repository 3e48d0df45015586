// Races that the compiler would remove with the accesses that make them, and values that no run can vouch for.
#include "launch_each.h"

__device__ int element(const int* p, int at) { return p[at]; }
struct View {
  int* p;
  __device__ int& operator[](int at) const { return p[at]; }
};

KERNEL(wrong_dead_load) {
  b[ME] = 1;
  const int unused = b[ME ^ 1];
  (void)unused;
}
KERNEL(right_dead_load) {
  b[ME] = 1;
  const int unused = b[ME];
  (void)unused;
}
KERNEL(wrong_dead_load_in_function) {
  b[ME] = 1;
  element(b, ME ^ 1);
}
KERNEL(wrong_dead_load_times_zero) {
  b[ME] = 1;
  a[ME] = 0 * b[ME ^ 1];
}
KERNEL(wrong_dead_shared_store) {
  __shared__ int nobody_reads[4];
  nobody_reads[0] = T;
  b[ME] = 1;
}
KERNEL(right_dead_shared_store) {
  __shared__ int nobody_reads[kThreads];
  nobody_reads[T] = T;
  b[ME] = 1;
}
KERNEL(wrong_overwritten_store) {
  b[0] = T;
  if (ME == 0) b[0] = 1;
  __shared__ int last[2];
  last[0] = T;
  last[0] = 5;
  a[ME] = last[1 - 1] * 0;
}
KERNEL(wrong_store_of_what_is_there) { b[0] = b[0]; }
KERNEL(wrong_difference_of_one) { b[ME] = a[2048] - a[2048], a[2048] = T; }
KERNEL(wrong_through_reference) {
  const View view{b};
  int& other = view[ME ^ 1];
  const int copy = other;
  (void)copy;
  view[ME] = 1;
}
KERNEL(wrong_counted_in_a_register) {
  for (int k = 0; k < n; ++k) b[0] += 1;
}
KERNEL(wrong_loop_of_nothing) {
  b[ME] = 1;
  for (int k = 0; k < kThreads; ++k) (void)element(b, k);
}
KERNEL(wrong_dead_vector_load) {
  b[ME] = 1;
  const int4 unused = *reinterpret_cast<const int4*>(&b[ME / 4 * 4]);
  (void)unused;
}
KERNEL(wrong_structure_copied) {
  struct Pair {
    int x, y;
  };
  Pair* const pairs = reinterpret_cast<Pair*>(b);
  Pair mine = pairs[ME / 2];
  (void)mine;
  b[ME] = 1;
}
KERNEL(wrong_dead_inline_ptx) {
  b[ME] = 1;
  int unused;
  asm("ld.global.u32 %0, [%1];" : "=r"(unused) : "l"(&b[ME ^ 1]));
}
KERNEL(wrong_forwarded_between_barriers) {
  __shared__ int x;
  x = T;
  b[ME] = T;
  __syncthreads();
}

// ---- Equal values
KERNEL(wrong_equal_values_of_blocks) { b[T] = 7; }
KERNEL(wrong_equal_values_of_lanes) { b[ME / 2] = 7; }
KERNEL(wrong_equal_values_in_shared) {
  __shared__ int found;
  found = 1;
  __syncthreads();
  b[ME] = found;
}
KERNEL(wrong_equal_values_loaded) { b[T % 2 + 2 * blockIdx.x] = a[0]; }
KERNEL(right_one_thread_stores) {
  if (ME == 0) b[0] = 7;
}

// ---- Memory without a value
KERNEL(wrong_shared_memory_without_value) {
  __shared__ int tile[kThreads];
  if (T > 0) tile[T] = 1;
  __syncthreads();
  b[ME] = tile[63 - T];
}

// ---- Arguments that mean more than one array
KERNEL(wrong_arrays_overlap) { b[ME] = a[ME]; }
KERNEL(right_arrays_do_not_overlap) { b[ME] = a[ME]; }
KERNEL(right_same_array) { b[ME] = a[ME]; }
__global__ void wrong_restrict_to_one_array(int* __restrict__ a, int* b, int n) { b[ME] = a[ME] + n; }
KERNEL(wrong_read_only_cache) {
  b[ME] = T;
  a[ME] = __ldg(&b[ME]);
}
KERNEL(wrong_harmless_argument) { b[ME * n] = T; }
KERNEL(right_harmless_argument) { b[ME * n] = T; }

int main() {
  launch(wrong_dead_load);
  launch(right_dead_load);
  launch(wrong_dead_load_in_function);
  launch(wrong_dead_load_times_zero);
  launch(wrong_dead_shared_store);
  launch(right_dead_shared_store);
  launch(wrong_overwritten_store);
  launch(wrong_store_of_what_is_there);
  launch(wrong_difference_of_one);
  launch(wrong_through_reference);
  launch(wrong_counted_in_a_register);
  launch(wrong_loop_of_nothing);
  launch(wrong_dead_vector_load);
  launch(wrong_structure_copied);
  launch(wrong_dead_inline_ptx);
  launch(wrong_forwarded_between_barriers);
  launch(wrong_equal_values_of_blocks);
  launch(wrong_equal_values_of_lanes);
  launch(wrong_equal_values_in_shared);
  launch(wrong_equal_values_loaded);
  launch(right_one_thread_stores);
  launch(wrong_shared_memory_without_value);
  launch(wrong_arrays_overlap, 4, 16);
  launch(right_arrays_do_not_overlap, 4, 128);
  launch(right_same_array, 4, 0);
  launch(wrong_restrict_to_one_array, 4, 0);
  launch(wrong_read_only_cache);
  launch(wrong_harmless_argument, 0);
  launch(right_harmless_argument, 1);
}
// SPDX-License-Identifier: MIT
