// expect: product -5 10, quotient 2.2 -0.4, length 5
// expect: roots of unity: 0 of 8 far from 1
// options: -ffp-contract=off -std=c++17
//
// cuComplex.h, on the device and on the host.
#include <cuComplex.h>

#include <cmath>
#include <cstdio>

__global__ void use(cuFloatComplex a, cuFloatComplex b, cuFloatComplex* out, float* length) {
  out[0] = cuCmulf(a, b), out[1] = cuCdivf(cuConjf(make_cuFloatComplex(5, 10)), make_cuFloatComplex(3, -4));
  length[0] = cuCabsf(a);
  out[1] = cuCaddf(out[1], cuCsubf(a, a));
}
__global__ void powers(cuDoubleComplex root, cuDoubleComplex* out) {
  cuDoubleComplex z = make_cuDoubleComplex(1, 0);
  for (int k = 0; k < 8 * int(threadIdx.x + 1); ++k) z = cuCmul(z, root);
  out[threadIdx.x] = z;
}

int main() {
  cuFloatComplex* out;
  cuDoubleComplex* ones;
  float* length;
  cudaMallocManaged(&out, 2 * sizeof *out), cudaMallocManaged(&length, 4), cudaMallocManaged(&ones, 8 * sizeof *ones);
  use<<<1, 1>>>(make_cuFloatComplex(3, 4), make_cuFloatComplex(1, 2), out, length);
  powers<<<1, 8>>>(make_cuDoubleComplex(std::sqrt(0.5), std::sqrt(0.5)), ones);
  cudaDeviceSynchronize();
  std::printf("product %g %g, quotient %g %g, length %g\n", cuCrealf(out[0]), cuCimagf(out[0]), cuCrealf(out[1]),
              cuCimagf(out[1]), *length);
  int far = 0;
  for (int i = 0; i < 8; ++i) far += cuCabs(cuCsub(ones[i], make_cuDoubleComplex(1, 0))) > 1e-12;
  std::printf("roots of unity: %d of 8 far from 1\n", far);
}
// SPDX-License-Identifier: MIT
