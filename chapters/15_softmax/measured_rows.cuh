// Chapter 15, experiments: rows of one type that a kernel reads and writes, and whether what it wrote is right.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "harness/harness.h"
#include "harness/softmax_reference.h"

inline std::vector<float> as_floats(const std::vector<float>& values) { return values; }
inline std::vector<float> as_floats(const std::vector<std::uint16_t>& bits) {
  return harness::from_bfloat16(bits);
}

// T is float or __nv_bfloat16. The host keeps bfloat16 numbers as their bits.
template <typename T> class MeasuredRows {
 public:
  using Host = std::conditional_t<sizeof(T) == 2, std::uint16_t, float>;
  static constexpr auto kType = sizeof(T) == 2 ? harness::RowType::bfloat16 : harness::RowType::float32;

  explicit MeasuredRows(const std::vector<Host>& input)
      : values(as_floats(input)), bytes(2 * input.size() * sizeof(T)), d_in_(input), d_out_(input.size()) {}

  const std::vector<float> values;  // of the input
  const std::size_t bytes;          // moved if each element is read once and written once

  const T* in() const { return reinterpret_cast<const T*>(d_in_.data()); }
  T* out() { return reinterpret_cast<T*>(d_out_.data()); }
  void poison() { d_out_.fill_poison(); }
  std::vector<float> result() const { return as_floats(d_out_.download()); }
  harness::Verdict verify_softmax(int rows, int columns) const {
    constexpr int kMerges = 160;  // at most 128 numbers a thread, then 5 shuffles, warps and parts
    return harness::verify_softmax(result(), values, rows, columns, kMerges, kType);
  }

 private:
  const harness::DeviceBuffer<Host> d_in_;
  harness::DeviceBuffer<Host> d_out_;
};
// SPDX-License-Identifier: MIT
