// Densities and flows on irregular neighbours, and the launches of these and of homework_simulations.cuh.
#pragma once

#include "homework_simulations.cuh"

#include <algorithm>

namespace outside {

// Densities of particles, sorted by cell: each looks through the 27 cells around its own.
__global__ void particle_density(const float4* particles, const int* begin, float* out, int count, int side) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 own = particles[i];
  const int cx = int(own.x), cy = int(own.y), cz = int(own.z);
  float sum = 0;
  for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); ++z) {
    for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); ++y) {
      for (int x = max(cx - 1, 0); x <= min(cx + 1, side - 1); ++x) {
        const int cell = (z * side + y) * side + x;
        for (int k = begin[cell]; k < begin[cell + 1]; ++k) {
          const float4 other = particles[k];
          const float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
          const float rest = 1.0f - (dx * dx + dy * dy + dz * dz);
          if (rest > 0.0f) sum += other.w * rest * rest * rest;
        }
      }
    }
  }
  out[i] = sum * 1.5666815f;
}

// Fluxes of a compressible flow through the four sides of cells of any shape. Variable v of all cells lies
// together.
__global__ void euler_flux(const int* neighbours, const float* normals, const float* variables, float* fluxes,
                           int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const float density = variables[i], mx = variables[cells + i], my = variables[2 * cells + i];
  const float mz = variables[3 * cells + i], energy = variables[4 * cells + i];
  const float own_pressure = 0.4f * (energy - 0.5f * (mx * mx + my * my + mz * mz) / density);
  const float own_sound = sqrtf(1.4f * own_pressure / density);
  float flux[5] = {};
  for (int side = 0; side < 4; ++side) {
    const int j = neighbours[side * cells + i];
    const float nx = normals[side * cells + i], ny = normals[(4 + side) * cells + i];
    const float nz = normals[(8 + side) * cells + i];
    const float d = variables[j], px = variables[cells + j], py = variables[2 * cells + j];
    const float pz = variables[3 * cells + j], e = variables[4 * cells + j];
    const float pressure = 0.4f * (e - 0.5f * (px * px + py * py + pz * pz) / d);
    const float own_through = (mx * nx + my * ny + mz * nz) / density,
                through = (px * nx + py * ny + pz * nz) / d;
    const float area = sqrtf(nx * nx + ny * ny + nz * nz);
    const float spread =
        0.2f * area * (own_sound + sqrtf(1.4f * pressure / d) + fabsf(own_through + through));
    const float both = 0.5f * (own_pressure + pressure);
    flux[0] += 0.5f * (density * own_through + d * through) + spread * (density - d);
    flux[1] += 0.5f * (mx * own_through + px * through) + both * nx + spread * (mx - px);
    flux[2] += 0.5f * (my * own_through + py * through) + both * ny + spread * (my - py);
    flux[3] += 0.5f * (mz * own_through + pz * through) + both * nz + spread * (mz - pz);
    flux[4] +=
        0.5f * ((energy + own_pressure) * own_through + (e + pressure) * through) + spread * (energy - e);
  }
#pragma unroll
  for (int v = 0; v < 5; ++v) fluxes[v * cells + i] = flux[v];
}

inline void particle_density_row() {
  constexpr int kCount = 1 << 17, kSide = 32;
  const auto cell_of = [](float4 p) { return (int(p.z) * kSide + int(p.y)) * kSide + int(p.x); };
  std::vector<float4> sorted;
  for (std::size_t k = 0; k < kCount; ++k) {
    const float x = fraction(3 * k), y = fraction(3 * k + 1), z = fraction(3 * k + 2);
    sorted.push_back(make_float4(kSide * x, kSide * y, kSide * z, 1.0f));
  }
  std::sort(sorted.begin(), sorted.end(), [&](float4 a, float4 b) { return cell_of(a) < cell_of(b); });
  std::vector<int> starts(kSide * kSide * kSide + 1, 0);
  for (const float4& p : sorted) ++starts[cell_of(p) + 1];
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
  const Filled<float4> particles(kCount, values_of(sorted));
  const Filled<int> begin(starts.size(), values_of(starts));
  const Filled<float> out(kCount);
  row("particle_density",
      [&] { particle_density<<<kCount / 128, 128>>>(particles, begin, out, kCount, kSide); });
}

inline void acoustic_row(int width, int depth) {
  const int nx = width + 8, nz = depth + 8;
  const std::size_t count = std::size_t(nx) * nx * nz;
  const Filled<float> now(count, fraction), before(count, fraction), next(count);
  const Filled<float> speed(count, [](std::size_t k) { return 0.01f + 0.01f * fraction(k); });
  const dim3 blocks(width / 32, width / 8), threads(32, 8);
  row("acoustic_step " + std::to_string(width),
      [&] { acoustic_step<<<blocks, threads>>>(now, before, speed, next, nx, nx, nz); });
}

