// expect: one after another: 4 of 4 blocks saw no change while they looked
// expect: in turns: every reader saw a change between its first read and its last
// expect: fast writers: 40 values went by unseen
// expect: twice the same: yes
//
// In turns of few instructions a block sees memory change while it looks, however short it looks.
#include <cstdio>
#include <vector>

#include <gpusim/check.h>

// Even blocks read the counter `reads` times, odd ones count up.
__global__ void look(volatile int* counter, int* seen, int reads) {
  if (blockIdx.x % 2 == 1) {
    for (int k = 0; k < 100000; ++k) *counter = k;
  } else {
    for (int k = 0; k < reads; ++k) seen[blockIdx.x / 2 * reads + k] = *counter;
  }
}

std::vector<int> run(int blocks, int reads) {
  int *counter, *seen;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&seen, blocks / 2 * reads * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  look<<<blocks, 1>>>(counter, seen, reads);
  std::vector<int> result(blocks / 2 * reads);
  cudaMemcpy(result.data(), seen, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(counter);
  cudaFree(seen);
  return result;
}

int main() {
  std::vector<int> seen = run(8, 10);
  int unchanged = 0;
  for (int reader = 0; reader < 4; ++reader) unchanged += seen[reader * 10] == seen[reader * 10 + 9];
  std::printf("one after another: %d of 4 blocks saw no change while they looked\n", unchanged);

  bool changed = true;
  for (unsigned length : {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29}) {
    gpusim::set_turns({{length}});
    seen = run(2, 40);
    changed = changed && seen.front() < seen.back();
  }
  std::printf("in turns: %s reader saw a change between its first read and its last\n", changed ? "every" : "not every");

  gpusim::set_turns({{1, 100}});
  seen = run(2, 2);
  std::printf("fast writers: %s\n", seen[1] - seen[0] > 40 ? "40 values went by unseen" : "too slow");
  std::printf("twice the same: %s\n", run(2, 2) == seen ? "yes" : "no");
}
// SPDX-License-Identifier: MIT
