// expect: 10 20 30 40
// expect: after an update: 5 10 15 20
// expect: another order of nodes is refused: cudaErrorGraphExecUpdateFailure
// expect: a clone, changed, twice in a graph: 400 500 600 700
// expect: its launch cannot be captured: cudaErrorStreamCaptureUnsupported cudaErrorStreamCaptureInvalidated
//
// Graphs that change after they were instantiated; graphs in graphs.
#include <cstdio>

__global__ void scale(int* values, int factor) { values[threadIdx.x] = (threadIdx.x + 1) * factor; }
__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }

int main() {
  int *values, host[4];
  cudaMalloc(&values, sizeof host);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const auto capture = [&](auto work) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    work();
    cudaStreamEndCapture(stream, &graph);
    return graph;
  };
  const auto print = [&](const char* what, cudaGraphExec_t exec) {
    cudaGraphLaunch(exec, stream);
    cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%s%d %d %d %d\n", what, host[0], host[1], host[2], host[3]);
  };
  cudaGraph_t ten = capture([&] { scale<<<1, 4, 0, stream>>>(values, 10); });
  cudaGraph_t five = capture([&] { scale<<<1, 4, 0, stream>>>(values, 5); });
  cudaGraph_t two = capture([&] {
    scale<<<1, 4, 0, stream>>>(values, 5);
    add<<<1, 4, 0, stream>>>(values, 1);
  });
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, ten, 0);
  print("", exec);
  cudaGraphExecUpdateResultInfo info;
  cudaGraphExecUpdate(exec, five, &info);
  print("after an update: ", exec);
  std::printf("another order of nodes is refused: %s\n", cudaGetErrorName(cudaGraphExecUpdate(exec, two, &info)));
  cudaGetLastError();

  cudaGraph_t clone, parent;
  cudaGraphNode_t original, copy, children[3];
  size_t one = 1;
  cudaGraphClone(&clone, ten);
  cudaGraphGetNodes(ten, &original, &one);
  cudaGraphNodeFindInClone(&copy, original, clone);
  cudaKernelNodeParams what;
  cudaGraphKernelNodeGetParams(copy, &what);
  int factor = 100, hundred = 150;
  void* arguments[] = {&values, &factor};
  what.kernelParams = arguments;
  cudaGraphKernelNodeSetParams(copy, &what);

  cudaGraphCreate(&parent, 0);
  cudaGraph_t more = capture([&] { add<<<1, 4, 0, stream>>>(values, hundred); });
  cudaGraphAddChildGraphNode(&children[0], parent, nullptr, 0, clone);
  cudaGraphAddChildGraphNode(&children[1], parent, &children[0], 1, more);
  cudaGraphAddChildGraphNode(&children[2], parent, &children[1], 1, more);
  cudaGraphExec_t nested;
  cudaGraphInstantiate(&nested, parent, 0);
  print("a clone, changed, twice in a graph: ", nested);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  const cudaError_t launched = cudaGraphLaunch(nested, stream);
  cudaGraph_t nothing;
  std::printf("its launch cannot be captured: %s %s\n", cudaGetErrorName(launched),
              cudaGetErrorName(cudaStreamEndCapture(stream, &nothing)));
  for (cudaGraphExec_t e : {exec, nested}) cudaGraphExecDestroy(e);
  for (cudaGraph_t g : {ten, five, two, clone, parent, more}) cudaGraphDestroy(g);
}
// SPDX-License-Identifier: MIT
