// Loads that go to shared memory without passing through registers: cp.async (compute capability 8.0) and bulk copies
// (9.0), which the copy engine of a multiprocessor makes by itself. `in` begins on a 16-byte boundary, and n is a
// multiple of the number of floats that a block takes at a time.
#pragma once

#include <kernels.cuh>

__device__ inline unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ inline float four_sum(float4 four) { return (four.x + four.y) + (four.z + four.w); }

// Every thread keeps kStages copies of 16 bytes in flight. No other thread reads them, so no barrier is needed.
template <int kStages>
__device__ float thread_sum_cp_async(const float* in, int n) {
  extern __shared__ float4 copies[];  // kStages times kBlock
  const float4* fours = reinterpret_cast<const float4*>(in);
  const int threads = gridDim.x * kBlock, t = threadIdx.x, count = n / 4;
  int ahead = blockIdx.x * kBlock + t;
  const auto copy = [&](int stage) {
    if (ahead < count)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                   :
                   : "r"(shared_address(&copies[stage * kBlock + t])), "l"(fours + ahead)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");  // an empty group if nothing is left to copy
    ahead += threads;
  };
  for (int stage = 0; stage < kStages; ++stage) copy(stage);
  float sum = 0.0f;
  int stage = 0;
  for (int i = blockIdx.x * kBlock + t; i < count; i += threads) {
    asm volatile("cp.async.wait_group %0;" : : "n"(kStages - 1) : "memory");  // the oldest has arrived
    sum += four_sum(copies[stage * kBlock + t]);
    copy(stage);
    stage = stage + 1 == kStages ? 0 : stage + 1;
  }
  return sum;
}

// One thread asks for kBytes at a time; a barrier in shared memory counts the bytes that have arrived.
template <int kStages, int kBytes>
__device__ float thread_sum_bulk(const float* in, int n) {
  extern __shared__ __align__(128) unsigned char stages[];
  __shared__ __align__(8) unsigned long long arrived[kStages];
  const int t = threadIdx.x, tiles = int(n * 4ll / kBytes), step = gridDim.x;
  if (t == 0) {
    for (int stage = 0; stage < kStages; ++stage)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(shared_address(&arrived[stage])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // before the copy engine uses them
  }
  __syncthreads();
  const auto copy = [&](int stage, int tile) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(shared_address(&arrived[stage])), "r"(kBytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_address(stages + stage * kBytes)),
                   "l"(reinterpret_cast<const char*>(in) + 1ll * tile * kBytes), "r"(kBytes),
                   "r"(shared_address(&arrived[stage]))
                 : "memory");
  };
  if (t == 0)
    for (int stage = 0; stage < kStages && int(blockIdx.x) + stage * step < tiles; ++stage)
      copy(stage, blockIdx.x + stage * step);
  float sum = 0.0f;
  int stage = 0;
  unsigned round = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += step) {
    asm volatile(
        "{\n\t.reg .pred p;\nagain:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra again;\n\t}"
        :
        : "r"(shared_address(&arrived[stage])), "r"(round)
        : "memory");
    const float4* tile_fours = reinterpret_cast<const float4*>(stages + stage * kBytes);
#pragma unroll
    for (int k = 0; k < kBytes / 16 / kBlock; ++k) sum += four_sum(tile_fours[t + k * kBlock]);
    __syncthreads();  // all threads have read this tile before the copy engine overwrites it
    if (t == 0 && tile + kStages * step < tiles) copy(stage, tile + kStages * step);
    if (++stage == kStages) stage = 0, round ^= 1;
  }
  return sum;
}
// SPDX-License-Identifier: MIT
