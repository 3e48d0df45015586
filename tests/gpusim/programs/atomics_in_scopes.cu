// expect: 36 atomic functions, each for the GPU, a block and the system: 0 differ
//
// An atomic function with a scope does what the one without does: on values at the edges of its type, on which signed and
// unsigned functions, and additions of floats and of their bits, have different results.
#include <cstdio>

enum class Scope { kGpu, kBlock, kSystem };
constexpr int kScopes = 3;

#define ATOMIC(name)                                                   \
  struct name {                                                        \
    template <class T> __device__ static T at(Scope scope, T* p, T v) { \
      switch (scope) {                                                 \
        case Scope::kGpu: return atomic##name(p, v);                   \
        case Scope::kBlock: return atomic##name##_block(p, v);         \
        case Scope::kSystem: return atomic##name##_system(p, v);       \
      }                                                                \
      return T();                                                      \
    }                                                                  \
  };
ATOMIC(Add) ATOMIC(Sub) ATOMIC(Exch) ATOMIC(Min) ATOMIC(Max) ATOMIC(Inc) ATOMIC(Dec) ATOMIC(And) ATOMIC(Or) ATOMIC(Xor)

// The exchange succeeds in the odd lanes of pairs only, whose value is what memory holds.
struct CAS {
  template <class T> __device__ static T at(Scope scope, T* p, T v) {
    switch (scope) {
      case Scope::kGpu: return atomicCAS(p, v, T(v + 1));
      case Scope::kBlock: return atomicCAS_block(p, v, T(v + 1));
      case Scope::kSystem: return atomicCAS_system(p, v, T(v + 1));
    }
    return T();
  }
};

template <class T> struct Result {
  T memory, returned;
};

// Values: 0, 1, all bits, the highest bit, all but the highest bit, and a plain one, each with each.
constexpr int kValues = 6, kPairs = kValues * kValues;

template <class T> __device__ T value(int k) {
  const unsigned long long high = 1ull << (8 * sizeof(T) - 1);
  const T values[kValues] = {T(0), T(1), T(~T(0)), T(high), T(high - 1), T(77)};
  return values[k];
}
template <> __device__ float value<float>(int k) { return k % 2 ? -1.5f * k : 0.1f * k; }
template <> __device__ double value<double>(int k) { return k % 2 ? -1.5 * k : 0.1 * k; }

template <class Function, class T> __global__ void run(Result<T>* results) {
  const int pair = threadIdx.x;
  for (int scope = 0; scope < kScopes; ++scope) {
    Result<T>& result = results[scope * kPairs + pair];
    result.memory = value<T>(pair / kValues);
    result.returned = Function::at(Scope(scope), &result.memory, value<T>(pair % kValues));
  }
}

template <class Function, class T> bool differs() {
  Result<T>* results;
  cudaMallocManaged(&results, kScopes * kPairs * sizeof *results);
  run<Function, T><<<1, kPairs>>>(results);
  cudaDeviceSynchronize();
  bool found = false;
  for (int k = kPairs; k < kScopes * kPairs; ++k) {
    const Result<T>&with_scope = results[k], &without = results[k % kPairs];
    found |= with_scope.memory != without.memory || with_scope.returned != without.returned;
  }
  cudaFree(results);
  return found;
}

int functions = 0, wrong = 0;
template <class Function, class... Types> void compare() {
  for (const bool differs_for_type : {differs<Function, Types>()...}) ++functions, wrong += differs_for_type;
}

int main() {
  using ull = unsigned long long;
  compare<Add, int, unsigned, ull, float, double>();
  compare<Sub, int, unsigned>();
  compare<Exch, int, unsigned, ull, float>();
  compare<Min, int, unsigned, long long, ull>();
  compare<Max, int, unsigned, long long, ull>();
  compare<Inc, unsigned>();
  compare<Dec, unsigned>();
  compare<And, int, unsigned, long long, ull>();
  compare<Or, int, unsigned, long long, ull>();
  compare<Xor, int, unsigned, long long, ull>();
  compare<CAS, int, unsigned, ull>();
  std::printf("%d atomic functions, each for the GPU, a block and the system: %d differ\n", functions, wrong);
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
