// expect: copy         1 loads  1 stores  0 of local memory
// expect: copy_doubles 1 loads  1 stores  0 of local memory
// expect: through_tile 1 loads  1 stores  0 of local memory
// expect: swap_halves  2 loads  2 stores  0 of local memory
// expect: add          1 loads  1 stores  0 of local memory
// expect: in a union   1 loads  1 stores  0 of local memory
// expect: begins       1 loads  1 stores  0 of local memory
// expect: chosen       2 loads  1 stores  0 of local memory
// expect: from tiles   4 shared loads  0 bank conflicts
// A vector of 16 bytes moves in one access, copied whole or member by member, as nvcc has it.
#include <cstdio>

#include <gpusim/report.h>

__device__ float4 in[64], out[64];
__device__ double2 in2[32], out2[32];

__global__ void copy() { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void copy_doubles() { out2[threadIdx.x] = in2[threadIdx.x]; }
__global__ void through_tile() {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
__global__ void swap_halves() {
  const float4 low = out[threadIdx.x], high = out[threadIdx.x + 32];
  out[threadIdx.x] = high;
  out[threadIdx.x + 32] = low;
}
__global__ void add() {
  float4 four = in[threadIdx.x];
  four.x += four.w;
  out[threadIdx.x] = four;
}
__global__ void in_a_union() {
  union {
    float4 four;
    float each[4];
  } both;
  both.four = in[threadIdx.x];
  both.each[1] += both.each[3];
  out[threadIdx.x] = both.four;
}

// What begins a variable, behind a cast of an array of floats, which need not lie on 16 bytes as far as the compiler knows.
__device__ __align__(16) float floats[128];
__global__ void begins() {
  const float4 four = *reinterpret_cast<const float4*>(&floats[(threadIdx.x + 5) % 32 * 4]);
  out[threadIdx.x].x = (four.x + four.y) * (four.z + four.w);
}
// A choice between a whole vector and a part of it: 31 lanes read 8 bytes, the last one 4.
__global__ void chosen(int n) {
  const int i = 2 * threadIdx.x;
  const float2 two =
      i + 1 < n ? *reinterpret_cast<const float2*>(&floats[i]) : make_float2(floats[i], 0.0f);
  out[threadIdx.x].x = two.x + two.y;
}
// Shared memory by four spellings of the same.
struct __align__(16) Row {
  float of[4];
};
__global__ void from_tiles() {
  __shared__ __align__(16) float tile[128];
  __shared__ Row rows[32];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < 128; i += 32) tile[i] = rows[i / 4].of[i % 4] = float(i);
  __syncthreads();
  const float4 a = *reinterpret_cast<const float4*>(&tile[t * 4]);
  const float4 b = reinterpret_cast<const float4*>(tile)[t ^ 2];
  const float4 c = *reinterpret_cast<const float4*>(rows[t].of);
  float4 d;
  d = *(float4*)(tile + (t ^ 1) * 4);
  out[t].x = a.x * b.y + c.z * d.w + a.y * b.z + c.w * d.x + a.z * b.w + c.x * d.y + a.w * b.x + c.y * d.z;
}

void show(const char* kernel) {
  const gpusim::Counters& total = gpusim::last_report().total;
  std::printf("%-12s %d loads  %d stores  %d of local memory\n", kernel, int(total.global.load.requests),
              int(total.global.store.requests), int(total.local.load.requests + total.local.store.requests));
}

int main() {
  gpusim::enable_reports();
  copy<<<1, 32>>>();
  show("copy");
  copy_doubles<<<1, 32>>>();
  show("copy_doubles");
  through_tile<<<1, 32>>>();
  show("through_tile");
  swap_halves<<<1, 32>>>();
  show("swap_halves");
  add<<<1, 32>>>();
  show("add");
  in_a_union<<<1, 32>>>();
  show("in a union");
  begins<<<1, 32>>>();
  show("begins");
  chosen<<<1, 32>>>(63);
  show("chosen");
  from_tiles<<<1, 32>>>();
  const gpusim::SharedCounters& shared = gpusim::last_report().total.shared;
  std::printf("from tiles   %d shared loads  %d bank conflicts\n", int(shared.load.requests), int(shared.load.bank_conflicts()));
  float4 four{1, 2, 3, 4}, other = four;  // still an aggregate
  other = four;
  return int(other.w) - 4;
}
// SPDX-License-Identifier: MIT
