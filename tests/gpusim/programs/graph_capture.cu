// expect: captured: none, active, none; 8 nodes
// expect: nothing has run yet: 0
// expect: launch 1: 0 of 256 wrong, host function called 1 times
// expect: launch 2: 0 of 256 wrong, host function called 2 times
// expect: launch 3: 0 of 256 wrong, host function called 3 times
// expect: in another stream: 0 of 256 wrong
//
// A stream that forks into a second one and joins it again, captured into a graph.
#include <cstdio>

__global__ void add(int* values, int amount) { values[blockIdx.x * blockDim.x + threadIdx.x] += amount; }
__global__ void sum(const int* a, const int* b, int* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
void count(void* calls) { ++*static_cast<int*>(calls); }
const char* name(cudaStreamCaptureStatus status) {
  return status == cudaStreamCaptureStatusNone     ? "none"
         : status == cudaStreamCaptureStatusActive ? "active"
                                                   : "invalidated";
}

int main() {
  constexpr int n = 256, bytes = n * sizeof(int);
  int *a, *b, *c, *in, *out, calls = 0;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&c, bytes);
  cudaMallocHost(&in, bytes), cudaMallocHost(&out, bytes);
  for (int i = 0; i < n; ++i) in[i] = i, out[i] = 0;
  cudaStream_t first, second;
  cudaEvent_t forked, joined;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  cudaEventCreate(&forked), cudaEventCreate(&joined);

  cudaStreamCaptureStatus before, during, after;
  cudaStreamIsCapturing(first, &before);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, first);
  cudaEventRecord(forked, first);
  cudaStreamWaitEvent(second, forked);
  add<<<2, n / 2, 0, first>>>(a, 1);
  cudaMemsetAsync(b, 0, bytes, second);
  add<<<2, n / 2, 0, second>>>(b, 100);
  add<<<2, n / 2, 0, second>>>(b, 20);
  cudaStreamIsCapturing(second, &during);
  cudaEventRecord(joined, second);
  cudaStreamWaitEvent(first, joined);
  sum<<<2, n / 2, 0, first>>>(a, b, c);
  cudaMemcpyAsync(out, c, bytes, cudaMemcpyDeviceToHost, first);
  cudaLaunchHostFunc(first, count, &calls);
  cudaGraph_t graph;
  cudaStreamEndCapture(first, &graph);
  cudaStreamIsCapturing(second, &after);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("captured: %s, %s, %s; %zu nodes\n", name(before), name(during), name(after), nodes);
  std::printf("nothing has run yet: %d\n", out[1] + calls);

  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  const auto wrong = [&](int offset) {
    int found = 0;
    for (int i = 0; i < n; ++i) found += out[i] != i + offset + 121;
    return found;
  };
  for (int launch = 1; launch <= 3; ++launch) {
    for (int i = 0; i < n; ++i) in[i] = i + launch;
    cudaGraphLaunch(exec, first);
    cudaStreamSynchronize(first);
    std::printf("launch %d: %d of %d wrong, host function called %d times\n", launch, wrong(launch), n, calls);
  }
  for (int i = 0; i < n; ++i) in[i] = i - 5;
  cudaGraphLaunch(exec, second);
  cudaStreamSynchronize(second);
  std::printf("in another stream: %d of %d wrong\n", wrong(-5), n);
  cudaGraphExecDestroy(exec);
  return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
