// Steps of simulations: bodies, waves, spins, cloth, fluids, fields of charges, and distances on the globe.
#pragma once

#include "homework_common.cuh"

namespace outside {

// Accelerations of bodies in doubles, from tiles of 128 in shared memory.
__global__ void gravity_double(const double* x, const double* y, const double* z, const double* mass,
                               double* out, int bodies) {
  __shared__ double tile[4][128];
  const int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
  const double own_x = x[i], own_y = y[i], own_z = z[i];
  double ax = 0, ay = 0, az = 0;
  for (int start = 0; start < bodies; start += 128) {
    tile[0][tid] = x[start + tid];
    tile[1][tid] = y[start + tid];
    tile[2][tid] = z[start + tid];
    tile[3][tid] = mass[start + tid];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      const double dx = tile[0][k] - own_x, dy = tile[1][k] - own_y, dz = tile[2][k] - own_z;
      const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-4);
      const double weight = tile[3][k] * inverse * inverse * inverse;
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
    }
    __syncthreads();
  }
  out[i] = ax;
  out[bodies + i] = ay;
  out[2 * bodies + i] = az;
}

// A step of a wave in a volume with four neighbours on each side: 32 x 8 threads go down, with those below
// and above in registers and those of the plane in shared memory. All sides have a margin of four.
__global__ void acoustic_step(const float* now, const float* before, const float* speed, float* next, int nx,
                              int ny, int nz) {
  __shared__ float plane[16][40];
  const float c1 = 1.6f, c2 = -0.2f, c3 = 0.0253968f, c4 = -0.0017857f, c0 = -2.8472222f * 3;
  const int tx = threadIdx.x, ty = threadIdx.y, step = nx * ny;
  int i = (blockIdx.y * 8 + ty + 4) * nx + blockIdx.x * 32 + tx + 4;
  float behind[4], ahead[4], here = now[i + 4 * step];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    behind[k] = now[i + (3 - k) * step];
    ahead[k] = now[i + (5 + k) * step];
  }
  i += 4 * step;
  for (int z = 4; z < nz - 4; ++z, i += step) {
    plane[ty + 4][tx + 4] = here;
    if (ty < 4) {
      plane[ty][tx + 4] = now[i - 4 * nx];
      plane[ty + 12][tx + 4] = now[i + 8 * nx];
    }
    if (tx < 4) {
      plane[ty + 4][tx] = now[i - 4];
      plane[ty + 4][tx + 36] = now[i + 32];
    }
    __syncthreads();
    const float* const p = &plane[ty + 4][tx + 4];
    float sum = c0 * here;
    sum += c1 * (behind[0] + ahead[0] + p[-1] + p[1] + p[-40] + p[40]);
    sum += c2 * (behind[1] + ahead[1] + p[-2] + p[2] + p[-80] + p[80]);
    sum += c3 * (behind[2] + ahead[2] + p[-3] + p[3] + p[-120] + p[120]);
    sum += c4 * (behind[3] + ahead[3] + p[-4] + p[4] + p[-160] + p[160]);
    next[i] = 2.0f * here - before[i] + speed[i] * sum;
    __syncthreads();
    behind[3] = behind[2], behind[2] = behind[1], behind[1] = behind[0], behind[0] = here;
    here = ahead[0], ahead[0] = ahead[1], ahead[1] = ahead[2], ahead[2] = ahead[3];
    if (z < nz - 5) ahead[3] = now[i + 5 * step];
  }
}

// A sweep over the spins of one colour of Ising's model by Metropolis's rule; the others are copied.
__global__ void ising_sweep(const signed char* in, signed char* out, int side, int colour, float beta,
                            unsigned seed) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            i = y * side + x;
  const signed char own = in[i];
  if ((x + y) % 2 != colour) {
    out[i] = own;
    return;
  }
  const int around = in[y * side + (x + 1) % side] + in[y * side + (x + side - 1) % side] +
                     in[(y + 1) % side * side + x] + in[(y + side - 1) % side * side + x];
  unsigned h = (unsigned(i) ^ seed) * 0x9e3779b9u;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h ^= h >> 13;
  const float chance = __expf(-2.0f * beta * own * around);
  out[i] = h * 2.3283064e-10f < chance ? static_cast<signed char>(-own) : own;
}

