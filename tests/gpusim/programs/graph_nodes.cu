// expect: 6 nodes, 1 root, 6 edges
// expect: kinds: 2 0 0 0 1 3
// expect: the last waits for 1, the first is waited for by 2
// expect: 64 values: 2080, told by the host function
// expect: with another factor: 2080 + 2016 * 9 = 20224, told by the host function
// expect: one kernel left out: 20160
// expect: a circle cannot be instantiated: cudaErrorInvalidValue
//
// A graph made by hand: a fill, two kernels beside each other, one behind both, a copy, and a function of the host.
#include <cstdio>

__global__ void multiples(int* out, int factor) { out[threadIdx.x] += factor * threadIdx.x; }
__global__ void ones(int* out) { out[threadIdx.x] = 1; }
__global__ void add_all(const int* a, const int* b, int* sum) { atomicAdd(sum, a[threadIdx.x] + b[threadIdx.x]); }

struct Told {
  int sum;
  char text[64];
};
void tell(void* what) {
  Told* told = static_cast<Told*>(what);
  std::snprintf(told->text, sizeof told->text, "%d, told by the host function", told->sum);
}

int main() {
  int *memory, one = 1;
  Told* told;
  cudaMalloc(&memory, 1024 * sizeof(int));
  cudaMallocHost(&told, sizeof(Told));
  int *a = memory, *b = memory + 64, *sum = memory + 128;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t fill, first, second, third, copy, host;

  cudaMemsetParams zeros = {};
  zeros.dst = memory, zeros.elementSize = 4, zeros.width = 192, zeros.height = 1;
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros);

  void* of_multiples[] = {&a, &one};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)multiples, kernel.gridDim = dim3(1), kernel.blockDim = dim3(64);
  kernel.kernelParams = of_multiples;
  cudaGraphAddKernelNode(&first, graph, &fill, 1, &kernel);
  one = 7;  // the node has its own copy of the argument

  void* of_ones[] = {&b};
  cudaKernelNodeParams filler = kernel;
  filler.func = (void*)ones, filler.kernelParams = of_ones;
  cudaGraphAddKernelNode(&second, graph, &fill, 1, &filler);

  void* of_sum[] = {&a, &b, &sum};
  cudaKernelNodeParams adder = kernel;
  adder.func = (void*)add_all, adder.kernelParams = of_sum;
  const cudaGraphNode_t both[] = {first, second};
  cudaGraphAddKernelNode(&third, graph, both, 2, &adder);

  cudaGraphAddMemcpyNode1D(&copy, graph, &third, 1, &told->sum, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaHostNodeParams function = {tell, told};
  cudaGraphAddHostNode(&host, graph, &copy, 1, &function);

  size_t nodes = 0, roots = 0, edges = 0, before = 0, behind = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
#if CUDART_VERSION >= 13000
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  cudaGraphNodeGetDependencies(host, nullptr, nullptr, &before);
  cudaGraphNodeGetDependentNodes(fill, nullptr, nullptr, &behind);
#else
  cudaGraphGetEdges(graph, nullptr, nullptr, &edges);
  cudaGraphNodeGetDependencies(host, nullptr, &before);
  cudaGraphNodeGetDependentNodes(fill, nullptr, &behind);
#endif
  std::printf("%zu nodes, %zu root, %zu edges\nkinds:", nodes, roots, edges);
  for (cudaGraphNode_t node : {fill, first, second, third, copy, host}) {
    cudaGraphNodeType type;
    cudaGraphNodeGetType(node, &type);
    std::printf(" %d", int(type));
  }
  std::printf("\nthe last waits for %zu, the first is waited for by %zu\n", before, behind);

  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const auto launch = [&] {
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
  };
  launch();
  std::printf("64 values: %s\n", told->text);

  int factor = 10;
  of_multiples[1] = &factor;
  cudaGraphExecKernelNodeSetParams(exec, first, &kernel);
  launch();
  std::printf("with another factor: 2080 + 2016 * 9 = %s\n", told->text);
  cudaGraphNodeSetEnabled(exec, second, 0);
  launch();
  std::printf("one kernel left out: %d\n", told->sum);

  cudaGraph_t circle;
  cudaGraphCreate(&circle, 0);
  cudaGraphNode_t x, y;
  cudaGraphAddEmptyNode(&x, circle, nullptr, 0);
  cudaGraphAddEmptyNode(&y, circle, &x, 1);
#if CUDART_VERSION >= 13000
  cudaGraphAddDependencies(circle, &y, &x, nullptr, 1);
#else
  cudaGraphAddDependencies(circle, &y, &x, 1);
#endif
  cudaGraphExec_t none;
  std::printf("a circle cannot be instantiated: %s\n", cudaGetErrorName(cudaGraphInstantiate(&none, circle, 0)));
  cudaGraphDestroy(circle);
  cudaGraphDestroy(graph);
  cudaGraphExecDestroy(exec);
}
// SPDX-License-Identifier: MIT
