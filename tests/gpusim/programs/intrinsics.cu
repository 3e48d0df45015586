// expect: bits: 0 wrong
// expect: shuffles and votes: 0 wrong
// expect: atomics: 0 wrong
// expect: loads and stores with a hint: 0 wrong
// expect: barriers that count: 0 wrong
#include <climits>
#include <cstdio>

// Each test adds 1 to *wrong for every expectation that fails.
#define EXPECT(condition) \
  if (!(condition)) atomicAdd(wrong, 1), printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x, #condition)

__global__ void bits(int* wrong, unsigned v, int minus) {  // v = 0x00f0f000, minus = -5
  const unsigned long long wide = (unsigned long long)v << 20;
  EXPECT(__popc(v) == 8);
  EXPECT(__popcll(wide) == 8);
  EXPECT(__clz(v) == 8 && __clz(v & 0) == 32);
  EXPECT(__clzll(wide) == 20);
  EXPECT(__ffs(v) == 13 && __ffs(v & 0) == 0);
  EXPECT(__ffsll(wide) == 33);
  EXPECT(__brev(v) == 0x000f0f00);
  EXPECT(__byte_perm(0x33221100, 0x77665544 + v - v, 0x7410) == 0x77441100);
  EXPECT(__mul24(minus, 3) == -15 && __umul24(v, 2) == 0x1e1e000);
  EXPECT(__mulhi(minus, INT_MAX) == -3 && __umulhi(v, v) == 0xe2c2);
  EXPECT(__umul64hi(wide, wide) == ((unsigned long long)v * v >> 24));
  EXPECT(__float_as_int(float(minus)) == 0xc0a00000 && __int_as_float(0x3fc00000) == 1.5f);
  EXPECT(__float2int_rz(minus * 0.5f) == -2 && __float2int_rd(minus * 0.5f) == -3 &&
         __float2int_rn(2.5f) == 2);
  EXPECT(__int2float_rn(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
  EXPECT(__double2int_rn(minus + 0.5) == -4 && __double2float_rz(1.0 + 1e-9) == 1.0f);
  EXPECT(__hiloint2double(__double2hiint(2.75), __double2loint(2.75)) == 2.75);
  EXPECT(__longlong_as_double(__double_as_longlong(minus * 1.5)) == -7.5);
  EXPECT(__funnelshift_l(v, 1, 4) == 16 && __funnelshift_r(0, 1, 4) == 0x10000000);
  EXPECT(__sad(minus, 7, 1u) == 13 && __hadd(minus, 2) == -2);
  EXPECT(abs(minus) == 5 && min(minus, 3) == -5 && max(3u, 4u) == 4u && llmax(3ll, 4ll) == 4);
}

__global__ void warps(int* wrong) {
  const int lane = threadIdx.x;
  const unsigned all = 0xffffffffu;
  EXPECT(__shfl_sync(all, lane, 5) == 5 && __shfl_sync(all, lane, 1, 8) == lane / 8 * 8 + 1);
  EXPECT(__shfl_up_sync(all, lane, 1) == (lane ? lane - 1 : 0));
  EXPECT(__shfl_down_sync(all, lane, 16, 32) == (lane < 16 ? lane + 16 : lane));
  EXPECT(__shfl_xor_sync(all, unsigned(lane), 3) == unsigned(lane ^ 3));
  EXPECT(__shfl_down_sync(all, 0.5f * lane, 1, 4) == 0.5f * (lane % 4 == 3 ? lane : lane + 1));
  EXPECT(__shfl_xor_sync(all, 1e10 + lane, 1) == 1e10 + (lane ^ 1));
  EXPECT(__shfl_sync(all, (1ull << 40) + lane, 7) == (1ull << 40) + 7);
  EXPECT(__shfl_up_sync(all, -1ll - lane, 2) == -1ll - (lane < 2 ? lane : lane - 2));
  EXPECT(__ballot_sync(all, lane % 2) == 0xaaaaaaaau);
  EXPECT(__any_sync(all, lane == 9) && !__all_sync(all, lane < 31));
  EXPECT(__match_any_sync(all, lane / 8) == 0xffu << lane / 8 * 8);
  EXPECT(__match_any_sync(all, double(lane % 2)) == (lane % 2 ? 0xaaaaaaaau : 0x55555555u));
  int equal = 7;
  EXPECT(__match_all_sync(all, 3, &equal) == all && equal == 1);
  EXPECT(__match_all_sync(all, lane / 31, &equal) == 0 && equal == 0);
  EXPECT(__reduce_add_sync(all, lane) == 496 && __reduce_max_sync(all, unsigned(lane)) == 31u);
  EXPECT(__reduce_min_sync(all, lane - 40) == -40 && __reduce_or_sync(all, 1u << lane) == all);
  if (lane < 12) {
    EXPECT(__activemask() == 0xfffu);
    EXPECT(__ballot_sync(0xfffu, lane > 3) == 0xff0u);
    __syncwarp(0xfffu);
  }
}

__global__ void atomics(int* wrong, int* i, unsigned* u, unsigned long long* w, float* f, double* d) {
  atomicAdd(&i[0], 2), atomicSub(&i[1], 3), atomicMin(&i[2], -int(threadIdx.x)),
      atomicMax(&i[3], int(threadIdx.x));
  atomicAnd(&i[4], ~(1 << threadIdx.x)), atomicOr(&u[0], 1u << threadIdx.x),
      atomicXor(&u[1], 1u << threadIdx.x);
  atomicInc(&u[2], 9u), atomicDec(&u[3], 9u), atomicAdd(&w[0], 1ull << 33),
      atomicMax(&w[1], 1ull << threadIdx.x);
  atomicAdd(f, 0.25f), atomicAdd(d, 0.125), atomicAdd_block(&i[5], 1), atomicAdd_system(&i[6], 1);
  for (int old = i[7], seen; (seen = atomicCAS(&i[7], old, old + 5)) != old; old = seen) {
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  EXPECT(i[0] == 64 && i[1] == -96 && i[2] == -31 && i[3] == 31 && i[4] == 0 && i[5] == 32 && i[6] == 32);
  EXPECT(i[7] == 160);
  EXPECT(u[0] == 0xffffffffu && u[1] == 0xffffffffu && u[2] == 2 && u[3] == 8);
  EXPECT(w[0] == 32ull << 33 && w[1] == 1ull << 31 && *f == 8.0f && *d == 4.0);
  EXPECT(atomicExch(f, 2.5f) == 8.0f && *f == 2.5f && atomicExch(&i[0], 1) == 64);
}

__global__ void hints(int* wrong, float4* v, char* c, short* s, double* d) {
  v[0] = make_float4(1, 2, 3, 4), c[0] = -3, s[0] = -300, d[0] = 1e100;
  __threadfence();
  const float4 q = __ldcg(v);
  EXPECT(q.x == 1 && q.y == 2 && q.z == 3 && q.w == 4);
  EXPECT(__ldca(c) == -3 && __ldcs(s) == -300 && __ldcv(d) == 1e100);
  __stcs(&v[1], make_float4(q.w, q.z, q.y, q.x));
  __stcg(c + 1, char(9)), __stwt(s + 1, short(-9)), __stwb(d + 1, 0.5);
  EXPECT(v[1].x == 4 && v[1].w == 1 && c[1] == 9 && s[1] == -9 && d[1] == 0.5);
}
__global__ void read_only(int* wrong, const float4* v, const int2* p) {
  EXPECT(__ldg(v).y == 2 && __ldg(p + 1).y == 7);
}

__global__ void counting(int* wrong) {
  EXPECT(__syncthreads_count(threadIdx.x < 70) == 70);
  EXPECT(__syncthreads_and(threadIdx.x < 96) == 1 && __syncthreads_and(threadIdx.x < 95) == 0);
  EXPECT(__syncthreads_or(threadIdx.x == 95) == 1 && __syncthreads_or(threadIdx.x == 96) == 0);
  const long long begin = clock64();
  __nanosleep(100);
  EXPECT(clock64() >= begin && warpSize == 32);
}

int main() {
  char* memory;
  cudaMallocManaged(&memory, 4096);
  int* wrong = (int*)memory;
  int last = 0, failed = 0;
  const auto report = [&](const char* what) {
    failed += cudaDeviceSynchronize() != cudaSuccess;
    std::printf("%s: %d wrong\n", what, *wrong - last);
    last = *wrong;
  };
  for (int k = 0; k < 4096; ++k) memory[k] = 0;
  ((int*)(memory + 256))[4] = -1;
  bits<<<1, 1>>>(wrong, 0x00f0f000, -5);
  report("bits");
  warps<<<1, 32>>>(wrong);
  report("shuffles and votes");
  atomics<<<1, 32>>>(wrong, (int*)(memory + 256), (unsigned*)(memory + 512),
                     (unsigned long long*)(memory + 768), (float*)(memory + 1024), (double*)(memory + 1280));
  report("atomics");
  hints<<<1, 1>>>(wrong, (float4*)(memory + 1536), memory + 1792, (short*)(memory + 2048),
                  (double*)(memory + 2304));
  cudaDeviceSynchronize();
  ((int2*)(memory + 2560))[1] = make_int2(6, 7);
  read_only<<<1, 1>>>(wrong, (float4*)(memory + 1536), (int2*)(memory + 2560));
  report("loads and stores with a hint");
  counting<<<1, 96>>>(wrong);
  report("barriers that count");
  failed += last;
  cudaFree(memory);
  return failed;
}
// SPDX-License-Identifier: MIT
