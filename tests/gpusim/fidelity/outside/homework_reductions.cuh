// Reductions of several kinds, scans of blocks, and atomic operations on many places.
#pragma once

#include "homework_common.cuh"

namespace outside {

// Sums of blocks with strides that grow: threads far apart work, and meet in the same banks.
__global__ void reduce_strided(const int* in, int* out) {
  __shared__ int values[256];
  const int tid = threadIdx.x;
  values[tid] = in[blockIdx.x * 256 + tid];
  __syncthreads();
  for (int stride = 1; stride < 256; stride *= 2) {
    const int place = 2 * stride * tid;
    if (place < 256) values[place] += values[place + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

// Sums of doubles: two for each thread in each round over the grid, an unrolled tree, and shuffles at its
// end.
template <int kThreads>
__global__ void reduce_double(const double* in, double* out, int count) {
  __shared__ double values[kThreads];
  const int tid = threadIdx.x;
  double sum = 0;
  for (int i = blockIdx.x * kThreads * 2 + tid; i < count; i += kThreads * 2 * gridDim.x) {
    sum += in[i];
    if (i + kThreads < count) sum += in[i + kThreads];
  }
  values[tid] = sum;
  __syncthreads();
  if constexpr (kThreads >= 512) {
    if (tid < 256) values[tid] = sum = sum + values[tid + 256];
    __syncthreads();
  }
  if constexpr (kThreads >= 256) {
    if (tid < 128) values[tid] = sum = sum + values[tid + 128];
    __syncthreads();
  }
  if (tid < 64) values[tid] = sum = sum + values[tid + 64];
  __syncthreads();
  if (tid < 32) {
    sum = add_down(sum + values[tid + 32]);
    if (tid == 0) out[blockIdx.x] = sum;
  }
}

// The smallest and the largest number at once: shuffles, and two atomics for each warp.
__global__ void smallest_and_largest(const int4* in, int* result, int quads) {
  int least = 0x7fffffff, most = -0x7fffffff;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    const int4 v = in[i];
    least = min(min(least, min(v.x, v.y)), min(v.z, v.w));
    most = max(max(most, max(v.x, v.y)), max(v.z, v.w));
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    least = min(least, __shfl_down_sync(kFullWarp, least, offset));
    most = max(most, __shfl_down_sync(kFullWarp, most, offset));
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(result, least);
    atomicMax(result + 1, most);
  }
}

// A sum in one launch: the block that comes last adds up what all blocks have stored.
__global__ void sum_last_block(const float* in, float* partial, unsigned* arrived, float* out, int count) {
  __shared__ bool is_last;
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) sum += in[i];
  sum = tree_sum<256>(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += 256) sum += partial[i];
  sum = tree_sum<256>(sum);
  if (threadIdx.x == 0) {
    *out = sum;
    *arrived = 0;
  }
}

// Sums of columns: 32 x 8 threads go down a strip of 256 rows, and add what they found to doubles, which have
// so many bits that the order of the blocks does not matter.
__global__ void column_sums(const float* in, double* sums, int columns) {
  __shared__ float of_lines[8][33];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int line = ty; line < 256; line += 8) sum += in[(blockIdx.y * 256 + line) * columns + column];
  of_lines[ty][tx] = sum;
  __syncthreads();
  if (ty != 0) return;
  for (int k = 1; k < 8; ++k) sum += of_lines[k][tx];
  atomicAdd(sums + column, double(sum));
}

// A scan of 2048 numbers by Brent and Kung's way up and down a tree in shared memory.
__global__ void scan_brent_kung(const float* in, float* out) {
  __shared__ float values[2048];
  const int tid = threadIdx.x, first = blockIdx.x * 2048;
  values[tid] = in[first + tid];
  values[tid + 1024] = in[first + tid + 1024];
  for (int stride = 1; stride <= 1024; stride *= 2) {
    __syncthreads();
    const int place = (tid + 1) * stride * 2 - 1;
    if (place < 2048) values[place] += values[place - stride];
  }
  for (int stride = 512; stride > 0; stride /= 2) {
    __syncthreads();
    const int place = (tid + 1) * stride * 2 - 1;
    if (place + stride < 2048) values[place + stride] += values[place];
  }
  __syncthreads();
  out[first + tid] = values[tid];
  out[first + tid + 1024] = values[tid + 1024];
}

// A scan in three phases: each of 128 threads scans eight numbers of shared memory, then their sums are
// scanned, and then added.
__global__ void scan_coarse(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[1024], sums[128];
  const int tid = threadIdx.x, first = blockIdx.x * 1024;
  for (int k = 0; k < 8; ++k) values[k * 128 + tid] = in[first + k * 128 + tid];
  __syncthreads();
  for (int k = 1; k < 8; ++k) values[tid * 8 + k] += values[tid * 8 + k - 1];
  sums[tid] = values[tid * 8 + 7];
  for (int stride = 1; stride < 128; stride *= 2) {
    __syncthreads();
    const unsigned before = tid >= stride ? sums[tid - stride] : 0;
    __syncthreads();
    sums[tid] += before;
  }
  __syncthreads();
  if (tid > 0)
    for (int k = 0; k < 8; ++k) values[tid * 8 + k] += sums[tid - 1];
  __syncthreads();
  for (int k = 0; k < 8; ++k) out[first + k * 128 + tid] = values[k * 128 + tid];
}

// Scans of segments within warps: a vote tells each lane where its segment began.
__global__ void scan_segments(const float* in, const unsigned char* heads, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float sum = in[i];
  const unsigned votes = __ballot_sync(kFullWarp, heads[i] != 0) | 1u;
  const int head = 31 - __clz(int(votes & (kFullWarp >> (31 - lane))));
  for (int offset = 1; offset < 32; offset *= 2) {
    const float before = __shfl_up_sync(kFullWarp, sum, offset);
    if (lane - offset >= head) sum += before;
  }
  out[i] = sum;
}

// Counts of 16 digits: four votes tell each lane which of the 32 keys have its digit.
__global__ void count_by_votes(const unsigned* keys, unsigned* counts, int count) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  unsigned own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    const unsigned digit = keys[i] & 15;
    unsigned same = kFullWarp;
#pragma unroll
    for (int bit = 0; bit < 4; ++bit) {
      const unsigned votes = __ballot_sync(kFullWarp, digit >> bit & 1);
      same &= lane >> bit & 1 ? votes : ~votes;
    }
    own += __popc(same);
  }
  if (lane < 16) atomicAdd(counts + lane, own);
}

