// expect: up, down, xor and any lane: 0 wrong
// expect: parts of 8 lanes: 0 wrong
// expect: 64 bits, float and double: 0 wrong
// expect: sum 496, running sums 0 1 3 6 .. 496, largest 31
//
// Lanes that read each other's registers.
#include <cstdio>

__global__ void shuffles(int* wrong, int* out) {
  const int lane = threadIdx.x;
  const unsigned all = 0xffffffff;
  int bad = __shfl_up_sync(all, lane, 3) != (lane < 3 ? lane : lane - 3);
  bad |= __shfl_down_sync(all, lane, 5) != (lane + 5 > 31 ? lane : lane + 5);
  bad |= __shfl_xor_sync(all, lane, 9) != (lane ^ 9);
  bad |= __shfl_sync(all, 100 + lane, (7 * lane) % 32) != 100 + (7 * lane) % 32;
  atomicAdd(&wrong[0], bad);

  bad = __shfl_up_sync(all, lane, 1, 8) != (lane % 8 == 0 ? lane : lane - 1);
  bad |= __shfl_down_sync(all, lane, 2, 8) != (lane % 8 > 5 ? lane : lane + 2);
  bad |= __shfl_sync(all, lane, 0, 8) != lane / 8 * 8;
  bad |= __shfl_xor_sync(all, lane, 7, 8) != (lane ^ 7);
  atomicAdd(&wrong[1], bad);

  bad = __shfl_down_sync(all, (1ll << 40) + lane, 1) != (1ll << 40) + (lane == 31 ? 31 : lane + 1);
  bad |= __shfl_xor_sync(all, lane + 0.5f, 1) != (lane ^ 1) + 0.5f;
  bad |= __shfl_sync(all, lane + 0.25, 31) != 31.25;
  atomicAdd(&wrong[2], bad);

  int sum = lane, running = lane, largest = lane * 7 % 32;
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(all, sum, step);
    largest = max(largest, __shfl_down_sync(all, largest, step));
  }
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(all, running, step);
    if (lane >= step) running += before;
  }
  out[lane] = running;
  if (lane == 0) out[32] = sum, out[33] = largest;
}

int main() {
  int* memory;
  cudaMallocManaged(&memory, 64 * sizeof(int));
  cudaMemset(memory, 0, 64 * sizeof(int));
  shuffles<<<1, 32>>>(memory, memory + 8);
  cudaDeviceSynchronize();
  const int* out = memory + 8;
  std::printf("up, down, xor and any lane: %d wrong\nparts of 8 lanes: %d wrong\n64 bits, float and double: %d wrong\n",
              memory[0], memory[1], memory[2]);
  std::printf("sum %d, running sums %d %d %d %d .. %d, largest %d\n", out[32], out[0], out[1], out[2], out[3], out[31],
              out[33]);
}
// SPDX-License-Identifier: MIT
