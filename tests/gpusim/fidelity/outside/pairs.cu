// Pairs of a slow kernel and one that differs from it in a single thing, for the time model to be held
// against: does it see what the change gains? The two of a pair compute the same. The causes are twelve;
// some of them have two pairs.
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/pairs.cu -o pairs && ./pairs > pairs_h100.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/pairs.cu -o pairs && GPUSIM_MACHINE=h100 ./pairs
#include "inputs.cuh"
#include "program.cuh"

namespace outside {

constexpr int kThreads = 256;
constexpr std::size_t kMillion = std::size_t(1) << 20;

void pair_of_rows(const std::string& name, const std::function<void()>& slow,
                  const std::function<void()>& improved) {
  row(name + ", slow", slow);
  row(name + ", improved", improved);
}

// Cause 1, uncoalesced access: neighbouring lanes stand in neighbouring rows of a square matrix; improved, in
// neighbouring columns. Each thread keeps its element if it is above a limit.
template <bool kLanesAlongRow>
__global__ void keep_above(const float* in, float* out, int width, float limit) {
  const int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
  const int line = kLanesAlongRow ? b : a, column = kLanesAlongRow ? a : b;
  const float value = in[line * width + column];
  out[line * width + column] = value > limit ? value : 0.0f;
}

void row_or_column_order() {
  constexpr int kWidth = 4096;
  const Filled<float> in(16 * kMillion, fraction), out(16 * kMillion);
  const dim3 blocks(kWidth / 32, kWidth / 8), threads(32, 8);
  pair_of_rows(
      "keep_above", [&] { keep_above<false><<<blocks, threads>>>(in, out, kWidth, 0.5f); },
      [&] { keep_above<true><<<blocks, threads>>>(in, out, kWidth, 0.5f); });
}

struct Body {
  float x, y, z, vx, vy, vz, mass, charge;
};

// Cause 1, uncoalesced access: kinetic energies of an array of structs, half of whose bytes nobody needs.
__global__ void energy_of_structs(const Body* bodies, float* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float vx = bodies[i].vx, vy = bodies[i].vy, vz = bodies[i].vz;
  out[i] = 0.5f * bodies[i].mass * (vx * vx + vy * vy + vz * vz);
}

// The same energies from one array for each member.
__global__ void energy_of_arrays(const float* all_vx, const float* all_vy, const float* all_vz,
                                 const float* mass, float* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float vx = all_vx[i], vy = all_vy[i], vz = all_vz[i];
  out[i] = 0.5f * mass[i] * (vx * vx + vy * vy + vz * vz);
}

void structs_or_arrays() {
  constexpr std::size_t kBodies = 4 * kMillion;
  const auto member = [](std::size_t which) {
    return [which](std::size_t k) { return fraction(8 * k + which); };
  };
  const Filled<Body> bodies(kBodies, [&](std::size_t k) {
    Body body{};
    body.vx = member(0)(k), body.vy = member(1)(k), body.vz = member(2)(k), body.mass = member(3)(k);
    return body;
  });
  const Filled<float> vx(kBodies, member(0)), vy(kBodies, member(1)), vz(kBodies, member(2));
  const Filled<float> mass(kBodies, member(3)), out(kBodies);
  const unsigned blocks = blocks_over(kBodies, kThreads);
  pair_of_rows(
      "energy", [&] { energy_of_structs<<<blocks, kThreads>>>(bodies, out); },
      [&] { energy_of_arrays<<<blocks, kThreads>>>(vx, vy, vz, mass, out); });
}

__device__ unsigned char inverse(unsigned char v) { return static_cast<unsigned char>(~v); }
__device__ uint4 inverse(uint4 v) { return make_uint4(~v.x, ~v.y, ~v.z, ~v.w); }

// Cause 2, narrow accesses: each thread inverts one byte of an image; improved, sixteen bytes at once.
template <class Word>
__global__ void invert(const Word* in, Word* out) {
  const std::size_t i = std::size_t(blockIdx.x) * kThreads + threadIdx.x;
  out[i] = inverse(in[i]);
}

void bytes_or_vectors() {
  constexpr std::size_t kBytes = 64 * kMillion;
  const Filled<unsigned char> in(kBytes, scrambled), out(kBytes);
  const unsigned blocks = blocks_over(kBytes, kThreads);
  pair_of_rows(
      "invert", [&] { invert<unsigned char><<<blocks, kThreads>>>(in, out); },
      [&] { invert<uint4><<<blocks / 16, kThreads>>>(in.as<uint4>(), out.as<uint4>()); });
}

__device__ float halved(float v) { return 0.5f * v; }
__device__ float4 halved(float4 v) { return make_float4(0.5f * v.x, 0.5f * v.y, 0.5f * v.z, 0.5f * v.w); }

// Cause 2, narrow accesses: eight warps on a multiprocessor halve an array, with one load of a float in
// flight in each thread; improved, one load of four floats.
template <class Word>
__global__ void halve(const Word* in, Word* out, std::size_t count) {
  const std::size_t threads = std::size_t(gridDim.x) * kThreads;
#pragma unroll 1
  for (std::size_t i = std::size_t(blockIdx.x) * kThreads + threadIdx.x; i < count; i += threads)
    out[i] = halved(in[i]);
}

void floats_or_vectors() {
  constexpr std::size_t kFloats = 16 * kMillion;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  pair_of_rows(
      "halve", [&] { halve<float><<<132, kThreads>>>(in, out, kFloats); },
      [&] { halve<float4><<<132, kThreads>>>(in.as<float4>(), out.as<float4>(), kFloats / 4); });
}

// Cause 3, bank conflicts, 32-way: each thread walks a row of 32 floats in shared memory and leaves running
// averages there; the rows of all lanes begin in one bank. Improved, one word of padding after each row.
template <int kPitch>
__global__ void running_averages(const float* in, float* out) {
  constexpr int kRows = 128;
  __shared__ float tile[kRows * kPitch];
  const std::size_t first = std::size_t(blockIdx.x) * kRows * 32;
  for (int i = threadIdx.x; i < kRows * 32; i += kRows) tile[i / 32 * kPitch + i % 32] = in[first + i];
  __syncthreads();
  float average = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    average = 0.75f * average + 0.25f * tile[threadIdx.x * kPitch + k];
    tile[threadIdx.x * kPitch + k] = average;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kRows * 32; i += kRows) out[first + i] = tile[i / 32 * kPitch + i % 32];
}

