#include "execution/printf.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gpusim {
namespace {

// Walks the packed arguments.
class Arguments {
 public:
  Arguments(HostCall& call, u64 address) : call_(call), base_(address) {}
  template <class T>
  T next() {
    offset_ = align_up(offset_, sizeof(T));
    T value{};
    if (const u8* bytes = call_.memory(base_ + offset_, sizeof(T))) std::memcpy(&value, bytes, sizeof(T));
    offset_ += sizeof(T);
    ++count;
    return value;
  }
  int count = 0;

 private:
  HostCall& call_;
  u64 base_, offset_ = 0;
};

constexpr s64 kWidest =
    1 << 16;  // characters of a field; more is a number gone wrong, and would fill the memory

// %[flags][width][.precision], read from `format` at i; a '*' takes an argument.
struct Field {
  std::string flags;
  s64 width = 0, precision = -1;

  Field(const std::string& format, std::size_t& i, Arguments& arguments) {
    while (i < format.size() && std::strchr("-+ #0", format[i])) flags += format[i++];
    width = number(format, i, arguments);
    if (width < 0) flags += '-', width = -width;
    if (i < format.size() && format[i] == '.')
      precision = number(format, ++i, arguments);  // a negative precision counts as absent
  }
  bool too_wide() const { return width > kWidest || precision > kWidest; }
  std::string specification() const {
    return "%" + flags + (width ? std::to_string(width) : "") +
           (precision >= 0 ? "." + std::to_string(precision) : "");
  }

 private:
  static s64 number(const std::string& format, std::size_t& i, Arguments& arguments) {
    if (i < format.size() && format[i] == '*') return ++i, arguments.next<s32>();
    s64 value = 0;
    for (; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i)
      value = std::min<s64>(value * 10 + (format[i] - '0'), kWidest + 1);
    return value;
  }
};

template <class T>
std::string print(const std::string& specification, T value) {
  const int length = std::snprintf(nullptr, 0, specification.c_str(), value);
  if (length < 0) return {};
  std::string text(std::size_t(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), specification.c_str(), value);
  text.pop_back();
  return text;
}

bool one_of(const char* set, char c) { return c != '\0' && std::strchr(set, c); }

}  // namespace

std::string device_string(HostCall& call, u64 address) {
  constexpr std::size_t kLongest = 1 << 20;  // bytes; anything longer is not a terminated string
  std::string text;
  while (text.size() < kLongest) {
    const u8* c = call.memory(address + text.size(), 1);
    if (!c || *c == 0) break;
    text += char(*c);
  }
  return text;
}

std::string format_device_text(HostCall& call, u64 format_address, u64 arguments_address, int* count,
                               std::string* problem) {
  const std::string format = device_string(call, format_address);
  Arguments arguments(call, arguments_address);
  std::string out;
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      out += format[i++];
      continue;
    }
    // % flags width .precision length conversion; the length only says how wide the argument is.
    const std::size_t begin = i++;
    const Field field(format, i, arguments);
    if (field.too_wide()) {
      *problem = "printf asks for a field of more than " + std::to_string(kWidest) + " characters";
      return "";
    }
    const std::string specification = field.specification();
    std::string length;
    while (i < format.size() && one_of("hlzjtL", format[i])) length += format[i++];
    const bool wide = one_of("lzjt", length.empty() ? '\0' : length[0]);
    const char conversion = i < format.size() ? format[i++] : '\0';
    if (conversion == '%') {
      out += '%';
    } else if (one_of("di", conversion)) {
      s64 value = wide ? arguments.next<s64>() : arguments.next<s32>();
      if (length == "h") value = s16(value);
      if (length == "hh") value = s8(value);
      out += print(specification + "lld", static_cast<long long>(value));
    } else if (one_of("uoxX", conversion)) {
      u64 value = wide ? arguments.next<u64>() : arguments.next<u32>();
      if (length == "h") value = u16(value);
      if (length == "hh") value = u8(value);
      out += print(specification + "ll" + conversion, static_cast<unsigned long long>(value));
    } else if (one_of("fFeEgGaA", conversion)) {
      out += print(specification + conversion, arguments.next<double>());
    } else if (conversion == 'c') {
      out += print(specification + 'c', arguments.next<s32>());
    } else if (conversion == 'p') {
      out += print(specification + 'p', reinterpret_cast<void*>(arguments.next<u64>()));
    } else if (conversion == 's') {
      const u64 address = arguments.next<u64>();
      out += print(specification + 's', (address ? device_string(call, address) : "(null)").c_str());
    } else {
      out += format.substr(begin, i - begin);  // not a conversion: shown as written
    }
  }
  *count = arguments.count;
  return out;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
