#include "execution/builtins.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>

#include "execution/printf.h"
#include "execution/random_streams.h"
#include "lanes/each_lane.h"
#include "memory/textures.h"

namespace gpusim {
namespace {

using Result = std::optional<Fault>;

Result device_printf(HostCall& call) {
  int count = 0;
  std::string problem;
  const std::string text =
      format_device_text(call, call.argument<u64>(0), call.argument<u64>(1), &count, &problem);
  if (!problem.empty()) return Fault{FaultCode::launch_failure, problem};
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (call.result) call.give<s32>(count);
  return {};
}

std::string in_brackets(const Dim3& d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}

// __assertfail(message, file, line, function, size of a character)
Result device_assert(HostCall& call) {
  const std::string where =
      device_string(call, call.argument<u64>(1)) + ":" + std::to_string(call.argument<u32>(2));
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s: block: %s, thread: %s Assertion `%s` failed.\n", where.c_str(),
               device_string(call, call.argument<u64>(3)).c_str(), in_brackets(call.block_index).c_str(),
               in_brackets(call.thread_index()).c_str(), device_string(call, call.argument<u64>(0)).c_str());
  return Fault{FaultCode::assertion,
               where + ": kernel " + std::string(call.kernel) + " stopped at a failed assertion"};
}

// The trap of a simulator header, which passes the reason along.
Result device_trap(HostCall& call) {
  return Fault{FaultCode::launch_failure, device_string(call, call.argument<u64>(0))};
}

// Stores the second result of a function at the device address that is its i-th argument.
template <class T>
Result store(HostCall& call, u32 i, T value) {
  u8* bytes = call.memory(call.argument<u64>(i), sizeof value);
  if (!bytes)
    return Fault{FaultCode::illegal_address,
                 "frexp or remquo was given an invalid pointer for its second result"};
  std::memcpy(bytes, &value, sizeof value);
  return {};
}

template <class T>
T sine_of_pi(T x) {
  return T(std::sin(std::remainder(double(x), 2.0) * M_PI));
}
template <class T>
T cosine_of_pi(T x) {
  return T(std::cos(std::remainder(double(x), 2.0) * M_PI));
}

// exp(x²) erfc(x). Where erfc would vanish, its asymptotic series.
template <class T>
T scaled_erfc(T value) {
  const double x = value, inverse = 1.0 / (x * x);
  if (x < 20.0) return T(std::exp(x * x) * std::erfc(x));
  return T((1.0 - inverse * (0.5 - inverse * (0.75 - inverse * 1.875))) / (x * std::sqrt(M_PI)));
}

// std::lgamma also writes the sign to a global variable, which all host threads would share.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
float log_gamma(float x) {
  int sign = 0;
  return ::lgammaf_r(x, &sign);
}

// The mathematical functions that have no PTX instruction, each as __nv_NAME for double and __nv_NAMEf for
// float. T is the type; x, y, z, w are arguments of that type, n is an int.
struct Row {
  const char* name;
  HostFunction function;
  const char* parameters;  // x: a number of x_bytes, n: an int, p: a pointer
  u32 x_bytes, result_bytes;
  HostLanesFunction on_lanes = nullptr;  // of those without a pointer
};

// The part of a call, for one lane, that a function without pointers uses.
struct LaneOfCall {
  const HostLanes& lanes;
  u32 lane;
  template <class T> T argument(u32 i) const {
    T value;
    std::memcpy(&value, lanes.arguments[i].bytes + lane * lanes.arguments[i].stride, sizeof value);
    return value;
  }
  template <class T> void give(T value) const {
    std::memcpy(lanes.result.bytes + lane * lanes.result.stride, &value, sizeof value);
  }
};
template <class F> constexpr HostLanesFunction on_lanes(F) {
  return [](const HostLanes& lanes, Mask mask) {
    for_each_lane(mask, [&](u32 lane) {
      LaneOfCall call{lanes, lane};
      F()(call);
    });
  };
}
#define FUNCTION_OF(name, parameters, type, result, lanes, ...) \
  {name,                                                        \
   [](HostCall& call) -> Result {                               \
     using T = type;                                            \
     __VA_ARGS__;                                               \
     call.give<result>(value);                                  \
     return {};                                                 \
   },                                                           \
   parameters,                                                  \
   sizeof(type),                                                \
   [] {                                                         \
     using T = type;                                            \
     return u32(sizeof(result) + 0 * sizeof(T));                \
   }(),                                                         \
   lanes}
#define FUNCTION(name, parameters, type, result, ...)                         \
  FUNCTION_OF(name, parameters, type, result, on_lanes([](LaneOfCall& call) { \
                using T = type;                                               \
                __VA_ARGS__;                                                  \
                call.give<result>(value);                                     \
              }),                                                             \
              __VA_ARGS__)
#define BOTH_OF_POINTER(name, parameters, result, ...)                         \
  FUNCTION_OF("__nv_" name, parameters, double, result, nullptr, __VA_ARGS__), \
      FUNCTION_OF("__nv_" name "f", parameters, float, result, nullptr, __VA_ARGS__)
#define BOTH(name, parameters, result, ...)                        \
  FUNCTION("__nv_" name, parameters, double, result, __VA_ARGS__), \
      FUNCTION("__nv_" name "f", parameters, float, result, __VA_ARGS__)
#define ARG(i) call.argument<T>(i)
#define OF_X(name, expression) BOTH(name, "x", T, const T x = ARG(0); const T value = T(expression))
#define OF_XY(name, expression) \
  BOTH(name, "xx", T, const T x = ARG(0), y = ARG(1); const T value = T(expression))
#define OF_XYZ(name, expression) \
  BOTH(name, "xxx", T, const T x = ARG(0), y = ARG(1), z = ARG(2); const T value = T(expression))
#define OF_XYZW(name, expression) \
  BOTH(name, "xxxx", T, const T x = ARG(0), y = ARG(1), z = ARG(2), w = ARG(3); const T value = T(expression))
#define OF_XN(name, expression) \
  BOTH(name, "xn", T, const T x = ARG(0); const int n = call.argument<int>(1); const T value = T(expression))
#define OF_NX(name, expression) \
  BOTH(name, "nx", T, const int n = call.argument<int>(0); const T x = ARG(1); const T value = T(expression))
#define TO_INTEGER(name, result, expression) \
  BOTH(name, "x", result, const T x = ARG(0); const result value = static_cast<result>(expression))

constexpr Row kMath[] = {
    OF_X("acos", std::acos(x)),
    OF_X("acosh", std::acosh(x)),
    OF_X("asin", std::asin(x)),
    OF_X("asinh", std::asinh(x)),
    OF_X("atan", std::atan(x)),
    OF_X("atanh", std::atanh(x)),
    OF_X("cbrt", std::cbrt(x)),
    OF_X("cos", std::cos(x)),
    OF_X("cosh", std::cosh(x)),
    OF_X("cospi", cosine_of_pi(x)),
    OF_X("erf", std::erf(x)),
    OF_X("erfc", std::erfc(x)),
    OF_X("erfcx", scaled_erfc(x)),
    OF_X("exp", std::exp(x)),
    OF_X("exp10", std::pow(T(10), x)),
    OF_X("exp2", std::exp2(x)),
    OF_X("expm1", std::expm1(x)),
    OF_X("j0", ::j0(x)),
    OF_X("j1", ::j1(x)),
    OF_X("lgamma", log_gamma(x)),
    OF_X("log", std::log(x)),
    OF_X("log10", std::log10(x)),
    OF_X("log1p", std::log1p(x)),
    OF_X("log2", std::log2(x)),
    OF_X("logb", std::logb(x)),
    OF_X("nearbyint", std::nearbyint(x)),
    OF_X("normcdf", 0.5 * std::erfc(-x * M_SQRT1_2)),
    OF_X("rcbrt", 1 / std::cbrt(x)),
    OF_X("rint", std::rint(x)),
    OF_X("round", std::round(x)),
    OF_X("sin", std::sin(x)),
    OF_X("sinh", std::sinh(x)),
    OF_X("sinpi", sine_of_pi(x)),
    OF_X("tan", std::tan(x)),
    OF_X("tanh", std::tanh(x)),
    OF_X("tgamma", std::tgamma(x)),
    OF_X("y0", ::y0(x)),
    OF_X("y1", ::y1(x)),
    OF_XY("atan2", std::atan2(x, y)),
    OF_XY("fdim", std::fdim(x, y)),
    OF_XY("fmod", std::fmod(x, y)),
    OF_XY("hypot", std::hypot(x, y)),
    OF_XY("nextafter", std::nextafter(x, y)),
    OF_XY("pow", std::pow(x, y)),
    OF_XY("remainder", std::remainder(x, y)),
    OF_XY("rhypot", 1 / std::hypot(x, y)),
    OF_XYZ("norm3d", std::sqrt(double(x) * x + double(y) * y + double(z) * z)),
    OF_XYZ("rnorm3d", 1 / std::sqrt(double(x) * x + double(y) * y + double(z) * z)),
    OF_XYZW("norm4d", std::sqrt(double(x) * x + double(y) * y + double(z) * z + double(w) * w)),
    OF_XYZW("rnorm4d", 1 / std::sqrt(double(x) * x + double(y) * y + double(z) * z + double(w) * w)),
    OF_XN("ldexp", std::ldexp(x, n)),
    OF_XN("scalbn", std::scalbn(x, n)),
    OF_XN("powi", std::pow(x, T(n))),
    OF_NX("jn", ::jn(n, x)),
    OF_NX("yn", ::yn(n, x)),
    TO_INTEGER("ilogb", int, std::ilogb(x)),
    TO_INTEGER("llrint", s64, std::llrint(x)),
    TO_INTEGER("llround", s64, std::llround(x)),
    BOTH_OF_POINTER("frexp", "xp", T, int exponent = 0; const T value = std::frexp(ARG(0), &exponent);
                    if (const Result fault = store(call, 1, exponent)) return fault),
    BOTH_OF_POINTER("remquo", "xxp", T, int quotient = 0;
                    const T value = std::remquo(ARG(0), ARG(1), &quotient);
                    if (const Result fault = store(call, 2, quotient)) return fault),
};

// Advances the generators of curand_kernel.h: (words, n, log2).
template <u32 kWords, void skip(u32*, u64, u32)> Result skip_random(HostCall& call) {
  u32 words[kWords];
  u8* const bytes = call.memory(call.argument<u64>(0), sizeof words);
  if (!bytes)
    return Fault{FaultCode::illegal_address, "a generator of random numbers was given an invalid pointer"};
  std::memcpy(words, bytes, sizeof words);
  skip(words, call.argument<u64>(1), call.argument<u32>(2));
  std::memcpy(bytes, words, sizeof words);
  return {};
}

// The texture or surface that the first argument stands for, and where its elements lie; a fault if there is none.
Result find_texture(HostCall& call, const Texture** texture, u8** bytes) {
  *texture = call.texture(call.argument<u64>(0));
  if (!*texture)
    return Fault{FaultCode::illegal_address,
                 "a texture or surface object that the runtime did not make, or that has been destroyed"};
  *bytes = call.elements(**texture);
  if (!*bytes)
    return Fault{FaultCode::illegal_address, "the memory of a texture or surface object has been freed"};
  return {};
}

// (object, x, y, z, dimensions, words)
Result device_texture(HostCall& call) {
  const Texture* texture = nullptr;
  u8 *bytes = nullptr, *const to = call.memory(call.argument<u64>(5), 16);
  if (Result fault = find_texture(call, &texture, &bytes)) return fault;
  const std::array<float, 3> at = {call.argument<float>(1), call.argument<float>(2), call.argument<float>(3)};
  const auto words = read_texture(*texture, bytes, at, call.argument<u32>(4));
  if (to) std::memcpy(to, words.data(), sizeof words);
  return {};
}

// (object, x in bytes, y, z, bytes, mode, value)
Result device_surface(HostCall& call) {
  constexpr u32 kZero = 0, kClamp = 1, kWrite = 16;
  const Texture* surface = nullptr;
  u8* elements = nullptr;
  if (Result fault = find_texture(call, &surface, &elements)) return fault;
  const u32 bytes = call.argument<u32>(4), mode = call.argument<u32>(5);
  u8* const value = call.memory(call.argument<u64>(6), bytes);
  s64 x = call.argument<s32>(1), y = call.argument<s32>(2), z = call.argument<s32>(3);
  const s64 last_x = s64(surface->row_bytes) - bytes, last_y = s64(surface->height) - 1,
            last_z = s64(surface->depth) - 1;
  if (mode % kWrite == kClamp) {
    x = std::clamp<s64>(x, 0, last_x), y = std::clamp<s64>(y, 0, last_y), z = std::clamp<s64>(z, 0, last_z);
  } else if (x < 0 || x > last_x || y < 0 || y > last_y || z < 0 || z > last_z) {
    if (mode % kWrite == kZero) return {};
    return Fault{FaultCode::launch_failure, "surface access at byte " + std::to_string(x) + " of row " +
                                                std::to_string(y) + ", slice " + std::to_string(z) +
                                                ", beyond the array (x counts bytes)"};
  }
  u8* const at = elements + u64(z) * surface->slice_bytes + u64(y) * surface->row_bytes + u64(x);
  if (value) mode& kWrite ? std::memcpy(at, value, bytes) : std::memcpy(value, at, bytes);
  return {};
}

Result device_malloc(HostCall& call) {
  call.give<u64>(call.allocate(std::max<u64>(call.argument<u64>(0), 1)));
  return {};
}
Result device_free(HostCall& call) {
  const u64 address = call.argument<u64>(0);
  if (address == 0 || call.release(address)) return {};
  return Fault{FaultCode::launch_failure,
               "free of an address that malloc in a kernel did not return, or that has been freed already"};
}

// The argument points to a struct that gpusim/detail/child_kernels.h fills in.
Result device_launch(HostCall& call) {
  struct Request {
    u64 kernel;
    u32 grid[3], block[3];
    u64 shared_bytes, count, arguments, sizes, stream;
  } asked;
  const Fault broken{FaultCode::launch_failure, "a launch in a kernel whose arguments are not there"};
  const u8* const at = call.memory(call.argument<u64>(0), sizeof asked);
  if (!at) return broken;
  std::memcpy(&asked, at, sizeof asked);
  ChildRequest request;
  for (u64 k = asked.kernel; const u8* letter = call.memory(k, 1); ++k) {
    if (*letter == 0) break;
    request.kernel += char(*letter);
  }
  request.grid = {asked.grid[0], asked.grid[1], asked.grid[2]};
  request.block = {asked.block[0], asked.block[1], asked.block[2]};
  request.shared_bytes = asked.shared_bytes;
  request.is_tail = asked.stream == 3;  // cudaStreamTailLaunch
  for (u64 k = 0; k < asked.count; ++k) {
    u64 place = 0, bytes = 0;
    const u8 *from = call.memory(asked.arguments + 8 * k, 8), *size = call.memory(asked.sizes + 8 * k, 8);
    if (!from || !size) return broken;
    std::memcpy(&place, from, sizeof place);
    std::memcpy(&bytes, size, sizeof bytes);
    const u8* const value = call.memory(place, bytes);
    if (!value) return broken;
    request.arguments.emplace_back(value, value + bytes);
  }
  const std::string why = call.launch(request);
  if (why.empty()) return {};
  return Fault{FaultCode::launch_failure, "launch of " + request.kernel + " in a kernel: " + why};
}

constexpr Row kSystem[] = {
    {"__gpusim_launch", device_launch, "p", 0, 0},
    {"__gpusim_trap", device_trap, "p", 0, 0},
    {"malloc", device_malloc, "p", 0, 8},
    {"free", device_free, "p", 0, 0},
    {"vprintf", device_printf, "pp", 0, 4},
    {"__assertfail", device_assert, "ppnpp", 0, 0},
    {"__gpusim_texture", device_texture, "pnnnnp", 0, 0},
    {"__gpusim_surface", device_surface, "pnnnnnp", 0, 0},
    {"__gpusim_skip_xorwow", skip_random<5, libraries::skip_xorwow>, "ppn", 0, 0},
    {"__gpusim_skip_mrg32k3a", skip_random<6, libraries::skip_mrg32k3a>, "ppn", 0, 0},
};

const Row* row_named(std::string_view name) {
  static const auto& rows = *[] {
    auto* all = new std::unordered_map<std::string_view, const Row*>;
    for (const Row& row : kSystem) all->emplace(row.name, &row);
    for (const Row& row : kMath) all->emplace(row.name, &row);
    return all;
  }();
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

}  // namespace

HostFunction find_host_function(std::string_view name) {
  const Row* row = row_named(name);
  return row ? row->function : nullptr;
}

HostLanesFunction find_host_lanes_function(std::string_view name) {
  const Row* row = row_named(name);
  return row ? row->on_lanes : nullptr;
}

bool acts_by_itself(std::string_view name) {
  return name != "__gpusim_texture" && std::ranges::find(kSystem, name, &Row::name) != std::end(kSystem);
}

bool fits_host_function(const CallSite& site) {
  const Row* row = row_named(site.callee);
  if (!row || site.arguments.size() != std::strlen(row->parameters)) return false;
  for (std::size_t k = 0; k < site.arguments.size(); ++k) {
    const char kind = row->parameters[k];
    if (site.arguments[k].size != (kind == 'x' ? row->x_bytes : kind == 'n' ? 4 : 8)) return false;
  }
  return row->result_bytes == 0 ? site.results.empty()
                                : site.results.size() == 1 && site.results[0].size == row->result_bytes;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
