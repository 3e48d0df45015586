// expect: diamond 1: 0 wrong, host saw 96
// expect: diamond 2: 0 wrong, host saw 96
// expect: without the left branch: 0 wrong
// expect: captured fork: 0 wrong
// expect: child graphs: 0 wrong
//
// Branches of a graph that use parts of an array of their own, and meet again: the checks find nothing.
#include <cstdio>

constexpr int kThreads = 64;

__global__ void fill(int* data, int first) { data[threadIdx.x] = first + threadIdx.x; }
__global__ void add(int* data, int what) { data[threadIdx.x] += what; }
__global__ void sum(const int* left, const int* right, int* out) {
  out[threadIdx.x] = left[threadIdx.x] + right[threadIdx.x];
}

struct Seen {
  const int* copy;
  int last;
};
void look(void* seen) {
  Seen& s = *static_cast<Seen*>(seen);
  s.last = s.copy[kThreads - 1];
}

cudaGraphNode_t kernel_node(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> after, void* kernel,
                            void** arguments) {
  cudaKernelNodeParams what = {};
  what.func = kernel;
  what.gridDim = dim3(1);
  what.blockDim = dim3(kThreads);
  what.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, after.begin(), after.size(), &what);
  return node;
}

int wrong(const int* out, int offset) {
  int host[kThreads], count = 0;
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) count += host[i] != 2 * i + offset;
  return count;
}

int main() {
  int *left, *out, *pinned;
  cudaMalloc(&left, 2 * kThreads * sizeof(int));
  cudaMalloc(&out, kThreads * sizeof(int));
  cudaMallocHost(&pinned, kThreads * sizeof(int));
  int* right = left + kThreads;
  int zero = 0, three = 3, thirty = 30;
  void *fill_left[] = {&left, &zero}, *fill_right[] = {&right, &zero}, *add_left[] = {&left, &three},
       *add_right[] = {&right, &thirty}, *sum_both[] = {&left, &right, &out};
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  auto* const f = reinterpret_cast<void*>(fill);
  auto* const a = reinterpret_cast<void*>(add);
  auto* const s = reinterpret_cast<void*>(sum);

  // Two branches that meet; then a copy to the host, and a function that looks at it.
  cudaGraph_t diamond;
  cudaGraphCreate(&diamond, 0);
  const cudaGraphNode_t first = kernel_node(diamond, {}, f, fill_left), second = kernel_node(diamond, {}, f, fill_right);
  const cudaGraphNode_t of_left = kernel_node(diamond, {first}, a, add_left),
                        of_right = kernel_node(diamond, {second}, a, add_right);
  const cudaGraphNode_t meet = kernel_node(diamond, {of_left, of_right}, s, sum_both);
  cudaGraphNode_t copy, host;
  cudaGraphAddMemcpyNode1D(&copy, diamond, &meet, 1, pinned, out, kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  Seen seen = {pinned, 0};
  cudaHostNodeParams looks = {look, &seen};
  cudaGraphAddHostNode(&host, diamond, &copy, 1, &looks);
  cudaGraphExec_t work;
  cudaGraphInstantiate(&work, diamond, 0);
  for (int round = 1; round <= 2; ++round) {
    cudaGraphLaunch(work, round == 1 ? stream : other);  // launches of one graph wait for each other
    cudaStreamSynchronize(round == 1 ? stream : other);
    std::printf("diamond %d: %d wrong, host saw %d\n", round, wrong(out, 33), seen.last - kThreads + 1);
  }
  cudaGraphNodeSetEnabled(work, of_left, 0);
  cudaGraphLaunch(work, stream);
  cudaStreamSynchronize(stream);
  std::printf("without the left branch: %d wrong\n", wrong(out, 30));

  // The same by capturing two streams.
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t captured;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  fill<<<1, kThreads, 0, stream>>>(left, 0);
  fill<<<1, kThreads, 0, other>>>(right, 5);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(stream, join, 0);
  sum<<<1, kThreads, 0, stream>>>(left, right, out);
  cudaStreamEndCapture(stream, &captured);
  cudaGraphExec_t forked;
  cudaGraphInstantiate(&forked, captured, 0);
  cudaGraphLaunch(forked, stream);
  cudaStreamSynchronize(stream);
  std::printf("captured fork: %d wrong\n", wrong(out, 5));

  // A child graph comes after all that its node depends on, and before all that depends on its node.
  cudaGraph_t parent;
  cudaGraphCreate(&parent, 0);
  const cudaGraphNode_t begin = kernel_node(parent, {}, f, fill_left);
  cudaGraphNode_t child;
  cudaGraphAddChildGraphNode(&child, parent, &begin, 1, captured);
  kernel_node(parent, {child}, a, add_left);
  cudaGraphNode_t last = kernel_node(parent, {child}, a, add_right);
  cudaGraphExec_t nested;
  cudaGraphInstantiate(&nested, parent, 0);
  cudaGraphLaunch(nested, stream);
  cudaStreamSynchronize(stream);
  (void)last;
  std::printf("child graphs: %d wrong\n", wrong(out, 5));

  for (cudaGraphExec_t each : {work, forked, nested}) cudaGraphExecDestroy(each);
  for (cudaGraph_t each : {diamond, captured, parent}) cudaGraphDestroy(each);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(left);
  cudaFree(out);
  cudaFreeHost(pinned);
}
// SPDX-License-Identifier: MIT
