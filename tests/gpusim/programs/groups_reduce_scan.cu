// expect: int       sum 496 496 496 min -5 max 26 and 0 or 0x1f xor 0
// expect: tiles     28 of 8, 22 of 4, min 5 of 2
// expect: coalesced sum 165 max 30, product 2.4192e+06
// expect: float     sum 4.05849552 in the order of shuffles 4.05849552
// expect: others    double 4.0584951954365, short -32752, long long 0x1f000000000, pair 496 31
// expect: inclusive 10 55 171, exclusive 6 45 153, float 6, max 4 of 4, first 0
// expect: coalesced inclusive 18, exclusive 9
// expect: stored    496
// options: -std=c++17
//
// cooperative_groups/reduce.h and scan.h: the operators, values of many sizes, tiles and any lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Pair {
  int sum, largest;
};

__global__ void reductions(int* stored) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(block);
  const int lane = threadIdx.x;

  const int sum = cg::reduce(warp, lane, cg::plus<int>());
  const int by_shuffles = cg::reduce(warp, lane, [](int a, int b) { return a + b; });
  const unsigned unsigned_sum = cg::reduce(warp, unsigned(lane), cg::plus<unsigned>());
  const int least = cg::reduce(warp, lane - 5, cg::less<int>()), most = cg::reduce(warp, lane - 5, cg::greater<int>());
  const unsigned bits_and = cg::reduce(warp, unsigned(lane), cg::bit_and<unsigned>());
  const unsigned bits_or = cg::reduce(warp, unsigned(lane), cg::bit_or<unsigned>());
  const unsigned bits_xor = cg::reduce(warp, unsigned(lane), cg::bit_xor<unsigned>());
  if (lane == 7)
    printf("int       sum %d %d %u min %d max %d and %u or %#x xor %u\n", sum, by_shuffles, unsigned_sum, least, most, bits_and,
           bits_or, bits_xor);

  const int of8 = cg::reduce(eight, lane & 7, cg::plus<int>());
  const int of4 = cg::reduce(cg::tiled_partition<4>(eight), lane, cg::plus<int>());
  const int of2 = cg::reduce(cg::tiled_partition<2>(warp), 2 * lane - 7, cg::less<int>());
  if (lane == 7) printf("tiles     %d of 8, %d of 4, min %d of 2\n", of8, of4, of2);

  if (lane % 3 == 0) {
    const auto some = cg::coalesced_threads();
    const int of_some = cg::reduce(some, lane, cg::plus<int>()), max_of_some = cg::reduce(some, lane, cg::greater<int>());
    const float product = cg::reduce(some, lane < 12 ? lane + 1.0f : lane < 16 ? 12.0f * lane : 3.0f, [](float a, float b) { return a * b; });
    if (lane == 9) printf("coalesced sum %d max %d, product %g\n", of_some, max_of_some, product / 729);
  }

  const float term = 1.0f / (lane + 1);
  float in_order = term;
  for (int distance = 16; distance > 0; distance /= 2) in_order += __shfl_xor_sync(0xffffffff, in_order, distance);
  const float floats = cg::reduce(warp, term, cg::plus<float>());
  if (lane == 7) printf("float     sum %.9g in the order of shuffles %.9g\n", floats, in_order);
  const double doubles = cg::reduce(warp, 1.0 / (lane + 1), cg::plus<double>());
  const short shorts = cg::reduce(warp, short(lane == 3 ? 32767 : lane < 18 ? 1 : 0), cg::plus<short>());
  const long long longs = cg::reduce(warp, (long long)lane << 36, cg::greater<long long>());
  const Pair pair = cg::reduce(warp, Pair{lane, lane}, [](Pair a, Pair b) {
    return Pair{a.sum + b.sum, a.largest > b.largest ? a.largest : b.largest};
  });
  if (lane == 7) printf("others    double %.14g, short %d, long long %#llx, pair %d %d\n", doubles, shorts, longs, pair.sum, pair.largest);

  const int inclusive = cg::inclusive_scan(warp, lane), exclusive = cg::exclusive_scan(warp, lane);
  const float of_floats = cg::exclusive_scan(warp, float(lane));
  const int largest = cg::inclusive_scan(warp, lane % 5, cg::greater<int>()), first = cg::exclusive_scan(warp, lane % 5, cg::less<int>());
  const int i4 = warp.shfl(inclusive, 4), i10 = warp.shfl(inclusive, 10), i18 = warp.shfl(inclusive, 18);
  const int e4 = warp.shfl(exclusive, 4), e10 = warp.shfl(exclusive, 10), e18 = warp.shfl(exclusive, 18);
  const int first_of_all = warp.shfl(first, 0);
  if (lane == 4)
    printf("inclusive %d %d %d, exclusive %d %d %d, float %g, max %d of %d, first %d\n", i4, i10, i18, e4, e10, e18, of_floats,
           largest, lane, first_of_all);
  if (lane % 3 == 0) {
    const auto some = cg::coalesced_threads();
    const int up_to = cg::inclusive_scan(some, lane), before = cg::exclusive_scan(some, lane);
    if (lane == 9) printf("coalesced inclusive %d, exclusive %d\n", up_to, before);
  }
  cg::reduce_store_async(warp, stored, lane, cg::plus<int>());
}

int main() {
  int *d, h;
  cudaMalloc(&d, 4);
  reductions<<<1, 32>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  std::printf("stored    %d\n", h);
  cudaFree(d);
}
// SPDX-License-Identifier: MIT
