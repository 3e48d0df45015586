// Kernels for the time model to be held against that use memory again: a warp that reads its part twice, a block whose warps read
// each other's parts, threads that walk chunks, arrays in local memory. What the model said was written down and published before
// anybody measured them (common/gpusim/timing/unseen/reuse_h200.json and reuse_h100.json name that commit).
//
//   nvcc -O3 -std=c++17 -arch=native tests/gpusim/fidelity/outside/reuse.cu -o reuse && ./reuse > reuse_h200.json
//   build/simcc -O3 tests/gpusim/fidelity/outside/reuse.cu -o reuse && GPUSIM_MACHINE=h200 ./reuse
#include "program.cuh"

namespace outside {

constexpr int kThreads = 256;
constexpr std::size_t kFloats = std::size_t(1) << 26;  // 256 MiB: more than the L2 cache holds

// Each warp scales its `length` floats by their largest: two passes, one 128-byte line after another.
__global__ void scale_by_warp(const float* in, float* out, int length) {
  const std::size_t warp = (std::size_t(blockIdx.x) * kThreads + threadIdx.x) / 32;
  const float* const from = in + warp * length;
  float* const to = out + warp * length;
  float most = 0;
  for (int i = threadIdx.x % 32; i < length; i += 32) most = fmaxf(most, from[i]);
  for (int distance = 16; distance > 0; distance /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
  const float scale = 1.0f / (most + 1.0f);
  for (int i = threadIdx.x % 32; i < length; i += 32) to[i] = scale * from[i];
}

// Each warp reads its `length` floats so many times and stores one sum.
__global__ void sum_again(const float* in, float* out, int length, int times) {
  const std::size_t warp = (std::size_t(blockIdx.x) * kThreads + threadIdx.x) / 32;
  const float* const from = in + warp * length;
  float sum = 0;
  for (int k = 0; k < times; ++k)
    for (int i = threadIdx.x % 32; i < length; i += 32) sum += sum < 0 ? 1.0f : from[i];
  if (threadIdx.x % 32 == 0) out[warp] = sum;
}

// A block reads its `length` floats, waits, and reads them again from the other end: other warps read each float.
__global__ void scale_by_block(const float* in, float* out, int length) {
  __shared__ float most_of[kThreads / 32];
  const float* const from = in + std::size_t(blockIdx.x) * length;
  float* const to = out + std::size_t(blockIdx.x) * length;
  float most = 0;
  for (int i = threadIdx.x; i < length; i += kThreads) most = fmaxf(most, from[i]);
  for (int distance = 16; distance > 0; distance /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
  if (threadIdx.x % 32 == 0) most_of[threadIdx.x / 32] = most;
  __syncthreads();
  for (int k = 0; k < kThreads / 32; ++k) most = fmaxf(most, most_of[k]);
  const float scale = 1.0f / (most + 1.0f);
  for (int i = kThreads - 1 - int(threadIdx.x); i < length; i += kThreads) to[i] = scale * from[i];
}

// Each thread adds a chunk of its own: neighbouring lanes are `length` floats apart.
__global__ void sum_chunks(const float* in, float* out, int length) {
  const std::size_t thread = std::size_t(blockIdx.x) * kThreads + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < length; ++i) sum += in[thread * length + i];
  out[thread] = sum;
}

// Each thread fills an array with what it reads, and adds it in an order that the compiler cannot know.
template <int kLength>
__global__ void shuffle_in_local(const float* in, float* out, unsigned stride) {
  float kept[kLength];
  const std::size_t thread = std::size_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t(gridDim.x) * kThreads;
#pragma unroll 1
  for (unsigned k = 0; k < kLength; ++k) kept[k * stride % kLength] = in[k * threads + thread];
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < kLength; ++k) sum = sum * 0.5f + kept[k];
  out[thread] = sum;
}

void reuse_rows() {
  const Array<float> in(kFloats, 1000), out(kFloats);
  const auto scale = [&](int length, std::size_t floats) {
    row("scale_by_warp " + std::to_string(length) + (floats < kFloats ? ", few warps" : ""),
        [&] { scale_by_warp<<<blocks_for(floats / length * 32, kThreads), kThreads>>>(in, out, length); });
  };
  for (const int length : {512, 1024, 2048, 4096, 16384}) scale(length, kFloats);
  scale(4096, std::size_t(4096) * 1056);  // eight warps on a multiprocessor of an H100
  for (const int length : {1024, 4096})
    row("sum_again " + std::to_string(length),
        [&] { sum_again<<<blocks_for(kFloats / length * 32, kThreads), kThreads>>>(in, out, length, 3); });
  for (const int length : {4096, 32768})
    row("scale_by_block " + std::to_string(length),
        [&] { scale_by_block<<<unsigned(kFloats / length), kThreads>>>(in, out, length); });
  for (const int length : {16, 128})
    row("sum_chunks " + std::to_string(length),
        [&] { sum_chunks<<<blocks_for(kFloats / length, kThreads), kThreads>>>(in, out, length); });
  row("shuffle_in_local 8",
      [&] { shuffle_in_local<8><<<blocks_for(kFloats / 8, kThreads), kThreads>>>(in, out, 3); });
  row("shuffle_in_local 32",
      [&] { shuffle_in_local<32><<<blocks_for(kFloats / 32, kThreads), kThreads>>>(in, out, 3); });
  row("shuffle_in_local 128",
      [&] { shuffle_in_local<128><<<blocks_for(kFloats / 128, kThreads), kThreads>>>(in, out, 3); });
}

}  // namespace outside

int main(int argc, char** argv) {
  outside::run_rows(argc, argv, [] { outside::reuse_rows(); });
}
// SPDX-License-Identifier: MIT
