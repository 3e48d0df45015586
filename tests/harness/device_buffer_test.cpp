// Device buffers: contents, ownership, and the guard zones at both ends.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "harness/check.h"
#include "harness/device_buffer.h"

using harness::DeviceBuffer;

namespace {

// What a stray kernel does: changes `bytes` bytes at `offset` bytes from the first element.
template <typename T>
void write_at(DeviceBuffer<T>& buffer, std::ptrdiff_t offset, std::size_t bytes) {
  CUDA_CHECK(cudaMemset(reinterpret_cast<char*>(buffer.data()) + offset, 0, bytes));
}

template <typename T>
std::string guard_message(const DeviceBuffer<T>& buffer) {
  std::string message;
  CHECK_FALSE(buffer.guards_intact(&message));
  return message;
}

}  // namespace

TEST_CASE("what is uploaded comes back") {
  const std::vector<int> values = {1, -2, 3};
  DeviceBuffer<int> buffer(values);
  CHECK(buffer.size() == 3);
  CHECK(buffer.bytes() == 12);
  CHECK(buffer.download() == values);
  buffer.upload({4, 5, 6});
  CHECK(buffer.download() == std::vector<int>{4, 5, 6});
  CHECK(buffer.guards_intact());
}

TEST_CASE("a buffer of no elements is fine") {
  for (const auto guards : {harness::Guards::zones, harness::Guards::none}) {
    DeviceBuffer<float> buffer(0, guards);
    buffer.upload({});
    buffer.fill_poison();
    CHECK(buffer.download().empty());
    CHECK(buffer.guards_intact());
  }
}

TEST_CASE("elements start at a multiple of 256 bytes") {
  for (const std::size_t count : {1, 63, 1000}) {
    CHECK(reinterpret_cast<std::uintptr_t>(DeviceBuffer<float>(count).data()) % 256 == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(DeviceBuffer<float>(count, harness::Guards::none).data()) % 256 ==
          0);
  }
}

TEST_CASE("poison is NaN in floats and -1 in integers") {
  DeviceBuffer<float> floats(5);
  floats.fill_poison();
  for (const float value : floats.download()) CHECK(std::isnan(value));
  DeviceBuffer<int> integers(5);
  integers.fill_poison();
  CHECK(integers.download() == std::vector<int>(5, -1));
  integers.fill_zero();
  CHECK(integers.download() == std::vector<int>(5, 0));
}

TEST_CASE("filling all elements leaves the guards alone") {
  DeviceBuffer<double> buffer(1001);
  buffer.fill_zero();
  CHECK(buffer.guards_intact());
}

TEST_CASE("a write behind the last element is found") {
  DeviceBuffer<float> buffer(1000);
  write_at(buffer, 4000, 4);
  CHECK(guard_message(buffer) == "element 1000 was written, but the buffer has 1000 elements");
}

TEST_CASE("a write before the first element is found") {
  DeviceBuffer<float> buffer(1000);
  write_at(buffer, -4, 4);
  CHECK(guard_message(buffer) == "element -1 was written, but the buffer has 1000 elements");
}

TEST_CASE("several stray elements are named from first to last") {
  DeviceBuffer<double> after(10), before(10);
  write_at(after, 80, 24);
  CHECK(guard_message(after) == "elements 10..12 were written, but the buffer has 10 elements");
  write_at(before, -256, 256);
  CHECK(guard_message(before) == "elements -32..-1 were written, but the buffer has 10 elements");
}

TEST_CASE("one stray byte at either edge of a guard is found") {
  for (const std::ptrdiff_t offset : {-256, -1, 28, 28 + 255}) {
    DeviceBuffer<float> buffer(7);
    write_at(buffer, offset, 1);
    CHECK_FALSE(buffer.guards_intact());
  }
}

TEST_CASE("a buffer without guards has nothing to find") {
  CHECK(DeviceBuffer<float>(10, harness::Guards::none).guards_intact());
}

TEST_CASE("a buffer can be moved") {
  DeviceBuffer<int> first({1, 2, 3});
  DeviceBuffer<int> second(std::move(first));
  CHECK(second.download() == std::vector<int>{1, 2, 3});
  DeviceBuffer<int> third(1);
  third = std::move(second);
  CHECK(third.download() == std::vector<int>{1, 2, 3});
  CHECK(third.guards_intact());
}
// SPDX-License-Identifier: MIT
