// expect: 250 copied records are right
// Structs may have gaps, which no store fills and which copies move all the same: no check may accuse them.
#include <cstdio>

struct Record {
  char tag;  // three bytes follow that belong to no member
  int value;
  short low;  // and two more
};

__global__ void fill(Record* records) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  records[i].tag = char(i % 50);
  records[i].value = 9 * i;
  records[i].low = short(-i);
}

__global__ void reverse(const Record* from, Record* to, int count) {
  __shared__ Record staged[125];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = from[i];
  __syncthreads();
  to[count - 1 - i] = staged[threadIdx.x];
}

int main() {
  constexpr int count = 250;
  Record *from, *to, first[count], copied[count];
  cudaMalloc(&from, sizeof first);
  cudaMalloc(&to, sizeof copied);
  fill<<<2, count / 2>>>(from);
  cudaMemcpy(first, from, sizeof first, cudaMemcpyDeviceToHost);
  reverse<<<2, count / 2>>>(from, to, count);
  cudaMemcpy(copied, to, sizeof copied, cudaMemcpyDeviceToHost);
  int right = 0;
  for (int i = 0; i < count; ++i) {
    const Record &a = copied[count - 1 - i], &b = first[i];
    right += a.tag == b.tag && a.value == b.value && a.low == b.low && a.value == 9 * i && a.low == -i;
  }
  std::printf("%d copied records are right\n", right);
  cudaFree(from);
  cudaFree(to);
}
// SPDX-License-Identifier: MIT
