// options: -lcurand
// expect: 101 bits: 2010430384 2837166552 1510636354 3700048453 3470412663 78498123 2146504382, then 3297983046
// expect: 101 uniform: 0.468 0.661 0.352 0.861 0.808 0.018 0.500, then 3297983046
// expect: 101 uniform doubles: 0.808 0.018 0.064 0.013 0.645 0.051 0.931, then 4238397963
// expect: 101 normal: -1.302 1.879 1.209 3.660 -0.888 3.617 0.385, then 3312449387
// expect: 101 normal doubles: -0.031 0.199 2.795 -2.286 0.271 1.554 1.010, then 908761716
// expect: 101 log-normal: 1.529 3.386 2.864 5.286 1.696 5.229 2.331, then 3312449387
// expect: 121 bits: 138124166 769591821 3134805905 1156977332 2815772043 1435891776 370257501, then 646465857
// expect: 121 uniform: 0.032 0.179 0.730 0.269 0.656 0.334 0.086, then 646465857
// expect: 121 uniform doubles: 0.032 0.179 0.730 0.269 0.656 0.334 0.086, then 646465857
// expect: 121 normal: 3.558 -3.577 1.473 0.255 2.234 0.398 0.160, then 2882422137
// expect: 121 normal doubles: 3.558 -3.577 1.473 0.255 2.234 0.398 0.160, then 2882422137
// expect: 121 log-normal: 5.153 0.866 3.060 2.256 3.701 2.338 2.204, then 2882422137
// expect: 161 bits: 904603875 2339621418 1373692455 3372280421 1554890647 308352331 960274798, then 3493636489
// expect: 161 uniform: 0.211 0.545 0.320 0.785 0.362 0.072 0.224, then 3493636489
// expect: 161 uniform doubles: 0.545 0.845 0.021 0.278 0.072 0.916 0.132, then 3493636489
// expect: 161 normal: 0.021 -2.392 -1.500 1.251 2.243 3.566 1.305, then 3493636489
// expect: 161 normal doubles: -0.825 2.236 5.321 0.759 -1.321 4.960 2.699, then 3493636489
// expect: 161 log-normal: 2.128 1.164 1.455 2.894 3.709 5.163 2.934, then 3493636489
// expect: on the host, from 5000 on: 4087051727 4286706543 1558955728 644072417
// expect: an odd number of pairs: 105
// Arrays of random numbers, made by calls of the host: those of NVIDIA's library, in its order.
#include <curand.h>

#include <cstdio>
#include <vector>

template <class T, class Generate> void show(curandRngType_t type, const char* what, Generate generate) {
  constexpr size_t kCount = 10000;
  curandGenerator_t generator;
  curandCreateGenerator(&generator, type);
  curandSetPseudoRandomGeneratorSeed(generator, 987654321);
  T* numbers;
  cudaMalloc(&numbers, kCount * sizeof(T));
  generate(generator, numbers, kCount);
  std::vector<T> back(kCount);
  cudaMemcpy(back.data(), numbers, kCount * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%d %s:", int(type), what);
  for (int i : {0, 1, 2, 5, 4096, 4097, 9999}) std::printf(sizeof(T) == 4 && T(0.5) == 0 ? " %.0f" : " %.3f", double(back[i]));
  curandGenerate(generator, reinterpret_cast<unsigned*>(numbers), 5);
  unsigned next;
  cudaMemcpy(&next, numbers, sizeof next, cudaMemcpyDeviceToHost);
  std::printf(", then %u\n", next);
  cudaFree(numbers);
  curandDestroyGenerator(generator);
}

int main() {
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    show<unsigned>(type, "bits", curandGenerate);
    show<float>(type, "uniform", curandGenerateUniform);
    show<double>(type, "uniform doubles", curandGenerateUniformDouble);
    show<float>(type, "normal", [](curandGenerator_t g, float* to, size_t n) { curandGenerateNormal(g, to, n, 1, 2); });
    show<double>(type, "normal doubles",
                 [](curandGenerator_t g, double* to, size_t n) { curandGenerateNormalDouble(g, to, n, 1, 2); });
    show<float>(type, "log-normal",
                [](curandGenerator_t g, float* to, size_t n) { curandGenerateLogNormal(g, to, n, 1, 0.5f); });
  }
  curandGenerator_t generator;
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 42);
  curandSetGeneratorOffset(generator, 5000);
  unsigned numbers[4];
  curandGenerate(generator, numbers, 4);
  std::printf("on the host, from 5000 on: %u %u %u %u\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  float three[3];
  std::printf("an odd number of pairs: %d\n", int(curandGenerateNormal(generator, three, 3, 0, 1)));
}
// SPDX-License-Identifier: MIT
