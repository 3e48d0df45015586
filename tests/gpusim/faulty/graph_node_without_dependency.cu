// expect-finding: race 10
// expect-text: in another node of the graph
// advice: let one node depend on the other (cudaGraphAddDependencies)
// A graph of two kernels, the second of which needs what the first has written. Nothing says so to the graph.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

__global__ void sum_of_ends(const int* data, int* sums) {
  sums[threadIdx.x] = data[threadIdx.x] + data[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int *data, *sums;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMalloc(&sums, 64 * sizeof *sums);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void *of_fill[] = {&data}, *of_sums[] = {&data, &sums};
  cudaKernelNodeParams node = {};
  node.gridDim = dim3(1);
  node.blockDim = dim3(64);
  cudaGraphNode_t first, second;
  node.func = reinterpret_cast<void*>(fill);
  node.kernelParams = of_fill;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &node);
  node.func = reinterpret_cast<void*>(sum_of_ends);
  node.kernelParams = of_sums;
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &node);
#ifdef FIXED
  cudaGraphAddDependencies(graph, &first, &second, 1);
#endif
  cudaGraphExec_t work;
  cudaGraphInstantiate(&work, graph, 0);
  for (int round = 0; round < 3; ++round) cudaGraphLaunch(work, 0);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaGraphExecDestroy(work);
  cudaGraphDestroy(graph);
  cudaFree(data);
  cudaFree(sums);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
