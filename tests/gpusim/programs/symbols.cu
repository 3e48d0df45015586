// expect: constants 1 2 3 40, sizes 16 4
// expect: counter 5, then 69, by its address 133
// expect: struct 7 2.5 text
//
// Device variables that the host reads and writes.
#include <cstdio>
#include <cstring>

struct Settings {
  int number;
  float factor;
  char text[8];
};
__constant__ int table[4] = {1, 2, 3, 4};
__constant__ Settings settings;
__device__ int counter = 5;
static __device__ int seen[4];
__device__ Settings copied;

__global__ void use() {
  atomicAdd(&counter, 1);
  if (threadIdx.x < 4) seen[threadIdx.x] = table[threadIdx.x];
  if (threadIdx.x == 0) copied = settings;
}

int main() {
  const int forty = 40;
  const Settings own = {7, 2.5f, "text"};
  int before = 0, after = 0, host[4];
  Settings back;
  cudaMemcpyFromSymbol(&before, counter, sizeof before);
  cudaMemcpyToSymbol(table, &forty, sizeof forty, 3 * sizeof forty);
  cudaMemcpyToSymbol(settings, &own, sizeof own);
  use<<<1, 64>>>();
  cudaMemcpyFromSymbol(host, seen, sizeof host);
  cudaMemcpyFromSymbol(&after, counter, sizeof after, 0, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&back, copied, sizeof back);
  size_t of_table = 0, of_counter = 0;
  cudaGetSymbolSize(&of_table, table);
  cudaGetSymbolSize(&of_counter, counter);
  std::printf("constants %d %d %d %d, sizes %zu %zu\n", host[0], host[1], host[2], host[3], of_table, of_counter);
  use<<<1, 64>>>();
  int *address, last = 0;
  cudaGetSymbolAddress((void**)&address, counter);
  cudaMemcpy(&last, address, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("counter %d, then %d, by its address %d\n", before, after, last);
  std::printf("struct %d %g %s\n", back.number, back.factor, back.text);
}
// SPDX-License-Identifier: MIT
