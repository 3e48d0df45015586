// options: -lcurand
// expect: XORWOW seed 0 thread 0: 3179217846 1883133293 2220552389 611759444 0.157 0.463 1.511 -0.823 1.820 -0.326 -1.061 -1.709 1.567 -0.577 1.666 14.000
// expect: XORWOW seed 0 thread 1: 3955638199 1977250130 1432217238 1534692752 0.373 0.567 2.236 0.234 0.616 -0.273 0.138 -0.371 1.675 0.485 -0.630 5.000
// expect: XORWOW seed 0 thread 63: 3100011904 1043902344 712304419 6765378 0.116 0.770 1.803 0.346 -0.789 -1.732 -0.681 0.521 1.502 0.142 1.332 11.000
// expect: XORWOW seed 1 thread 0: 3854934053 611807480 3466891913 984432657 0.334 0.702 -0.308 2.025 0.549 -0.489 -1.621 0.828 1.525 0.719 -2.838 18.000
// expect: XORWOW seed 1 thread 1: 984462741 1057687990 1883530051 3482783852 0.633 0.261 0.773 1.279 0.028 -0.056 0.328 -0.336 1.805 1.731 0.169 10.000
// expect: XORWOW seed 1 thread 63: 809169388 242769611 1437957002 805815549 0.768 0.265 0.360 -0.570 1.669 1.644 -1.658 -0.242 1.144 -1.150 -1.774 16.000
// expect: Philox seed 0 thread 0: 1713891541 3781805453 3159862348 3583185804 0.605 0.972 -1.338 -0.492 0.313 -1.925 0.461 -0.401 1.528 0.128 -0.396 8.000
// expect: Philox seed 0 thread 1: 2219120097 4035800746 253345875 1469045200 0.516 0.791 0.022 -0.568 -1.290 1.323 1.175 -1.370 2.350 -0.334 0.223 7.000
// expect: Philox seed 0 thread 63: 2151932429 3495491078 345517206 193279391 0.998 0.920 -1.491 -0.270 2.600 0.973 -0.672 -0.186 1.601 2.009 2.085 12.000
// expect: Philox seed 1 thread 0: 2550010797 380275961 4087723972 1510379594 0.210 0.359 -1.992 2.060 -0.433 0.489 1.281 -1.582 1.689 -1.253 0.646 11.000
// expect: Philox seed 1 thread 1: 3419432269 1508164228 1687794430 1692247751 0.922 0.033 -2.287 0.883 -2.532 1.478 0.123 -0.847 2.767 -1.476 0.719 7.000
// expect: Philox seed 1 thread 63: 1995928595 4159247185 3774213276 1117906692 0.004 0.576 0.402 -1.972 0.242 0.261 0.310 -0.125 1.222 -2.629 2.271 15.000
// expect: MRG32k3a seed 0 thread 0: 545508615 1368065476 1327943825 400288893 0.826 0.222 0.135 -1.113 1.085 -0.342 -0.665 1.185 1.260 0.428 -0.136 8.000
// expect: MRG32k3a seed 0 thread 1: 341016064 2063042464 3686465981 3412383119 0.717 0.170 0.513 -0.964 0.927 -1.046 1.384 -0.652 1.296 0.337 -1.883 19.000
// expect: MRG32k3a seed 0 thread 63: 4159750073 3383053427 2104353426 3837526638 0.524 0.334 -0.757 0.535 0.872 0.548 -0.058 -2.724 1.825 0.697 0.406 15.000
// expect: MRG32k3a seed 1 thread 0: 1360804309 153432586 1313200688 4229263188 0.174 0.678 -0.921 -1.544 -0.336 1.206 0.264 0.288 1.712 -0.533 1.700 14.000
// expect: MRG32k3a seed 1 thread 1: 2846204561 2187801600 3841422117 3794549385 0.118 0.547 2.255 0.560 -1.681 1.466 -0.987 0.083 1.532 0.690 -0.777 12.000
// expect: MRG32k3a seed 1 thread 63: 43900145 3499213409 4218764506 3137358987 0.025 0.448 -1.279 0.293 1.558 -0.797 0.733 0.108 1.564 -1.352 0.427 12.000
// expect: four: 3654806341 1699973266 972527349 3993829521, 0.2224 0.9251 0.6257 0.6216, -0.367 -0.699 1.001 -0.053
// expect: 16084 of 20480 points are inside: pi is about 3.14
// Numbers of the device's generators: those that NVIDIA's curand_kernel.h gives.
#include <curand_kernel.h>

