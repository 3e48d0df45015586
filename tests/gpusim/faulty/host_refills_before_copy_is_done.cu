// expect-finding: race 18
// expect-text: the host writes byte 0 of 256 bytes that a copy from the host to the GPU may still read: wait for that work first
// advice: wait for that work first (cudaStreamSynchronize
// advice: (ADVISED) cudaEventSynchronize
// One pinned buffer carries two pieces, and the host fills it again while the first may still be on its way.
#include <cuda_runtime.h>

int main() {
  constexpr size_t bytes = 64 * sizeof(int);
  int *data, *buffer;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&data, 2 * bytes);
  cudaMallocHost(&buffer, bytes);
  for (int piece = 0; piece < 2; ++piece) {
    // The compiler is to store each element, as it is to do by a reader that it does not know.
    for (int i = 0; i < 64; ++i)
      static_cast<volatile int*>(buffer)[i] = piece;
    cudaMemcpyAsync(data + 64 * piece, buffer, bytes, cudaMemcpyHostToDevice, stream);
#ifdef FIXED
    cudaStreamSynchronize(stream);
#elif defined ADVISED
    cudaEvent_t copied;
    cudaEventCreate(&copied);
    cudaEventRecord(copied, stream);
    cudaEventSynchronize(copied);
    cudaEventDestroy(copied);
#endif
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(buffer);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
