// expect-finding: out of bounds 32
// expect-text: a copy of this graph reads 256 bytes of host memory that has been freed since the graph was made
// advice: free it after the graph's last launch
// The graph has recorded the address of a staging buffer. The program frees the buffer, and then launches the graph.
#include <cuda_runtime.h>

__global__ void scale(const int* in, int* out) { out[threadIdx.x] = 10 * in[threadIdx.x]; }

int main() {
  constexpr size_t bytes = 64 * sizeof(int);
  int *staging, *in, *out, got[64];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  cudaMallocHost(&staging, bytes);
  for (int i = 0; i < 64; ++i) staging[i] = i;
  cudaDeviceSynchronize();

  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(in, staging, bytes, cudaMemcpyHostToDevice, stream);
  scale<<<1, 64, 0, stream>>>(in, out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t copy_and_scale;
  cudaGraphInstantiate(&copy_and_scale, graph, 0);
#ifndef FIXED
  cudaFreeHost(staging);
#endif
  const cudaError_t error = cudaGraphLaunch(copy_and_scale, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(got, out, bytes, cudaMemcpyDeviceToHost);
#ifdef FIXED
  cudaFreeHost(staging);
#endif
  cudaGraphExecDestroy(copy_and_scale);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
