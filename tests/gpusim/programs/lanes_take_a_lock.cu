// expect: 256 deposits, balance 512
// expect: seen in order: 128
// needs: cuda/std/atomic
// All lanes of a warp want one lock. libcu++ keeps the lock's address in local memory, and stores it there in each round of the loop:
// that is no sign that a waiting thread gets anywhere.
#include <cstdio>
#include <cuda/atomic>

struct Account {
  int lock, deposits, balance;
};
using Lock = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void deposit(Account* a) {
  for (bool is_done = false; !is_done;) {
    if (Lock(a->lock).exchange(1, cuda::memory_order_acquire) != 0) continue;
    ++a->deposits;
    a->balance += 2;
    Lock(a->lock).store(0, cuda::memory_order_release);
    is_done = true;
  }
}

// A counter that only grows may be looked at while others count: a volatile load sees the number whole.
__global__ void look(int* counter, int* in_order) {
  const volatile int* const seen = counter;
  const int before = *seen, ticket = atomicAdd(counter, 1), after = *seen;
  if (before <= ticket && ticket < after) atomicAdd(in_order, 1);
}

int main() {
  Account *a, got;
  int *numbers, counted[2];
  cudaMalloc(&a, sizeof got);
  cudaMemset(a, 0, sizeof got);
  deposit<<<4, 64>>>(a);
  cudaMemcpy(&got, a, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d deposits, balance %d\n", got.deposits, got.balance);
  cudaMalloc(&numbers, sizeof counted);
  cudaMemset(numbers, 0, sizeof counted);
  look<<<2, 64>>>(numbers, numbers + 1);
  cudaMemcpy(counted, numbers, sizeof counted, cudaMemcpyDeviceToHost);
  std::printf("seen in order: %d\n", counted[1]);
  cudaFree(a);
  cudaFree(numbers);
}
// SPDX-License-Identifier: MIT
