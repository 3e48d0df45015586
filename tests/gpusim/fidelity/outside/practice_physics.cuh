// Steps of simulations, paths, rays and prices.
#pragma once

#include "inputs.cuh"

namespace outside {

// A step of a magnetic field from the electric fields around it, in two dimensions.
__global__ void magnetic_step(const float* ex, const float* ey, float* hz, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + width] - ey[i]);
}

// Cheapest ways through some rows of a grid, in each step straight on or aslant. A block does all the rows
// in shared memory; fewer of its columns are right in each row, and those that are right at the end are
// stored.
__global__ void cheapest_paths(const int* costs, const int* start, int* out, int columns, int rows) {
  __shared__ int before[256], now[256];
  const int tx = threadIdx.x, useful = 256 - 2 * rows;
  const int x = int(blockIdx.x) * useful - rows + tx;
  const bool is_inside = x >= 0 && x < columns;
  before[tx] = is_inside ? start[x] : 1 << 28;
  __syncthreads();
  for (int r = 0; r < rows; ++r) {
    const bool is_right = is_inside && tx > r && tx < 255 - r;
    if (is_right) now[tx] = costs[r * columns + x] + min(before[tx], min(before[tx - 1], before[tx + 1]));
    __syncthreads();
    if (is_right) before[tx] = now[tx];
    __syncthreads();
  }
  if (is_inside && tx >= rows && tx < 256 - rows) out[x] = before[tx];
}

// How much an image with speckles may diffuse at each pixel, from differences with its four neighbours.
__global__ void diffusion_coefficients(const float* image, float* out, int width, int height, float spread) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float here = image[y * width + x];
  const float north = image[max(y - 1, 0) * width + x] - here;
  const float south = image[min(y + 1, height - 1) * width + x] - here;
  const float west = image[y * width + max(x - 1, 0)] - here;
  const float east = image[y * width + min(x + 1, width - 1)] - here;
  const float squares = (north * north + south * south + west * west + east * east) / (here * here);
  const float laplacian = (north + south + west + east) / here;
  const float scale = 1.0f + 0.25f * laplacian;
  const float q = (0.5f * squares - 0.0625f * laplacian * laplacian) / (scale * scale);
  const float c = 1.0f / (1.0f + (q - spread) / (spread * (1.0f + spread)));
  out[y * width + x] = fminf(fmaxf(c, 0.0f), 1.0f);
}

// Distances of places on a map from one place.
__global__ void distances_to(const float2* places, float* out, int count, float2 target) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float dx = places[i].x - target.x, dy = places[i].y - target.y;
  out[i] = sqrtf(dx * dx + dy * dy);
}

__device__ inline int step_x(int q) {
  return q == 1 || q == 5 || q == 8 ? 1 : q == 3 || q == 6 || q == 7 ? -1 : 0;
}

__device__ inline int step_y(int q) {
  return q == 2 || q == 5 || q == 6 ? 1 : q == 4 || q == 7 || q == 8 ? -1 : 0;
}

// A step of a lattice Boltzmann fluid with nine velocities: pulls from the neighbours, and collides.
__global__ void lattice_step(const float* in, float* out, int width, int height, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int cells = width * height;
  float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    const int from_x = (x - step_x(q) + width) % width, from_y = (y - step_y(q) + height) % height;
    f[q] = in[q * cells + from_y * width + from_x];
    density += f[q];
    ux += step_x(q) * f[q];
    uy += step_y(q) * f[q];
  }
  ux /= density;
  uy /= density;
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    const float weight = q == 0 ? 4.0f / 9 : q < 5 ? 1.0f / 9 : 1.0f / 36;
    const float along = 3.0f * (step_x(q) * ux + step_y(q) * uy);
    const float rest = weight * density * (1.0f + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
    out[q * cells + y * width + x] = f[q] + omega * (rest - f[q]);
  }
}

// Forces between atoms and those on their lists of neighbours, where list entry k of all atoms lies together.
__global__ void lennard_jones(const float4* places, const int* neighbours, float4* forces, int atoms,
                              int entries, float cutoff) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const float4 here = places[i];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < entries; ++k) {
    const float4 there = places[neighbours[k * atoms + i]];
    const float dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
    const float square = dx * dx + dy * dy + dz * dz;
    if (square < cutoff) {
      const float inverse = 1.0f / (square + 0.01f), sixth = inverse * inverse * inverse;
      const float force = inverse * sixth * (48.0f * sixth - 24.0f);
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
    }
  }
  forces[i] = make_float4(fx, fy, fz, 0.0f);
}

// Casts a ray through each pixel at a list of spheres, and shades by the distance of the nearest.
__global__ void cast_rays(const float4* spheres, float* out, int width, int height, int count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float dx = (x - 0.5f * width) / height, dy = (y - 0.5f * height) / height, dz = 1.0f;
  const float scale = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= scale, dy *= scale, dz *= scale;
  float nearest = 1e30f;
  for (int k = 0; k < count; ++k) {
    const float4 s = spheres[k];
    const float b = dx * s.x + dy * s.y + dz * s.z;
    const float inside = b * b - (s.x * s.x + s.y * s.y + s.z * s.z - s.w * s.w);
    if (inside > 0) {
      const float distance = b - sqrtf(inside);
      if (distance > 0 && distance < nearest) nearest = distance;
    }
  }
  out[y * width + x] = 1.0f / (1.0f + 0.1f * nearest);
}

