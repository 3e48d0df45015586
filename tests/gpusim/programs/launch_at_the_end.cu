// expect: from main: 1
// expect: from the destructor of a static object: 2
//
// Objects that live as long as the program may launch kernels when they are destroyed, after those of the thread are gone.
// (valgrind sees what is written to freed memory then; the output alone does not show it.)
#include <cstdio>

__global__ void increment(int* value) {
  *value += 1;
}

struct Counter {
  int* value = nullptr;

  void launch(const char* where) {
    increment<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    std::printf("from %s: %d\n", where, *value);
  }
  ~Counter() {
    launch("the destructor of a static object");
    cudaFree(value);
  }
};
Counter counter;

int main() {
  cudaMallocManaged(&counter.value, sizeof(int));
  *counter.value = 0;
  counter.launch("main");
}
// SPDX-License-Identifier: MIT