void padding() {
  constexpr std::size_t kFloats = 8 * kMillion;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  const unsigned blocks = blocks_over(kFloats, 128 * 32);
  pair_of_rows(
      "running_averages", [&] { running_averages<32><<<blocks, 128>>>(in, out); },
      [&] { running_averages<33><<<blocks, 128>>>(in, out); });
}

// Where shared memory holds element k of a thread's eight. With kXor, the lanes' elements k have a bank each.
template <bool kXor>
__device__ unsigned place_of(unsigned thread, unsigned k) {
  return thread * 8 + (kXor ? k ^ (thread / 4 % 8) : k);
}

// Cause 3, bank conflicts, 8-way: each thread smooths its eight floats in shared memory round and round, and
// lanes' octets begin in only four banks. Improved, an xor spreads the elements over all banks.
template <bool kXor>
__global__ void smooth_octets(const float* in, float* out, unsigned rounds) {
  __shared__ float octets[kThreads * 8];
  const std::size_t first = std::size_t(blockIdx.x) * kThreads * 8;
  for (unsigned i = threadIdx.x; i < kThreads * 8; i += kThreads)
    octets[place_of<kXor>(i / 8, i % 8)] = in[first + i];
  __syncthreads();
  float average = 0;
#pragma unroll 1
  for (unsigned k = 0; k < rounds; ++k) {
    const unsigned place = place_of<kXor>(threadIdx.x, k % 8);
    average = 0.75f * average + 0.25f * octets[place];
    octets[place] = average;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kThreads * 8; i += kThreads)
    out[first + i] = octets[place_of<kXor>(i / 8, i % 8)];
}

void xor_of_places() {
  constexpr std::size_t kFloats = 4 * kMillion;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  const unsigned blocks = blocks_over(kFloats, kThreads * 8);
  pair_of_rows(
      "smooth_octets", [&] { smooth_octets<false><<<blocks, kThreads>>>(in, out, 128); },
      [&] { smooth_octets<true><<<blocks, kThreads>>>(in, out, 128); });
}

// The sum over the block's threads goes to *sum.
__device__ void store_block_sum(unsigned value, unsigned* sum) {
  __shared__ unsigned of_warp[32];
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned k = 1; k < blockDim.x / 32; ++k) value += of_warp[k];
  *sum = value;
}

