// expect: 20 spheres, pixel (32, 32) sees sphere 7 at depth 9.0, 0 pixels wrong
#include <cmath>
#include <cstdio>

struct Sphere {
  float x, y, z, radius;
  __host__ __device__ float hit(float px, float py) const {
    const float dx = px - x, dy = py - y;
    return dx * dx + dy * dy < radius * radius ? sqrtf(radius * radius - dx * dx - dy * dy) + z : -1e9f;
  }
};

constexpr int kSpheres = 20, kSize = 64;
__constant__ Sphere spheres[kSpheres];
__device__ int hits;

__global__ void trace(int* nearest, float* depth) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  float best = -1e9f;
  int which = -1;
  for (int s = 0; s < kSpheres; ++s) {
    const float z = spheres[s].hit(x, y);
    if (z > best) best = z, which = s;
  }
  nearest[y * kSize + x] = which;
  depth[y * kSize + x] = best;
  if (which >= 0) atomicAdd(&hits, 1);
}

int main() {
  Sphere host[kSpheres];
  for (int s = 0; s < kSpheres; ++s) host[s] = {float(s * 3), float(s * 3), float(s % 4), 4.0f};
  host[7] = {32, 32, 4, 5};
  cudaMemcpyToSymbol(spheres, host, sizeof host);
  const int zero = 0;
  cudaMemcpyToSymbol(hits, &zero, sizeof zero);
  int* nearest;
  float* depth;
  cudaMallocManaged(&nearest, kSize * kSize * sizeof(int));
  cudaMallocManaged(&depth, kSize * kSize * sizeof(float));
  trace<<<dim3(kSize / 16, kSize / 16), dim3(16, 16)>>>(nearest, depth);
  cudaDeviceSynchronize();
  int wrong = 0, expected_hits = 0, counted = 0;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      float best = -1e9f;
      for (const Sphere& s : host) best = fmaxf(best, s.hit(x, y));
      expected_hits += best > -1e8f;
      wrong += std::fabs(depth[y * kSize + x] - best) > 1e-4f;
    }
  cudaMemcpyFromSymbol(&counted, hits, sizeof counted);
  wrong += counted != expected_hits;
  size_t size = 0;
  cudaGetSymbolSize(&size, spheres);
  std::printf("%d spheres, pixel (32, 32) sees sphere %d at depth %.1f, %d pixels wrong\n",
              int(size / sizeof(Sphere)), nearest[32 * kSize + 32], depth[32 * kSize + 32], wrong);
  cudaFree(nearest);
  cudaFree(depth);
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