// Raises cells to what comes, by atomics without an answer.
__global__ void raise_cells(const uint2* arrivals, unsigned* cells, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicMax(cells + arrivals[i].x, arrivals[i].y);
}

// Counters of a byte that stop at 255, four to a word: compares and swaps until it succeeds.
__global__ void count_saturating(const unsigned* keys, unsigned* words, int count, unsigned last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned key = keys[i] & last, shift = key % 4 * 8;
  unsigned old = words[key / 4], seen;
  do {
    seen = old;
    const unsigned raised = min((seen >> shift & 255u) + 1u, 255u);
    old = atomicCAS(words + key / 4, seen, (seen & ~(255u << shift)) | raised << shift);
  } while (old != seen);
}

// Adds doubles by compare and swap, as before there was an instruction for it. The numbers are whole.
__global__ void add_double_by_cas(const unsigned* keys, double* sums, int count, unsigned last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long* const place = reinterpret_cast<unsigned long long*>(sums + (keys[i] & last));
  unsigned long long old = *place, seen;
  do {
    seen = old;
    const double raised = __longlong_as_double(static_cast<long long>(seen)) + 1.0;
    old = atomicCAS(place, seen, static_cast<unsigned long long>(__double_as_longlong(raised)));
  } while (old != seen);
}

}  // namespace outside
// SPDX-License-Identifier: MIT
