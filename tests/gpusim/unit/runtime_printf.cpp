#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "execution/builtins.h"
#include "execution/printf.h"

namespace {

// A thread whose memory is one block of bytes at address 4096: strings, then the packed arguments.
class Thread : public gpusim::HostCall {
 public:
  gpusim::u8* memory(gpusim::u64 address, std::size_t count) override {
    if (address < kBase || address - kBase + count > bytes_.size()) return nullptr;
    return bytes_.data() + (address - kBase);
  }
  const gpusim::Texture* texture(gpusim::u64) override { return nullptr; }
  gpusim::u64 string(const char* text) {
    const gpusim::u64 address = kBase + bytes_.size();
    bytes_.insert(bytes_.end(), text, text + std::strlen(text) + 1);
    return address;
  }
  template <class... T>
  std::string print(const char* format, T... arguments) {
    const gpusim::u64 at = string(format);
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const gpusim::u64 begin = kBase + bytes_.size();
    (push(arguments), ...);
    return gpusim::format_device_text(*this, at, begin, &count, &problem);
  }
  int count = 0;
  std::string problem;

 private:
  static constexpr gpusim::u64 kBase = 4096;
  template <class T>
  void push(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value);
    const auto* begin = reinterpret_cast<const gpusim::u8*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
  }
  std::vector<gpusim::u8> bytes_;
};

template <class T>
T call(const char* name, std::vector<T> values) {
  struct NoMemory : gpusim::HostCall {
    gpusim::u8* memory(gpusim::u64, std::size_t) override { return nullptr; }
    const gpusim::Texture* texture(gpusim::u64) override { return nullptr; }
  } one;
  std::vector<const gpusim::u8*> arguments;
  for (const T& value : values) arguments.push_back(reinterpret_cast<const gpusim::u8*>(&value));
  T result{};
  one.arguments = arguments.data();
  one.argument_count = gpusim::u32(arguments.size());
  one.result = reinterpret_cast<gpusim::u8*>(&result);
  const gpusim::HostFunction function = gpusim::find_host_function(name);
  REQUIRE(bool(function));
  CHECK(!function(one));
  return result;
}

}  // namespace

TEST_CASE("printf takes arguments of each size at their alignment") {
  Thread t;
  CHECK(t.print("%d|%f|%d|%lld|%c", 1, 2.5, 3, 4ll, int('x')) == "1|2.500000|3|4|x");
  CHECK(t.count == 5);
  CHECK(t.print("%zu %ld %hhd %hu %x", ~0ull, -1l, 257, 65537, 255) == "18446744073709551615 -1 1 1 ff");
}

TEST_CASE("printf knows flags, width, precision and *") {
  Thread t;
  CHECK(t.print("[%5d] [%-5d] [%05d] [%+d] [%#x]", 42, 42, 42, 42, 42) ==
        "[   42] [42   ] [00042] [+42] [0x2a]");
  CHECK(t.print("[%*d] [%.*f]", 4, 7, 2, 3.14159) == "[   7] [3.14]");
  CHECK(t.print("100%% of %g", 0.5) == "100% of 0.5");
}

TEST_CASE("printf reads strings of the device, and survives one that is not there") {
  Thread t;
  CHECK(t.print("<%s> <%5s> <%.2s>", t.string("abc"), t.string("ab"), t.string("abc")) ==
        "<abc> <   ab> <ab>");
  CHECK(t.print("<%s> <%s>", gpusim::u64(0), gpusim::u64(1)) == "<(null)> <>");
}

TEST_CASE("printf refuses a field that would fill the memory") {
  Thread t;
  CHECK(t.print("[%*d]", 2000000000, 7) == "");
  CHECK(t.problem.find("65536 characters") != std::string::npos);
  t.problem.clear();
  CHECK(t.print("[%99999999999999999999d]", 7) == "");
  CHECK(!t.problem.empty());
  t.problem.clear();
  CHECK(t.print("[%.*d] [%-*d] [%*d]", -1, 7, 3, 7, -3, 7) == "[7] [7  ] [7  ]");
  CHECK(t.problem.empty());
}

TEST_CASE("printf shows what it does not know as it is written") {
  Thread t;
  CHECK(t.print("%y and %") == "%y and %");
}

TEST_CASE("mathematical functions answer by name, in float and in double") {
  CHECK(call<float>("__nv_expf", {1.0f}) == doctest::Approx(2.7182817f));
  CHECK(call<double>("__nv_exp", {1.0}) == doctest::Approx(2.718281828459045));
  CHECK(call<double>("__nv_pow", {2.0, 10.0}) == 1024.0);
  CHECK(call<float>("__nv_sinpif", {1.0f}) == doctest::Approx(0.0f));
  CHECK(call<double>("__nv_erfcx", {30.0}) == doctest::Approx(0.01879583888614168));
  CHECK(!gpusim::find_host_function("__nv_no_such"));
}
// SPDX-License-Identifier: MIT