// Cause 4, divergence: each item is of one of two kinds, whose loops are equally long; a block adds up what
// its items become. Slow, odd lanes have the other kind; improved, the block's items are sorted so that a
// warp has one kind.
__global__ void two_kinds(const unsigned* values, const unsigned* kinds, unsigned* sums, int steps) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  unsigned x = values[i];
  if (kinds[i] == 0) {
    for (int k = 0; k < steps; ++k) x = (x ^ (x >> 7)) + 0x9e3779b9u;
  } else {
    for (int k = 0; k < steps; ++k) x = (x + (x >> 9)) ^ 0x85ebca6bu;
  }
  store_block_sum(x, sums + blockIdx.x);
}

void sides() {
  constexpr std::size_t kItems = 4 * kMillion;
  constexpr int kSteps = 100;
  const auto mixed = [](std::size_t k) { return k; };
  const auto sorted = [](std::size_t k) { return k / 64 * 64 + 2 * (k % 32) + k / 32 % 2; };
  const Filled<unsigned> values(kItems, [&](std::size_t k) { return scrambled(mixed(k)); });
  const Filled<unsigned> kinds(kItems, [&](std::size_t k) { return mixed(k) % 2; });
  const Filled<unsigned> values_sorted(kItems, [&](std::size_t k) { return scrambled(sorted(k)); });
  const Filled<unsigned> kinds_sorted(kItems, [&](std::size_t k) { return sorted(k) % 2; });
  const unsigned blocks = blocks_over(kItems, kThreads);
  const Filled<unsigned> sums(blocks);
  pair_of_rows(
      "two_kinds", [&] { two_kinds<<<blocks, kThreads>>>(values, kinds, sums, kSteps); },
      [&] { two_kinds<<<blocks, kThreads>>>(values_sorted, kinds_sorted, sums, kSteps); });
}

// Cause 4, divergence: each item takes a number of steps of its own, from 8 to 256. Slow, the lanes of a
// warp have 32 different numbers; improved, the block's items are sorted so that a warp has one number. The
// total is the same.
__global__ void own_lengths(const unsigned* values, const unsigned* lengths, unsigned* sums) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  unsigned x = values[i];
  for (unsigned k = lengths[i]; k > 0; --k) x = (x ^ (x >> 7)) + 0x9e3779b9u;
  store_block_sum(x, sums + blockIdx.x);
}

void lengths_of_loops() {
  constexpr std::size_t kItems = 2 * kMillion;
  const auto length = [](std::size_t item) { return 8 * (1 + item % 32); };
  const auto sorted = [](std::size_t k) { return k / 1024 * 1024 + 32 * (k % 32) + k % 1024 / 32; };
  const Filled<unsigned> values(kItems, scrambled), lengths(kItems, length);
  const Filled<unsigned> values_sorted(kItems, [&](std::size_t k) { return scrambled(sorted(k)); });
  const Filled<unsigned> lengths_sorted(kItems, [&](std::size_t k) { return length(sorted(k)); });
  const unsigned blocks = blocks_over(kItems, 1024);
  const Filled<unsigned> sums(blocks);
  pair_of_rows(
      "own_lengths", [&] { own_lengths<<<blocks, 1024>>>(values, lengths, sums); },
      [&] { own_lengths<<<blocks, 1024>>>(values_sorted, lengths_sorted, sums); });
}

// Cause 5, the tail: 272 blocks, two of which fit on each of 132 multiprocessors, so that eight long blocks
// run at the end alone. Improved, sixteen times as many blocks with a sixteenth of the work each.
__global__ void __launch_bounds__(1024) logistic_map(const float* in, float* out, int items, int steps) {
  for (int k = 0; k < items; ++k) {
    const int i = (blockIdx.x * items + k) * 1024 + threadIdx.x;
    float x = in[i];
    for (int s = 0; s < steps; ++s) x = 3.7f * x * (1.0f - x);
    out[i] = x;
  }
}

void tail() {
  constexpr int kBlocks = 272, kItems = 64, kSteps = 48;
  constexpr std::size_t kFloats = std::size_t(kBlocks) * kItems * 1024;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  pair_of_rows(
      "logistic_map", [&] { logistic_map<<<kBlocks, 1024>>>(in, out, kItems, kSteps); },
      [&] { logistic_map<<<kBlocks * 16, 1024>>>(in, out, kItems / 16, kSteps); });
}

// Cause 6, idle multiprocessors: eight large blocks share an array; improved, 264 such blocks.
__global__ void soft_sign(const float* in, float* out, int count) {
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < count; i += gridDim.x * 1024)
    out[i] = in[i] / (1.0f + fabsf(in[i]));
}

