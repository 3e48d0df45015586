// Values on their way to a device and back, for tests of libraries.
#pragma once

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <vector>

namespace runtime_test {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

template <class E> E* on_device(const std::vector<E>& values) {
  E* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, values.size() * sizeof(E)) == cudaSuccess);
  REQUIRE(cudaMemcpy(pointer, values.data(), values.size() * sizeof(E), cudaMemcpyHostToDevice) ==
          cudaSuccess);
  return pointer;
}
// Of complex numbers real and imaginary parts in turn.
template <class R, class E> std::vector<R> parts(const E* pointer, size_t count) {
  std::vector<R> values(count * sizeof(E) / sizeof(R));
  REQUIRE(cudaMemcpy(values.data(), pointer, count * sizeof(E), cudaMemcpyDeviceToHost) == cudaSuccess);
  return values;
}
template <class E> std::vector<E> from_device(const E* pointer, size_t count) {
  return parts<E>(pointer, count);
}

}  // namespace runtime_test
// SPDX-License-Identifier: MIT
