// expect: first_to_last: 0 1 2 3 4 5 6
// expect: last_to_first: 6 5 4 3 2 1 0
// expect: shuffled: 3 1 6 4 2 0 5
// expect: in turns, two at a time: 0 1 2 3 4 5 6
// expect: large grids: each block once in every order
//
// Blocks start in the order that one asks for, each once. The ticket that a block takes is its place in it.
#include <cstdio>
#include <vector>

#include <gpusim/check.h>

__global__ void take_tickets(int* tickets, int* block_of_ticket) {
  if (threadIdx.x == 0) block_of_ticket[atomicAdd(tickets, 1)] = blockIdx.x + blockIdx.y * gridDim.x;
}

std::vector<int> order_of(dim3 grid) {
  const int blocks = grid.x * grid.y;
  int *tickets, *order;
  cudaMalloc(&tickets, sizeof(int));
  cudaMalloc(&order, blocks * sizeof(int));
  cudaMemset(tickets, 0, sizeof(int));
  take_tickets<<<grid, 64>>>(tickets, order);
  std::vector<int> result(blocks);
  cudaMemcpy(result.data(), order, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(tickets);
  cudaFree(order);
  return result;
}

void show(const char* name, const std::vector<int>& order) {
  std::printf("%s:", name);
  for (int block : order) std::printf(" %d", block);
  std::printf("\n");
}

int main() {
  using gpusim::StartOrder;
  const char* const names[] = {"first_to_last", "last_to_first", "shuffled"};
  for (StartOrder order : {StartOrder::first_to_last, StartOrder::last_to_first, StartOrder::shuffled}) {
    gpusim::set_start_order(order);
    show(names[int(order)], order_of(7));
  }
  gpusim::set_start_order(StartOrder::first_to_last);
  gpusim::set_turns({{9}, 2});
  show("in turns, two at a time", order_of(7));
  gpusim::set_turns({});

  for (StartOrder order : {StartOrder::first_to_last, StartOrder::last_to_first, StartOrder::shuffled})
    for (const dim3 grid : {dim3(1), dim3(2), dim3(3), dim3(1000), dim3(61, 37), dim3(1024, 4)}) {
      gpusim::set_start_order(order);
      std::vector<bool> seen(grid.x * grid.y);
      for (int block : order_of(grid)) seen[block] = true;
      for (bool yes : seen)
        if (!yes) std::printf("a block of %d x %d is missing\n", grid.x, grid.y);
    }
  std::printf("large grids: each block once in every order\n");
}
// SPDX-License-Identifier: MIT
