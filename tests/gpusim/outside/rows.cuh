// What the kernels of this directory share: memory filled with noise, and a row of the result for each launch.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace outside {

using u32 = std::uint32_t;
using u64 = unsigned long long;

#define OUTSIDE_CHECK(call)                                                                           \
  do {                                                                                                \
    if (const cudaError_t error_ = (call); error_ != cudaSuccess) {                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                                   \
    }                                                                                                 \
  } while (false)

// Device memory that holds zeros.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) {
    OUTSIDE_CHECK(cudaMalloc(&data_, count * sizeof(T)));
    OUTSIDE_CHECK(cudaMemset(data_, 0, count * sizeof(T)));
  }
  // The same numbers on every computer, below `limit`.
  Array(std::size_t count, u32 limit) : Array(count) {
    std::vector<T> values(count);
    u64 state = 1;
    for (T& value : values) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      value = T((state >> 33) % limit);
    }
    OUTSIDE_CHECK(cudaMemcpy(data_, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    OUTSIDE_CHECK(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { (void)cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator T*() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// Takes the time of a launch, or predicts it, and prints it.
void row(const std::string& name, const std::function<void()>& launch);

inline unsigned blocks_for(std::size_t n, unsigned threads) { return unsigned((n + threads - 1) / threads); }

}  // namespace outside
