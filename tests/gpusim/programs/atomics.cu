// expect: add 8192, sub -8192, min -17, max 8191
// expect: and fffff000, or fff, xor 0, inc 92, dec 8
// expect: exchanged: sum of all 33550336, largest of floats 8191
// expect: 64 bits: 33550336 8191, double 4096, float 2048
// expect: of a block, shared: 0 wrong
//
// Every atomic function, from 8192 threads.
#include <cstdio>

struct Values {
  int add, sub, smallest, largest;
  unsigned conjunction, disjunction, odd, inc, dec, exchanged;
  unsigned float_bits;
  unsigned long long long_sum, long_largest, taken;
  double real;
  float single;
  int wrong;
};

__device__ void largest_float(unsigned* bits, float value) {
  unsigned seen = *reinterpret_cast<volatile unsigned*>(bits);
  while (__uint_as_float(seen) < value) {
    const unsigned before = atomicCAS(bits, seen, __float_as_uint(value));
    if (before == seen) break;
    seen = before;
  }
}

__global__ void all(Values* v) {
  __shared__ int count, lowest;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) count = 0, lowest = 1 << 30;
  __syncthreads();
  atomicAdd(&v->add, 1), atomicSub(&v->sub, 1);
  atomicMin(&v->smallest, int(i) - 17), atomicMax(&v->largest, int(i));
  atomicAnd(&v->conjunction, ~(i & 0xfff)), atomicOr(&v->disjunction, i & 0xfff), atomicXor(&v->odd, i);
  atomicInc(&v->inc, 99), atomicDec(&v->dec, 99);
  atomicAdd(&v->taken, (unsigned long long)atomicExch(&v->exchanged, i));
  atomicAdd(&v->long_sum, (unsigned long long)i), atomicMax(&v->long_largest, (unsigned long long)i);
  atomicAdd(&v->real, 0.5), atomicAdd(&v->single, 0.25f);
  largest_float(&v->float_bits, float(i));
  atomicAdd(&count, 1), atomicMin(&lowest, int(i));
  __syncthreads();
  if (threadIdx.x == 0 && (count != int(blockDim.x) || lowest != int(i))) atomicAdd(&v->wrong, 1);
}

int main() {
  Values* v;
  cudaMallocManaged(&v, sizeof *v);
  *v = {};
  v->conjunction = 0xffffffff;
  all<<<32, 256>>>(v);
  cudaDeviceSynchronize();
  float largest = 0;
  static_assert(sizeof largest == sizeof v->float_bits, "");
  for (unsigned char i = 0; i < sizeof largest; ++i)
    reinterpret_cast<unsigned char*>(&largest)[i] = reinterpret_cast<unsigned char*>(&v->float_bits)[i];
  std::printf("add %d, sub %d, min %d, max %d\n", v->add, v->sub, v->smallest, v->largest);
  std::printf("and %x, or %x, xor %x, inc %u, dec %u\n", v->conjunction, v->disjunction, v->odd, v->inc, v->dec);
  std::printf("exchanged: sum of all %llu, largest of floats %g\n", v->taken + v->exchanged, largest);
  std::printf("64 bits: %llu %llu, double %g, float %g\n", v->long_sum, v->long_largest, v->real, v->single);
  std::printf("of a block, shared: %d wrong\n", v->wrong);
}
// SPDX-License-Identifier: MIT