#include <cstdio>

constexpr int kThreads = 64, kNumbers = 12;

template <class State>
__global__ void draw(unsigned long long seed, unsigned long long offset, unsigned* bits, double* numbers) {
  State state;
  curand_init(seed, threadIdx.x, offset, &state);
  bits += threadIdx.x * 4;
  numbers += threadIdx.x * kNumbers;
  for (int i = 0; i < 3; ++i) bits[i] = curand(&state);
  *numbers++ = curand_uniform(&state);
  *numbers++ = curand_uniform_double(&state);
  for (int i = 0; i < 3; ++i) *numbers++ = curand_normal(&state);
  for (int i = 0; i < 3; ++i) *numbers++ = curand_normal_double(&state);
  *numbers++ = curand_log_normal(&state, 0.5f, 0.25f);
  const float2 pair = curand_normal2(&state);
  *numbers++ = pair.x;
  *numbers++ = pair.y;
  *numbers++ = curand_poisson(&state, 12.5);
  skipahead(1000, &state);
  skipahead_sequence(5, &state);
  bits[3] = curand(&state);
}

template <class State> void show(const char* name) {
  unsigned* bits;
  double* numbers;
  cudaMallocManaged(&bits, kThreads * 4 * sizeof(unsigned));
  cudaMallocManaged(&numbers, kThreads * kNumbers * sizeof(double));
  const unsigned long long seeds[] = {0, 0x123456789abcdefull};
  for (int k = 0; k < 2; ++k) {
    draw<State><<<1, kThreads>>>(seeds[k], k * 1000000007ull, bits, numbers);
    cudaDeviceSynchronize();
    for (int thread : {0, 1, 63}) {
      std::printf("%s seed %d thread %d:", name, k, thread);
      for (int i = 0; i < 4; ++i) std::printf(" %u", bits[thread * 4 + i]);
      for (int i = 0; i < kNumbers; ++i) std::printf(" %.3f", numbers[thread * kNumbers + i]);
      std::printf("\n");
    }
  }
}

__global__ void four(uint4* bits, float4* numbers) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, 2, 1, &state);
  bits[0] = curand4(&state);
  numbers[0] = curand_uniform4(&state);
  numbers[1] = curand_normal4(&state);
}

__global__ void inside(curandState* states, int draws, unsigned* hits) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(2028, thread, 0, &states[thread]);
  curandState own = states[thread];
  unsigned found = 0;
  for (int i = 0; i < draws; ++i) {
    const float x = curand_uniform(&own), y = curand_uniform(&own);
    found += x * x + y * y <= 1;
  }
  atomicAdd(hits, found);
  states[thread] = own;
}

int main() {
  show<curandState>("XORWOW");
  show<curandStatePhilox4_32_10_t>("Philox");
  show<curandStateMRG32k3a>("MRG32k3a");
  uint4* bits;
  float4* numbers;
  cudaMallocManaged(&bits, sizeof(uint4));
  cudaMallocManaged(&numbers, 2 * sizeof(float4));
  four<<<1, 1>>>(bits, numbers);
  cudaDeviceSynchronize();
  std::printf("four: %u %u %u %u, %.4f %.4f %.4f %.4f, %.3f %.3f %.3f %.3f\n", bits->x, bits->y, bits->z, bits->w,
              numbers[0].x, numbers[0].y, numbers[0].z, numbers[0].w, numbers[1].x, numbers[1].y, numbers[1].z,
              numbers[1].w);
  curandState* states;
  unsigned* hits;
  cudaMalloc(&states, 1024 * sizeof(curandState));
  cudaMallocManaged(&hits, sizeof(unsigned));
  *hits = 0;
  inside<<<8, 128>>>(states, 20, hits);
  cudaDeviceSynchronize();
  std::printf("%u of 20480 points are inside: pi is about %.2f\n", *hits, *hits * 4 / 20480.0);
}
// SPDX-License-Identifier: MIT
