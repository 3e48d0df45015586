// expect: added 42, with carry 1 0, lane 7, special 5
// expect: a loaded 11, selected 3 4, packed 1 2
// expect: loops: 45, permuted 44332211
//
// Instructions of PTX in CUDA C++.
#include <cstdio>

__global__ void use(const int* in, unsigned* out) {
  int sum;
  asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(40), "r"(2));
  unsigned low, high;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(0xffffffffu), "r"(1u));
  unsigned lane, block;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  int loaded;
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(loaded) : "l"(in + 1));
  int chosen[2];
  for (int k = 0; k < 2; ++k)
    asm("{\n\t.reg .pred p;\n\tsetp.eq.s32 p, %1, 0;\n\tselp.s32 %0, 3, 4, p;\n\t}" : "=r"(chosen[k]) : "r"(k));
  unsigned long long pair;
  unsigned first, second;
  asm("mov.b64 %0, {%1, %2};" : "=l"(pair) : "r"(1), "r"(2));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(first), "=r"(second) : "l"(pair));
  int total;
  asm("{\n\t.reg .pred more;\n\t.reg .s32 i;\n\tmov.s32 i, 0;\n\tmov.s32 %0, 0;\n"
      "again:\n\tadd.s32 %0, %0, i;\n\tadd.s32 i, i, 1;\n\tsetp.lt.s32 more, i, 10;\n\t@more bra again;\n\t}"
      : "=&r"(total));
  unsigned permuted;
  asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(permuted) : "r"(0x11223344));
  if (lane == 7 && block == 5) {
    const unsigned all[] = {unsigned(sum), high, low, lane, block, unsigned(loaded), unsigned(chosen[0]), unsigned(chosen[1]),
                            first, second, unsigned(total), permuted};
    for (int i = 0; i < 12; ++i) out[i] = all[i];
  }
}

int main() {
  int* in;
  unsigned* o;
  cudaMallocManaged(&in, 8), cudaMallocManaged(&o, 64);
  in[0] = 10, in[1] = 11;
  use<<<6, 32>>>(in, o);
  cudaDeviceSynchronize();
  std::printf("added %u, with carry %u %u, lane %u, special %u\n", o[0], o[1], o[2], o[3], o[4]);
  std::printf("a loaded %u, selected %u %u, packed %u %u\n", o[5], o[6], o[7], o[8], o[9]);
  std::printf("loops: %u, permuted %x\n", o[10], o[11]);
}
// SPDX-License-Identifier: MIT