void idle_multiprocessors() {
  constexpr std::size_t kFloats = 4 * kMillion;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  pair_of_rows(
      "soft_sign", [&] { soft_sign<<<8, 1024>>>(in, out, int(kFloats)); },
      [&] { soft_sign<<<264, 1024>>>(in, out, int(kFloats)); });
}

// Cause 7, local memory: each thread counts eight digits in an array of its own, and finds the commonest.
// The digit is the index, so that the array is in local memory; improved, each counter's digit is compared
// with it, so that the counters are registers.
template <bool kInRegisters>
__global__ void commonest_digit(const unsigned* in, unsigned* out, int length) {
  const int thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
  unsigned counts[8] = {};
#pragma unroll 1
  for (int k = 0; k < length; ++k) {
    const unsigned digit = in[k * threads + thread] % 8;
    if constexpr (kInRegisters) {
#pragma unroll
      for (unsigned d = 0; d < 8; ++d) counts[d] += d == digit;
    } else {
      counts[digit] += 1;
    }
  }
  unsigned best = 0, most = 0;
#pragma unroll
  for (unsigned d = 0; d < 8; ++d) {
    if (counts[d] > most) most = counts[d], best = d;
  }
  out[thread] = best;
}

void local_memory() {
  constexpr std::size_t kValues = 16 * kMillion;
  constexpr int kLength = 64;
  const Filled<unsigned> in(kValues, scrambled), out(kValues / kLength);
  const unsigned blocks = blocks_over(kValues / kLength, kThreads);
  pair_of_rows(
      "commonest_digit", [&] { commonest_digit<false><<<blocks, kThreads>>>(in, out, kLength); },
      [&] { commonest_digit<true><<<blocks, kThreads>>>(in, out, kLength); });
}

// Cause 8, double arithmetic: the literals of a loop over floats are doubles, so that each step converts to
// double and back; improved, they are floats. The results differ by rounding alone.
template <class Literal>
__global__ void damped_steps(const float* in, float* out, int steps) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float x = in[i];
  float y = x;
  for (int k = 0; k < steps; ++k) y = float(y * Literal(0.97) + x * Literal(0.1));
  out[i] = y;
}

void double_literals() {
  constexpr std::size_t kFloats = 4 * kMillion;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  const unsigned blocks = blocks_over(kFloats, kThreads);
  pair_of_rows(
      "damped_steps", [&] { damped_steps<double><<<blocks, kThreads>>>(in, out, 32); },
      [&] { damped_steps<float><<<blocks, kThreads>>>(in, out, 32); });
}

// Cause 9, atomics: every thread adds its number to one total; improved, a warp adds up first, and one lane
// adds.
template <bool kOncePerWarp>
__global__ void add_to_total(const unsigned* in, unsigned long long* total) {
  unsigned long long value = in[blockIdx.x * kThreads + threadIdx.x];
  if constexpr (kOncePerWarp) {
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 != 0) return;
  }
  atomicAdd(total, value);
}

void one_total() {
  const Filled<unsigned> in(kMillion, scrambled);
  const Filled<unsigned long long> total(1);
  const unsigned blocks = blocks_over(kMillion, kThreads);
  pair_of_rows(
      "add_to_total", [&] { add_to_total<false><<<blocks, kThreads>>>(in, total); },
      [&] { add_to_total<true><<<blocks, kThreads>>>(in, total); });
}

// Cause 9, atomics: each value is added to the sum of its key in global memory; improved, to the block's
// own sum in shared memory, and the block adds its 256 sums to the global ones at the end.
template <bool kInShared>
__global__ void sum_by_key(const unsigned* keys, const unsigned* values, unsigned* sums, int count) {
  __shared__ unsigned own[kThreads];
  own[threadIdx.x] = 0;
  __syncthreads();
  unsigned* const target = kInShared ? own : sums;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads)
    atomicAdd(target + keys[i], values[i]);
  if constexpr (kInShared) {
    __syncthreads();
    atomicAdd(sums + threadIdx.x, own[threadIdx.x]);
  }
}

void sums_of_keys() {
  const Filled<unsigned> keys(kMillion, [](std::size_t k) { return scrambled(k) % kThreads; });
  const Filled<unsigned> values(kMillion, [](std::size_t k) { return scrambled(k + kMillion) % 1000; });
  const Filled<unsigned> sums(kThreads);
  pair_of_rows(
      "sum_by_key", [&] { sum_by_key<false><<<264, kThreads>>>(keys, values, sums, int(kMillion)); },
      [&] { sum_by_key<true><<<264, kThreads>>>(keys, values, sums, int(kMillion)); });
}