// Forces of springs between each point of a cloth and up to eight around it, and a step in time.
__global__ void cloth_step(const float4* places, const float4* speeds, float4* new_places, float4* new_speeds,
                           int side, float rest, float dt) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const float4 own = places[y * side + x];
  float4 speed = speeds[y * side + x];
  float fx = 0, fy = -9.81f, fz = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || x + dx < 0 || x + dx >= side || y + dy < 0 || y + dy >= side) continue;
      const float4 other = places[(y + dy) * side + x + dx];
      const float gx = other.x - own.x, gy = other.y - own.y, gz = other.z - own.z;
      const float length = sqrtf(gx * gx + gy * gy + gz * gz) + 1e-6f;
      const float pull = 50.0f * (length - rest * (dx != 0 && dy != 0 ? 1.4142136f : 1.0f)) / length;
      fx += pull * gx, fy += pull * gy, fz += pull * gz;
    }
  }
  speed = make_float4((speed.x + dt * fx) * 0.99f, (speed.y + dt * fy) * 0.99f, (speed.z + dt * fz) * 0.99f,
                      0.0f);
  new_speeds[y * side + x] = speed;
  new_places[y * side + x] =
      make_float4(own.x + dt * speed.x, own.y + dt * speed.y, own.z + dt * speed.z, own.w);
}

// Carries a quantity along a flow: looks up where it came from, between four cells.
__global__ void advect(const float* in, const float* u, const float* v, float* out, int side, float dt) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            i = y * side + x;
  if (x >= side || y >= side) return;
  const float from_x = fminf(fmaxf(x - dt * u[i], 0.5f), side - 1.5f);
  const float from_y = fminf(fmaxf(y - dt * v[i], 0.5f), side - 1.5f);
  const int x0 = int(from_x), y0 = int(from_y);
  const float s = from_x - x0, t = from_y - y0;
  const float* const corner = in + y0 * side + x0;
  out[i] =
      (1 - s) * ((1 - t) * corner[0] + t * corner[side]) + s * ((1 - t) * corner[1] + t * corner[side + 1]);
}

struct Points {
  float x[512], y[512], z[512], weight[512];
};

__host__ __device__ constexpr Points scattered_points() {
  Points points{};
  unsigned state = 12345u;
  for (int k = 0; k < 512; ++k) {
    state = state * 1664525u + 1013904223u;
    points.x[k] = float(state >> 16) / 65536.0f;
    state = state * 1664525u + 1013904223u;
    points.y[k] = float(state >> 16) / 65536.0f;
    state = state * 1664525u + 1013904223u;
    points.z[k] = float(state >> 16) / 65536.0f;
    points.weight[k] = k % 2 == 0 ? 1.0f : -1.0f;
  }
  return points;
}

__constant__ Points kPoints = scattered_points();

// The first half of a reconstruction of magnetic resonance pictures: waves of 512 samples, which lie in
// constant memory, summed at each place.
__global__ void resonance_sums(const float* x, const float* y, const float* z, float2* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float own_x = x[i], own_y = y[i], own_z = z[i];
  float real = 0, imaginary = 0;
  for (int k = 0; k < 512; ++k) {
    const float angle = 6.2831853f * (kPoints.x[k] * own_x + kPoints.y[k] * own_y + kPoints.z[k] * own_z);
    real += kPoints.weight[k] * __cosf(angle);
    imaginary += kPoints.weight[k] * __sinf(angle);
  }
  out[i] = make_float2(real, imaginary);
}

// The potential of 512 charges in constant memory on a slice of a lattice: four places for each thread.
__global__ void coulomb_slice(float* out, int width, float spacing, float z) {
  const int x = blockIdx.x * blockDim.x * 4 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float at_y = y * spacing;
  float sums[4] = {};
  for (int k = 0; k < 512; ++k) {
    const float dy = kPoints.y[k] - at_y, dz = kPoints.z[k] - z, squares = dy * dy + dz * dz + 1e-6f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float dx = kPoints.x[k] - (x + j * int(blockDim.x)) * spacing;
      sums[j] += kPoints.weight[k] * rsqrtf(dx * dx + squares);
    }
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) out[y * width + x + j * blockDim.x] = sums[j];
}

// A stencil of nine points in doubles, with three weights.
__global__ void stencil_9_double(const double* in, double* out, int width, double centre, double side,
                                 double corner) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const double* const p = in + y * width + x;
  const double sides = p[-1] + p[1] + p[-width] + p[width];
  const double corners = p[-width - 1] + p[-width + 1] + p[width - 1] + p[width + 1];
  out[y * width + x] = centre * p[0] + side * sides + corner * corners;
}

// Distances between places on the globe, given in degrees.
__global__ void haversine(const float4* pairs, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 p = pairs[i];
  const float scale = 0.017453293f, lat_1 = p.x * scale, lat_2 = p.z * scale;
  const float a = sinf(0.5f * (lat_2 - lat_1)), b = sinf(0.5f * (p.w - p.y) * scale);
  out[i] = 12742.0f * asinf(fminf(sqrtf(a * a + cosf(lat_1) * cosf(lat_2) * b * b), 1.0f));
}

}  // namespace outside
// SPDX-License-Identifier: MIT
