// What the kernels of this directory share: memory filled with noise, and a row of the result for each launch.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

#include "../../../../common/gpusim/timing/calibrate/bench.cuh"

namespace outside {

using calibrate::u32;
using calibrate::u64;

// Device memory that holds zeros, or what it is given.
template <class T>
class Array : public calibrate::Buffer<T> {
 public:
  using calibrate::Buffer<T>::Buffer;
  // The same numbers on every computer, below `limit`.
  Array(std::size_t count, u32 limit) : Array(noise(count, limit)) {}
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    CALIBRATE_CHECK(
        cudaMemcpy(this->data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  operator T*() const { return this->data(); }

 private:
  static std::vector<T> noise(std::size_t count, u32 limit) {
    std::vector<T> values(count);
    u64 state = 1;
    for (T& value : values) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      value = T((state >> 33) % limit);
    }
    return values;
  }
};

// Takes the time of a launch, or predicts it, and prints it.
void row(const std::string& name, const std::function<void()>& launch);

inline unsigned blocks_for(std::size_t n, unsigned threads) { return unsigned((n + threads - 1) / threads); }

}  // namespace outside
// SPDX-License-Identifier: MIT