// Relaxes every second cell, as on a chess board, in place.
__global__ void relax_colour(float* cells, int width, int height, int colour) {
  const int half = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = 2 * half + (y + colour) % 2, i = y * width + x;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1) return;
  cells[i] = 0.25f * (cells[i - 1] + cells[i + 1] + cells[i - width] + cells[i + width]);
}

// Payoffs of options on the mean of a price, along one path per thread with random numbers of its own.
__global__ void mean_price_paths(float* payoffs, int steps, float drift, float volatility, float strike) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = unsigned(i) * 747796405u + 2891336453u;
  float price = 100.0f, sum = 0;
  for (int k = 0; k < steps; ++k) {
    state = state * 1664525u + 1013904223u;
    const float a = ((state >> 8) + 1) / 16777216.0f;
    state = state * 1664525u + 1013904223u;
    const float b = (state >> 8) / 16777216.0f;
    const float normal = sqrtf(-2.0f * __logf(a)) * __cosf(6.2831853f * b);
    price *= __expf(drift + volatility * normal);
    sum += price;
  }
  payoffs[i] = fmaxf(sum / steps - strike, 0.0f);
}

inline void cheapest_paths_row(int columns, int rows) {
  const Filled<int> costs(std::size_t(columns) * rows, [](std::size_t k) { return scrambled(k) % 10; });
  const Filled<int> start(columns, [](std::size_t k) { return scrambled(k) % 10; }), out(columns);
  const unsigned blocks = blocks_over(columns, 256 - 2 * rows);
  row("cheapest_paths " + std::to_string(rows),
      [&] { cheapest_paths<<<blocks, 256>>>(costs, start, out, columns, rows); });
}

inline void lattice_row(int side) {
  const std::size_t count = std::size_t(9) * side * side;
  const Filled<float> in(count, [](std::size_t k) { return 0.1f + 0.01f * fraction(k); }), out(count);
  row("lattice_step " + std::to_string(side),
      [&] { lattice_step<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(in, out, side, side, 1.2f); });
}

inline void lennard_jones_row() {
  constexpr int kAtoms = 131072, kEntries = 64;
  const auto place = [](std::size_t k) {
    return make_float4(9 * fraction(3 * k), 9 * fraction(3 * k + 1), 9 * fraction(3 * k + 2), 0.0f);
  };
  const auto neighbour = [](std::size_t k) { return (k % kAtoms + 1 + scrambled(k) % 2048) % kAtoms; };
  const Filled<float4> places(kAtoms, place), forces(kAtoms);
  const Filled<int> neighbours(kAtoms * kEntries, neighbour);
  row("lennard_jones",
      [&] { lennard_jones<<<kAtoms / 128, 128>>>(places, neighbours, forces, kAtoms, kEntries, 16.0f); });
}

inline void cast_rays_row() {
  const auto sphere = [](std::size_t k) {
    const float x = 20 * fraction(3 * k) - 10, y = 20 * fraction(3 * k + 1) - 10;
    return make_float4(x, y, 20 + 20 * fraction(3 * k + 2), 1.0f);
  };
  const Filled<float4> spheres(256, sphere);
  const Filled<float> out(1024 * 768);
  row("cast_rays", [&] { cast_rays<<<dim3(32, 96), dim3(32, 8)>>>(spheres, out, 1024, 768, 256); });
}

inline void physics_rows() {
  const dim3 threads(32, 8);
  cheapest_paths_row(100000, 8);
  cheapest_paths_row(1 << 20, 20);
  lattice_row(256);
  lattice_row(1024);
  lennard_jones_row();
  cast_rays_row();
  {
    constexpr int kSide = 2048, kCells = kSide * kSide;
    const Filled<float> ex(kCells, fraction), ey(kCells, fraction), hz(kCells);
    row("magnetic_step",
        [&] { magnetic_step<<<dim3(kSide / 32, kSide / 8), threads>>>(ex, ey, hz, kSide, kSide); });
  }
  {
    const Filled<float> image(1024 * 1024, [](std::size_t k) { return 1.0f + fraction(k); });
    const Filled<float> out(1024 * 1024);
    row("diffusion_coefficients",
        [&] { diffusion_coefficients<<<dim3(32, 128), threads>>>(image, out, 1024, 1024, 0.05f); });
  }
  {
    const auto place = [](std::size_t k) { return make_float2(fraction(2 * k), fraction(2 * k + 1)); };
    const Filled<float2> places(42764, place);
    const Filled<float> out(42764);
    const float2 target = make_float2(0.3f, 0.6f);
    row("distances_to", [&] { distances_to<<<blocks_over(42764, 256), 256>>>(places, out, 42764, target); });
  }
  {
    const Filled<float> cells(4096 * 4096, fraction);
    row("relax_colour", [&] { relax_colour<<<dim3(64, 512), threads>>>(cells, 4096, 4096, 1); });
  }
  {
    constexpr int kPaths = 1 << 19;
    const Filled<float> payoffs(kPaths);
    row("mean_price_paths",
        [&] { mean_price_paths<<<kPaths / 256, 256>>>(payoffs, 256, 0.0001f, 0.01f, 100.0f); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