// Cause 10, too few warps: each thread averages its float with its mirror image in the block. The array in
// shared memory is far larger than needed, so that only four blocks of four warps fit; improved, it is as
// large as needed.
template <int kReserved>
__global__ void mean_with_mirror(const float* in, float* out) {
  __shared__ float kept[kReserved];
  const int i = blockIdx.x * 128 + threadIdx.x;
  kept[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = 0.5f * (kept[threadIdx.x] + kept[127 - threadIdx.x]);
}

void shared_memory_limits() {
  constexpr std::size_t kFloats = 16 * kMillion;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  const unsigned blocks = blocks_over(kFloats, 128);
  pair_of_rows(
      "mean_with_mirror", [&] { mean_with_mirror<12000><<<blocks, 128>>>(in, out); },
      [&] { mean_with_mirror<128><<<blocks, 128>>>(in, out); });
}

template <bool kWholeBlock>
__device__ void meet() {
  if constexpr (kWholeBlock) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}

// Cause 11, barriers: the lanes of each warp form a ring, and each takes the mean with the next lane, step
// after step. All 32 warps of the block wait for each other twice a step; improved, only the lanes of one
// warp do.
template <bool kWholeBlock>
__global__ void means_round_ring(const float* in, float* out, int steps) {
  __shared__ float ring[1024];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  const int here = threadIdx.x, next = here / 32 * 32 + (here + 1) % 32;
  float value = in[i];
  for (int k = 0; k < steps; ++k) {
    ring[here] = value;
    meet<kWholeBlock>();
    value = 0.5f * (value + ring[next]);
    meet<kWholeBlock>();
  }
  out[i] = value;
}

void barriers() {
  const Filled<float> in(kMillion, fraction), out(kMillion);
  const unsigned blocks = blocks_over(kMillion, 1024);
  pair_of_rows(
      "means_round_ring", [&] { means_round_ring<true><<<blocks, 1024>>>(in, out, 128); },
      [&] { means_round_ring<false><<<blocks, 1024>>>(in, out, 128); });
}

// Cause 12, launch overhead: the grid is made for 2^25 items, and 20000 are there, so that most blocks
// start to find nothing to do. Improved, the grid is made for the items that are there: two microseconds of
// work.
__global__ void double_items(const int* in, int* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  out[i] = 2 * in[i] + 1;
}

void blocks_without_work() {
  constexpr int kItems = 20000, kCapacity = 1 << 25;
  const Filled<int> in(kItems, [](std::size_t k) { return scrambled(k) % 1000; }), out(kItems);
  pair_of_rows(
      "double_items", [&] { double_items<<<kCapacity / kThreads, kThreads>>>(in, out, kItems); },
      [&] { double_items<<<blocks_over(kItems, kThreads), kThreads>>>(in, out, kItems); });
}

__device__ float clamped(float v) { return fminf(fmaxf(v, 0.25f), 0.75f); }
__device__ float4 clamped(float4 v) {
  return make_float4(clamped(v.x), clamped(v.y), clamped(v.z), clamped(v.w));
}

// Cause 12, launch overhead: so little to do that the launch takes the time. Vectors, a mend elsewhere, gain
// nothing here. Both take a few microseconds.
template <class Word>
__global__ void clamp_few(const Word* in, Word* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  out[i] = clamped(in[i]);
}

void little_work() {
  constexpr std::size_t kFloats = 16384;
  const Filled<float> in(kFloats, fraction), out(kFloats);
  const unsigned blocks = kFloats / kThreads;
  pair_of_rows(
      "clamp_few", [&] { clamp_few<float><<<blocks, kThreads>>>(in, out); },
      [&] { clamp_few<float4><<<blocks / 4, kThreads>>>(in.as<float4>(), out.as<float4>()); });
}

void pair_rows() {
  row_or_column_order();
  structs_or_arrays();
  bytes_or_vectors();
  floats_or_vectors();
  padding();
  xor_of_places();
  sides();
  lengths_of_loops();
  tail();
  idle_multiprocessors();
  local_memory();
  double_literals();
  one_total();
  sums_of_keys();
  shared_memory_limits();
  barriers();
  blocks_without_work();
  little_work();
}

}  // namespace outside

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] { outside::pair_rows(); });
}
// SPDX-License-Identifier: MIT
