// Chapter 14's all-reduces: gpus one_shot|two_shot|ring GPUS ELEMENTS. Exit status 2: a result is wrong.
#include <kernels.cuh>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "one_shot";
  const int ranks = argc > 2 ? std::atoi(argv[2]) : 2, n = argc > 3 ? std::atoi(argv[3]) : 8;
  Team team[kMostGpus];
  for (int g = 0; g < ranks; ++g) {
    cudaSetDevice(g);
    for (int peer = 0; peer < ranks; ++peer)
      if (peer != g) cudaDeviceEnablePeerAccess(peer, 0);
    float *data, *out;
    unsigned* flags;
    cudaMalloc(&data, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&flags, kMostGpus * kMostBlocks * sizeof(unsigned));
    cudaMemset(flags, 0, kMostGpus * kMostBlocks * sizeof(unsigned));
    const std::vector<float> numbers(std::size_t(n), float(1 << g));
    cudaMemcpy(data, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    for (int t = 0; t < ranks; ++t)
      team[t].data[g] = data, team[t].out[g] = out, team[t].flags[g] = flags, team[t].ranks = ranks,
      team[t].rank = t;
  }
  for (int g = 0; g < ranks; ++g) cudaSetDevice(g), cudaDeviceSynchronize();
  for (int g = 0; g < ranks; ++g) {
    cudaSetDevice(g);
    if (which == "one_shot") one_shot<<<1, kThreads>>>(team[g], n, 0);
    else if (which == "two_shot") two_shot<<<1, kThreads>>>(team[g], n, 0);
    else ring<<<1, kThreads>>>(team[g], n, 0);
  }
  bool is_right = true;
  for (int g = 0; g < ranks; ++g) {
    cudaSetDevice(g);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::vector<float> sums(std::size_t(n), 0.0f);
    cudaMemcpy(sums.data(), team[g].out[g], n * sizeof(float), cudaMemcpyDeviceToHost);
    for (const float s : sums) is_right &= s == float((1 << ranks) - 1);
  }
  return is_right ? 0 : 2;
}
// SPDX-License-Identifier: MIT
