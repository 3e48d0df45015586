// expect: ballots 55555555 000000ff 80000000
// expect: all 1 0, any 1 0
// expect: equal values 11111111 22222222 44444444 88888888
// expect: all equal: ffffffff 1, not: 0 0
// expect: reduced: sum 496, smallest 3, largest 34, and 0, or 31, xor 0
// expect: active in a branch: 0000ffff
//
// What lanes of a warp decide together.
#include <cstdio>

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x, all = 0xffffffff;
  const unsigned even = __ballot_sync(all, lane % 2 == 0), low = __ballot_sync(all, lane < 8);
  const unsigned last = __ballot_sync(all, lane == 31);
  const int all_small = __all_sync(all, lane < 32), all_odd = __all_sync(all, lane % 2);
  const int any_last = __any_sync(all, lane == 31), any_more = __any_sync(all, lane > 31);
  const unsigned same = __match_any_sync(all, lane % 4);
  int is_same = 7, is_other = 7;
  const unsigned mask = __match_all_sync(all, 5, &is_same), none = __match_all_sync(all, int(lane), &is_other);
  const unsigned sum = __reduce_add_sync(all, lane), smallest = __reduce_min_sync(all, lane + 3);
  const unsigned largest = __reduce_max_sync(all, lane + 3), conjunction = __reduce_and_sync(all, lane);
  const unsigned disjunction = __reduce_or_sync(all, lane), odd = __reduce_xor_sync(all, lane);
  if (lane < 4) out[lane] = same;
  if (lane == 0) {
    const unsigned results[] = {even, low,  last, unsigned(all_small), unsigned(all_odd), unsigned(any_last), unsigned(any_more),
                                mask, unsigned(is_same), none, unsigned(is_other),
                                sum,  smallest, largest, conjunction, disjunction, odd};
    for (int i = 0; i < 17; ++i) out[4 + i] = results[i];
  }
  if (lane < 16) {
    const unsigned active = __activemask();
    if (lane == 0) out[21] = active;
  }
}

int main() {
  unsigned* memory;
  cudaMallocManaged(&memory, 32 * sizeof(unsigned));
  votes<<<1, 32>>>(memory);
  cudaDeviceSynchronize();
  const unsigned *o = memory + 4, *m = memory;
  std::printf("ballots %08x %08x %08x\nall %u %u, any %u %u\n", o[0], o[1], o[2], o[3], o[4], o[5], o[6]);
  std::printf("equal values %08x %08x %08x %08x\n", m[0], m[1], m[2], m[3]);
  std::printf("all equal: %x %u, not: %x %u\n", o[7], o[8], o[9], o[10]);
  std::printf("reduced: sum %u, smallest %u, largest %u, and %u, or %u, xor %u\n", o[11], o[12], o[13], o[14], o[15], o[16]);
  std::printf("active in a branch: %08x\n", m[21]);
}
// SPDX-License-Identifier: MIT
