// expect: 1 2.5 x 3000000000000 | 4 5 6 7 | 40
#include <cstdio>

struct Inner {
  short s;
  double d;
};
struct Mixed {
  char c;
  Inner inner[2];
  float3 v;
  long long big;
};

__global__ void show(char tag, Mixed m, float4 f, short count, const int* table) {
  printf("%d %.1f %c %lld | %g %g %g %g | %d\n", m.inner[1].s, m.inner[1].d, m.c, m.big, m.v.x, m.v.y, m.v.z,
         f.w, table[count] + (tag == 't' ? 0 : 1));
}

int main() {
  int* table;
  cudaMallocManaged(&table, 5 * sizeof(int));
  for (int i = 0; i < 5; ++i) table[i] = 10 * i;
  const Mixed m = {'x', {{0, 0.0}, {1, 2.5}}, {4, 5, 6}, 3000000000000ll};
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 1;
  if (cudaLaunchKernelEx(&config, show, 't', m, make_float4(0, 0, 0, 7), 4, table) != cudaSuccess) return 1;
  cudaDeviceSynchronize();
  cudaFree(table);
}
// SPDX-License-Identifier: MIT
