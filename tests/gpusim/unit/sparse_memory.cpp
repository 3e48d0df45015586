// Large arrays of which little is used: they cost the memory of what is touched, with the checks as well.
#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "checking/written_bits.h"
#include "gpusim/check.h"
#include "memory/memory.h"
#include "runtime_module.h"

using namespace runtime_test;

namespace {

constexpr std::size_t kLarge = (std::size_t(4) << 30) + 256;  // bytes: 2^30 floats, and some

// Memory of this process that is really there.
std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

struct Growth {
  std::size_t before = resident_bytes();
  bool is_small() const { return resident_bytes() < before + (std::size_t(64) << 20); }
};

unsigned read_word(const char* device) {
  unsigned value = 0;
  CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE_FIXTURE(FreshDevice,
                  "a large allocation costs what is touched of it, and begins as a small one does") {
  const Growth growth;
  char* d = nullptr;
  REQUIRE(cudaMalloc(&d, kLarge) == cudaSuccess);
  for (const std::size_t at : {std::size_t(0), kLarge / 2 - 2, kLarge - 4})
    CHECK(read_word(d + at) == 0x6b6b6b6bu);
  CHECK(launch_set_int(reinterpret_cast<int*>(d + kLarge - 4), 42) == cudaSuccess);
  CHECK(read_word(d + kLarge - 4) == 42);
  CHECK(read_word(d + kLarge - 8) == 0x6b6b6b6bu);
  CHECK(growth.is_small());
}

TEST_CASE_FIXTURE(FreshDevice, "filling a large allocation costs nothing, and reaches its ends exactly") {
  const Growth growth;
  char* d = nullptr;
  REQUIRE(cudaMalloc(&d, kLarge) == cudaSuccess);
  constexpr std::size_t kFirst = 5, kEnd = kLarge - 7;  // neither at a page
  for (const int value : {0, 0xff, 0, 0x6b, 0}) {
    CHECK(cudaMemset(d, 0x11, 64) == cudaSuccess);
    CHECK(cudaMemset(d + kLarge - 64, 0x11, 64) == cudaSuccess);
    CHECK(cudaMemset(d + kFirst, value, kEnd - kFirst) == cudaSuccess);
    const unsigned filled = unsigned(value) * 0x01010101u;
    CHECK(read_word(d + kFirst - 4) == 0x11111111u);
    CHECK(read_word(d + kFirst) == filled);
    CHECK(read_word(d + kLarge / 2) == filled);
    CHECK(read_word(d + kEnd - 4) == filled);
    CHECK(read_word(d + kEnd) == 0x11111111u);
  }
  CHECK(growth.is_small());
}

TEST_CASE_FIXTURE(FreshDevice, "the checks remember of a large allocation what is touched of it") {
  const Growth growth;
  REQUIRE(gpusim::enable_checks("memory,race"));
  char* d = nullptr;
  REQUIRE(cudaMalloc(&d, kLarge) == cudaSuccess);
  CHECK(launch_set_int(reinterpret_cast<int*>(d + kLarge - 4), 1, 2) == cudaSuccess);
  REQUIRE(gpusim::findings().size() == 1);  // both blocks store the same
  CHECK(gpusim::findings()[0].severity == gpusim::Severity::warning);
  CHECK(cudaMemset(d, 0, kLarge) == cudaSuccess);
  CHECK(launch_set_int(reinterpret_cast<int*>(d), 1) == cudaSuccess);
  CHECK(growth.is_small());
  CHECK(gpusim::enable_checks("none"));
}

TEST_CASE("written bytes are known across chunks, wherever a range begins and ends") {
  constexpr std::size_t kBytes = 200'000;  // several chunks, the last not whole
  gpusim::WrittenBits bits;
  bits.reset(kBytes);
  CHECK(!bits.has(0, 1));
  bits.add_range(10, 70'000);
  CHECK(!bits.has(9, 1));
  CHECK(bits.has(10, 1));
  CHECK(bits.has(65'536, 16));
  CHECK(bits.has(70'009, 1));
  CHECK(!bits.has(70'010, 1));
  bits.add(70'016, 4);
  bits.add(70'016, 4);
  CHECK(bits.has(70'016, 4));
  CHECK(!bits.has(70'016, 8));
  bits.add_range(0, 10);
  bits.add_range(70'010, ~std::size_t(0));  // beyond the end
  CHECK(bits.is_complete());
  bits.reset(kBytes);
  CHECK(!bits.has(70'016, 4));
  for (std::size_t at = 0; at < kBytes; at += 8) bits.add(at, 8);
  CHECK(bits.is_complete());
}

TEST_CASE("what shares an element's place with written bytes is a gap") {
  gpusim::WrittenBits bits;
  bits.reset(64);
  bits.add(0, 1);  // struct { char; int; short; } twice, of which the second short is missing
  bits.add(4, 4);
  bits.add(8, 2);
  bits.add(12, 1);
  bits.add(16, 4);
  bits.add_range(24, 40);
  gpusim::u64 first = 0;
  CHECK(bits.count_missing(0, 64, &first) == 12);
  bits.note_element(4);
  CHECK(bits.missing_beside_gaps(0, 4, nullptr) == 0);
  CHECK(bits.missing_beside_gaps(8, 4, nullptr) == 0);
  CHECK(bits.count_missing(0, 64, &first) == 4);
  CHECK(first == 20);
  CHECK(bits.missing_beside_gaps(20, 2, nullptr) == gpusim::u64(3) << 20);
}

TEST_CASE_FIXTURE(FreshDevice, "a pitch beyond all memory is refused, whichever way it would wrap") {
  char *d = nullptr, host[64] = {};
  REQUIRE(cudaMalloc(&d, 64) == cudaSuccess);
  constexpr std::size_t kHalf = std::size_t(1) << 63;
  CHECK(cudaMemcpy2D(d, kHalf, host, 32, 32, 3, cudaMemcpyHostToDevice) != cudaSuccess);
  CHECK(cudaMemcpy2D(d, 32, host, kHalf, 32, 3, cudaMemcpyHostToDevice) != cudaSuccess);
  CHECK(cudaMemcpy2D(d, 32, host, 32, 32, kHalf, cudaMemcpyHostToDevice) != cudaSuccess);
  CHECK(cudaMemset2D(d, kHalf, 0, 32, 3) != cudaSuccess);
  CHECK(cudaMemset(d, 0, ~std::size_t(0)) != cudaSuccess);
  CHECK(cudaMemcpy(d, host, ~std::size_t(0), cudaMemcpyHostToDevice) != cudaSuccess);
}
// SPDX-License-Identifier: MIT
