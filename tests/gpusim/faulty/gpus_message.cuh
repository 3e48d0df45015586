// A message from GPU 0 to GPU 1, by the kernels `give` and `take` of the file that includes this at its end.
#pragma once

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMalloc(&out, 64 * sizeof *out);
  take<<<1, 64>>>(data, flag, out);
  cudaSetDevice(0);
  give<<<1, 64>>>(data, flag);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(data);
  cudaFree(flag);
}
// SPDX-License-Identifier: MIT
