// Arrays on the device that the host fills with the same values on every run, and counts of blocks.
#pragma once

#include "program.cuh"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace outside {

// A number that looks random and depends on k alone.
inline unsigned scrambled(std::size_t k) {
  unsigned x = unsigned(k) * 0x9e3779b9u + 0x7f4a7c15u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

// Likewise, from 0 up to 1 without 1 itself.
inline float fraction(std::size_t k) { return float(scrambled(k) >> 8) / 16777216.0f; }

// So many blocks of `threads` threads have at least `count` threads.
inline unsigned blocks_over(std::size_t count, std::size_t threads) {
  return unsigned((count + threads - 1) / threads);
}

// An array on the device: of zeros, or with value_at(k) in place k.
template <class T>
class Filled {
 public:
  explicit Filled(std::size_t count) {
    allocate(count);
    CALIBRATE_CHECK(cudaMemset(data_, 0, count * sizeof(T)));
  }

  template <class Value>
  Filled(std::size_t count, const Value& value_at) {
    std::vector<T> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = T(value_at(k));
    allocate(count);
    CALIBRATE_CHECK(cudaMemcpy(data_, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }

  Filled(const Filled&) = delete;
  Filled& operator=(const Filled&) = delete;
  ~Filled() { cudaFree(data_); }

  operator T*() const { return data_; }

  // The same bytes as an array of wider or narrower words.
  template <class Word>
  Word* as() const {
    return reinterpret_cast<Word*>(data_);
  }

 private:
  void allocate(std::size_t count) {
    void* memory = nullptr;
    CALIBRATE_CHECK(cudaMalloc(&memory, count * sizeof(T)));
    data_ = static_cast<T*>(memory);
  }

  T* data_ = nullptr;
};

}  // namespace outside
// SPDX-License-Identifier: MIT