inline void grid_rows() {
  {
    constexpr int kSide = 2048;
    const auto spin = [](std::size_t k) { return scrambled(k) % 2 == 0 ? 1 : -1; };
    const Filled<signed char> in(kSide * kSide, spin), out(kSide * kSide);
    row("ising_sweep", [&] { ising_sweep<<<dim3(64, 256), dim3(32, 8)>>>(in, out, kSide, 0, 0.44f, 17u); });
  }
  {
    constexpr int kSide = 512;
    const auto place = [](std::size_t k) {
      return make_float4(0.01f * (k % kSide), 0.01f * (k / kSide), 0.001f * fraction(k), 0.0f);
    };
    const Filled<float4> places(kSide * kSide, place), speeds(kSide * kSide);
    const Filled<float4> new_places(kSide * kSide), new_speeds(kSide * kSide);
    row("cloth_step", [&] {
      cloth_step<<<dim3(32, 32), dim3(16, 16)>>>(places, speeds, new_places, new_speeds, kSide, 0.01f,
                                                 0.001f);
    });
  }
  {
    constexpr int kSide = 1024;
    const auto speed = [](std::size_t k) { return 8.0f * fraction(k / 64) - 4.0f; };
    const Filled<float> in(kSide * kSide, fraction), u(kSide * kSide, speed), v(kSide * kSide, speed);
    const Filled<float> out(kSide * kSide);
    row("advect", [&] { advect<<<dim3(64, 64), dim3(16, 16)>>>(in, u, v, out, kSide, 0.5f); });
  }
  {
    constexpr int kInside = 4096, kSide = kInside + 2;
    const Filled<double> in(kSide * kSide, fraction), out(kSide * kSide);
    row("stencil_9_double", [&] {
      stencil_9_double<<<dim3(kInside / 16, kInside / 16), dim3(16, 16)>>>(in, out, kSide, 0.5, 0.1, 0.025);
    });
  }
}

inline void simulation_rows() {
  grid_rows();
  acoustic_row(64, 32);
  acoustic_row(256, 96);
  particle_density_row();
  {
    const Filled<double> x(4096, fraction), y(4096, [](std::size_t k) { return fraction(k + 4096); });
    const Filled<double> z(4096, [](std::size_t k) { return fraction(k + 8192); }), mass(4096, fraction);
    const Filled<double> out(3 * 4096);
    row("gravity_double", [&] { gravity_double<<<4096 / 128, 128>>>(x, y, z, mass, out, 4096); });
  }
  {
    constexpr int kCount = 1 << 16;
    const Filled<float> x(kCount, fraction), y(kCount, fraction), z(kCount, fraction);
    const Filled<float2> out(kCount);
    row("resonance_sums", [&] { resonance_sums<<<kCount / 256, 256>>>(x, y, z, out, kCount); });
  }
  {
    const Filled<float> out(512 * 512);
    row("coulomb_slice",
        [&] { coulomb_slice<<<dim3(512 / 64, 512 / 8), dim3(16, 8)>>>(out, 512, 0.002f, 0.5f); });
  }
  {
    constexpr int kPairs = 1 << 20;
    const auto pair_at = [](std::size_t k) {
      return make_float4(180 * fraction(4 * k) - 90, 360 * fraction(4 * k + 1),
                         180 * fraction(4 * k + 2) - 90, 360 * fraction(4 * k + 3));
    };
    const Filled<float4> pairs(kPairs, pair_at);
    const Filled<float> out(kPairs);
    row("haversine", [&] { haversine<<<kPairs / 256, 256>>>(pairs, out, kPairs); });
  }
  {
    constexpr int kCells = 200000;
    const auto neighbour = [](std::size_t k) { return (k % kCells + scrambled(k) % 2000) % kCells; };
    const Filled<int> neighbours(4 * kCells, neighbour);
    const Filled<float> normals(12 * kCells, [](std::size_t k) { return fraction(k) - 0.5f; }),
        fluxes(5 * kCells);
    const auto variable = [](std::size_t k) { return (k / kCells == 4 ? 5.0f : 1.0f) + 0.1f * fraction(k); };
    const Filled<float> variables(5 * kCells, variable);
    row("euler_flux", [&] {
      euler_flux<<<blocks_over(kCells, 192), 192>>>(neighbours, normals, variables, fluxes, kCells);
    });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
