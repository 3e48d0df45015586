// expect: block 0 thread 0 says     0.50 "even" a
// expect: block 0 thread 1 says     1.50 "odd" b
// expect: block 1 thread 0 says     2.50 "even" a
// expect: block 1 thread 1 says     3.50 "odd" b
// expect: 100%: -7 4294967289 fffffff9 18446744073709551609 9876543210 007 1.5e+00 0.1 [  ab] [cd  ]
// expect: printf gave 3
#include <stdio.h>

__global__ void hello() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  printf("block %d thread %d says %8.2f \"%s\" %c\n", blockIdx.x, threadIdx.x, i + 0.5,
         i % 2 ? "odd" : "even", 'a' + threadIdx.x);
}

__global__ void formats(int v) {
  printf("100%%: %d %u %x %zu %lld %03d %.1e %g [%4s] [%-4s]\n", v, v, v, (size_t)v, 9876543210ll, 7, 1.5,
         0.1f, "ab", "cd");
  const int n = printf("%s %s%c", "printf", "gave", ' ', 0);
  printf("%d\n", n);
}

int main() {
  hello<<<2, 2>>>();
  formats<<<1, 1>>>(-7);
  return cudaDeviceSynchronize();
}
// SPDX-License-Identifier: MIT
