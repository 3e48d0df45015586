#include "libraries/nccl_numbers.h"

#include <algorithm>
#include <cstring>

#include "lanes/half.h"

namespace gpusim::libraries {
namespace {

struct TypeRow {
  const char* name;
  std::size_t bytes;
};
constexpr TypeRow kTypes[ncclNumTypes] = {
    {"ncclInt8", 1},   {"ncclUint8", 1},   {"ncclInt32", 4},   {"ncclUint32", 4},  {"ncclInt64", 8},
    {"ncclUint64", 8}, {"ncclFloat16", 2}, {"ncclFloat32", 4}, {"ncclFloat64", 8}, {"ncclBfloat16", 2}};

// A number of 16 bits is widened for each operation, and rounded after it.
template <class H> struct Stored16 {
  H value;
  operator float() const { return widen(value); }
};
template <class H> Stored16<H> stored(float x) { return {narrow<H>(x)}; }

template <class T> struct Of {
  static T make(auto x) { return T(x); }
};
template <class H> struct Of<Stored16<H>> {
  static Stored16<H> make(float x) { return stored<H>(x); }
};

// Calls f with a value of the C++ type that an NCCL type stands for.
template <class F> void with_type(ncclDataType_t type, F f) {
  switch (type) {
    case ncclInt8: return f(s8{});
    case ncclUint8: return f(u8{});
    case ncclInt32: return f(s32{});
    case ncclUint32: return f(u32{});
    case ncclInt64: return f(s64{});
    case ncclUint64: return f(u64{});
    case ncclFloat16: return f(Stored16<Half>{});
    case ncclFloat32: return f(float{});
    case ncclFloat64: return f(double{});
    case ncclBfloat16: return f(Stored16<Brain>{});
    default: return;
  }
}

}  // namespace

std::size_t size_of(ncclDataType_t type) { return kTypes[type].bytes; }
const char* name_of(ncclDataType_t type) { return kTypes[type].name; }

void combine(void* to, const void* from, std::size_t count, ncclDataType_t type, ncclRedOp_t operation) {
  with_type(type, [&]<class T>(T) {
    T* const a = static_cast<T*>(to);
    const T* const b = static_cast<const T*>(from);
    for (std::size_t i = 0; i < count; ++i) switch (operation) {
        case ncclProd: a[i] = Of<T>::make(a[i] * b[i]); break;
        case ncclMax: a[i] = b[i] > a[i] ? b[i] : a[i]; break;
        case ncclMin: a[i] = b[i] < a[i] ? b[i] : a[i]; break;
        default: a[i] = Of<T>::make(a[i] + b[i]); break;
      }
  });
}

void divide(void* to, std::size_t count, ncclDataType_t type, int ranks) {
  with_type(type, [&]<class T>(T) {
    T* const a = static_cast<T*>(to);
    for (std::size_t i = 0; i < count; ++i) a[i] = Of<T>::make(a[i] / T(Of<T>::make(ranks)));
  });
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
