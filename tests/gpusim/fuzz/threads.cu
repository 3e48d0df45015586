// Kernels whose runs must not differ (threads_test.py): threads NAME runs one, and prints its counters and a digest of what it wrote.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "gpusim/report.h"
#include "print_result.h"

namespace {

constexpr int kBlock = 96, kBlocks = 24, kCount = kBlock * kBlocks;

__constant__ float weights[4] = {0.5f, -1.25f, 3.0f, 0.125f};

// Loops whose branches are uniform, and some that are not.
__global__ void arithmetic(const float* in, float* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float a = in[i], b = 0.5f;
  unsigned x = i;
  for (int k = 0; k < 40; ++k) {
    a = fmaf(a, b, weights[k & 3]);
    x = x * 1664525u + 1013904223u;
    if (k % 8 == 7) x ^= x >> (k & 31);
    b = fminf(b * 0.999f, 1.0f / (1.0f + fabsf(a)));
  }
  if (i % 3 == 0) a += float(x % 1000u);
  out[i] = a + __int2float_rn(int(x >> 20)) + float(double(a) * 1e-3);
}

// Elements of 1, 2, 8 and 16 bytes, in rows, backwards, all the same, in two rows, and scattered.
__global__ void accesses(const float* in, float* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const char* bytes = reinterpret_cast<const char*>(in);
  const short* halves = reinterpret_cast<const short*>(in);
  float sum = bytes[i] + halves[i] + in[kCount - 1 - i] + in[7] + in[i / 16 * 8 + i % 16 / 2];
  const float2 two = reinterpret_cast<const float2*>(in)[i / 2];
  const float4 four = reinterpret_cast<const float4*>(in)[i / 4];
  sum += two.x * two.y + four.x + four.y - four.z * four.w + in[i * 37 % kCount];
  if (i < kCount / 4) reinterpret_cast<float4*>(out)[i] = make_float4(sum, two.x, float(i), four.w);
  else if (i % 64 >= 32) out[i] = sum;
}

// The same of shared memory, by all lanes and by some: neighbours, and all the same.
template <class T> __device__ float by_some(T* tile, T (*make)(float), float (*sum)(T)) {
  const int t = threadIdx.x;
  tile[t] = make(float(t % 7));
  __syncthreads();
  float found = sum(tile[(t + 5) % kBlock]) + sum(tile[3]);
  __syncthreads();
  if (t % 2 == 0) tile[t] = make(found);
  if (t % 32 < 20) found += sum(tile[t]) + sum(tile[1]);
  __syncthreads();
  if (t % 32 == 31) tile[t] = tile[0];
  __syncthreads();
  return found + sum(tile[t]);
}
__global__ void widths(const float* in, float* out) {
  __shared__ signed char bytes[kBlock];
  __shared__ short halves[kBlock];
  __shared__ float words[kBlock];
  __shared__ float2 pairs[kBlock];
  __shared__ float4 fours[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float sum = in[i];
  sum += by_some<signed char>(
      bytes, [](float x) { return static_cast<signed char>(x); }, [](signed char x) { return float(x); });
  sum += by_some<short>(halves, [](float x) { return short(x); }, [](short x) { return float(x); });
  sum += by_some<float>(words, [](float x) { return x; }, [](float x) { return x; });
  sum += by_some<float2>(
      pairs, [](float x) { return make_float2(x, 1.5f); }, [](float2 x) { return x.x - x.y; });
  sum += by_some<float4>(
      fours, [](float x) { return make_float4(x, 2.0f, x, 0.5f); },
      [](float4 x) { return x.x * x.y + x.z * x.w; });
  out[i] = sum;
}

// Shared memory, barriers, shuffles, a vote and an atomic.
__global__ void together(const float* in, float* out) {
  __shared__ float tile[kBlock];
  __shared__ int odd;
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  if (t == 0) odd = 0;
  tile[t] = in[i];
  __syncthreads();
  for (int stride = kBlock / 2; stride > 2; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  float sum = tile[t % 3];
  for (int distance = 16; distance; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (__ballot_sync(0xffffffffu, in[i] > 0.5f) & 1u << t % 32) atomicAdd(&odd, 1);
  __syncthreads();
  out[i] = sum + float(odd);
}

__device__ __noinline__ int steps(int n) {
  int count = 0;
  for (; n > 1; ++count) n = n % 2 ? 3 * n + 1 : n / 2;
  return count;
}
// Calls, arrays of a thread, and loops that end for each lane in its own time.
__global__ void diverging(const float* in, float* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  int local[8];
  for (int k = 0; k < 8; ++k) local[(k + i) % 8] = k * i;
  int sum = steps(i % 97 + 1);
  switch (i % 5) {
    case 0: sum += local[i % 8]; break;
    case 1: sum *= 3; break;
    case 3:
      if (in[i] < 0.1f) return;
  }
  out[i] = float(sum) + __popc(i) + __clz(i | 1);
}

// Faults: in a row, and of one lane.
__global__ void past_the_end(const float* in, float* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float a = in[i] * 2.0f;
  if (blockIdx.x == 5) a += in[i + (1 << 20)];
  out[i] = a;
}
__global__ void misaligned(const float* in, float* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const char* bytes = reinterpret_cast<const char*>(in + i);
  if (blockIdx.x == 3) bytes += threadIdx.x == 40;
  out[i] = *reinterpret_cast<const float*>(bytes) + 1.0f;
}
__global__ void endless(const float* in, float* out) {
  float a = in[0];
  while (a < 1e30f) a = a * 0.5f + 1.0f;
  out[threadIdx.x] = a;
}
// What the checks find.
__global__ void racy(const float* in, float* out) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  tile[t] = in[i];
  out[i] = tile[(t + 33) % kBlock];
}
__global__ void racy_blocks(const float* in, float* out) {
  out[threadIdx.x] = in[blockIdx.x * kBlock + threadIdx.x];
}

struct Case {
  const char* name;
  void (*kernel)(const float*, float*);
};
constexpr Case kCases[] = {
    {"arithmetic", arithmetic},  {"accesses", accesses},   {"widths", widths},
    {"together", together},      {"diverging", diverging}, {"past_the_end", past_the_end},
    {"misaligned", misaligned},  {"endless", endless},     {"racy", racy},
    {"racy_blocks", racy_blocks}};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    for (const Case& c : kCases) std::puts(c.name);
    return 0;
  }
  gpusim::enable_reports();
  std::vector<float> host(kCount);
  for (int i = 0; i < kCount; ++i) host[i] = float(i * 7919 % 1009) / 1009.0f;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kCount * sizeof(float));
  cudaMalloc(&out, kCount * sizeof(float));
  cudaMemcpy(in, host.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, kCount * sizeof(float));
  for (const Case& c : kCases)
    if (std::strcmp(argv[1], c.name) == 0) c.kernel<<<kBlocks, kBlock>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(host.data(), out, kCount * sizeof(float), cudaMemcpyDeviceToHost);
  print_result(host);
}
// SPDX-License-Identifier: MIT
