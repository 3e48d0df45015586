// expect: copy         1 loads  1 stores  0 of local memory
// expect: copy_doubles 1 loads  1 stores  0 of local memory
// expect: through_tile 1 loads  1 stores  0 of local memory
// expect: swap_halves  2 loads  2 stores  0 of local memory
// expect: add          1 loads  1 stores  0 of local memory
// expect: in a union   1 loads  1 stores  0 of local memory
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
  float4 four{1, 2, 3, 4}, other = four;  // still an aggregate
  other = four;
  return int(other.w) - 4;
}
