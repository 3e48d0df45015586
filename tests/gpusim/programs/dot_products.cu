// expect: dot products: 0 wrong
#include <cstdio>

#define EXPECT(condition) \
  if (!(condition)) atomicAdd(wrong, 1), printf("line %d: %s\n", __LINE__, #condition)

__global__ void dot_products(int* wrong, int a, int b) {  // a = 0x80ff7f01, b = 0x02030405
  const unsigned ua = unsigned(a), ub = unsigned(b);
  EXPECT(__dp4a(a, b, 10) == -128 * 2 - 1 * 3 + 127 * 4 + 1 * 5 + 10);
  EXPECT(__dp4a(ua, ub, 10u) == 128 * 2 + 255 * 3 + 127 * 4 + 1 * 5 + 10);
  EXPECT(__dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), -1) == 5 - 12 + 21 - 32 - 1);
  EXPECT(__dp4a(make_uchar4(255, 2, 3, 4), make_uchar4(255, 6, 7, 8), 1u) == 255 * 255 + 12 + 21 + 32 + 1);
  EXPECT(__dp2a_lo(a, b, 0) == 0x7f01 * 5 - 0x7f01 * 4);
  EXPECT(__dp2a_hi(a, b, 0) == 0x7f01 * 3 - 0x7f01 * 2);
  EXPECT(__dp2a_lo(ua, ub, 0u) == 0x7f01 * 5 + 0x80ff * 4);
  EXPECT(__dp2a_hi(make_short2(-300, 2), make_char4(1, 2, -3, 4), 7) == 900 + 8 + 7);
  EXPECT(__dp2a_lo(make_ushort2(60000, 2), make_uchar4(200, 2, 3, 4), 7u) == 60000 * 200 + 4 + 7);
  EXPECT(__fns(0x0ff00ff0, 0, 1) == 4 && __fns(0x0ff00ff0, 31, -1) == 27 && __fns(ua & 0, 0, 1) == 0xffffffff);
  EXPECT(__fns(0x0ff00ff0, 5, 0) == 5 && __fns(0x0ff00ff0, 3, 0) == 0xffffffff && __fns(0x0ff00ff0, 6, 7) == 20);
}

int main() {
  int* wrong = nullptr;
  cudaMallocManaged(&wrong, sizeof *wrong);
  *wrong = 0;
  dot_products<<<1, 1>>>(wrong, int(0x80ff7f01), 0x02030405);
  cudaDeviceSynchronize();
  std::printf("dot products: %d wrong\n", *wrong);
  cudaFree(wrong);
}
// SPDX-License-Identifier: MIT
