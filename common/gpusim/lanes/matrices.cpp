#include "lanes/matrices.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "lanes/half.h"
#include "ptx/matrix_forms.h"

namespace gpusim {
namespace {

constexpr u32 kMostRows = 16, kColumns = ptx::MatrixForm::n, kMostDepth = 32;
struct MatrixPlace {
  u32 row, column;
};

// The place of element e of register r of a lane, in a matrix that spreads each row over four lanes (a: its rows, b: its
// columns).
MatrixPlace in_factor(const ptx::MatrixForm& form, u32 rows, u32 lane, u32 r, u32 e) {
  const u32 low = rows == 16 ? r & 1 : 0, step = rows == 16 ? r >> 1 : r;
  return {lane / 4 + 8 * low, (lane % 4) * form.packed() + e + step * 4 * form.packed()};
}
MatrixPlace in_sum(const ptx::MatrixForm& form, u32 lane, u32 r, u32 e) {
  const u32 element = r * form.packed_sums() + e;
  return {lane / 4 + 8 * (element >> 1), (lane % 4) * 2 + (element & 1)};
}

double number(Type type, const u8* at) {
  const auto as = [at](auto v) {
    std::memcpy(&v, at, sizeof v);
    return v;
  };
  switch (type) {
    case Type::f16: return widen(Half{as(u16{})});
    case Type::bf16: return widen(Brain{as(u16{})});
    case Type::f32: return std::bit_cast<float>(as(u32{}) & ~u32(0x1fff));  // tf32
    case Type::u8: return as(u8{});
    case Type::s8: return as(s8{});
    default: return as(double{});
  }
}

class TileProduct {
 public:
  TileProduct(u8* const (&frame)[kWarpSize], const Instruction* const (&in)[kWarpSize])
      : form_(ptx::kMatrixForms[in[0]->mode]), frame_(frame), in_(in) {}

  void run() {
    gather(form_.a, form_.m, 0, form_.a_registers(), a_);
    gather(form_.b, kColumns, form_.a_registers(), form_.b_registers(), b_);
    const u32 first = form_.a_registers() + form_.b_registers();
    const u32 sum_bytes = form_.sum == Type::f64 ? 8 : 4 / form_.packed_sums();
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      for (u32 r = 0; r < form_.sum_registers(); ++r)
        for (u32 e = 0; e < form_.packed_sums(); ++e) {
          const MatrixPlace at = in_sum(form_, lane, r, e);
          const u32 where = lane * sum_bytes * form_.packed_sums() + e * sum_bytes;
          add(at, frame_[lane] + in_[lane]->s[first + r] + where, results_[lane][r] + e * sum_bytes);
        }
    // A register may be both a source and a result.
    const u32 bytes = sum_bytes * form_.packed_sums();
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      for (u32 r = 0; r < form_.sum_registers(); ++r)
        std::memcpy(frame_[lane] + in_[lane]->d[r] + lane * bytes, results_[lane][r], bytes);
  }

 private:
  void gather(Type type, u32 rows, u32 first, u32 registers, double (&to)[kMostRows][kMostDepth]) {
    const u32 element = ptx::MatrixForm::bytes(type), width = element * form_.packed();
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      for (u32 r = 0; r < registers; ++r)
        for (u32 e = 0; e < form_.packed(); ++e) {
          const MatrixPlace at = in_factor(form_, rows, lane, r, e);
          to[at.row][at.column] =
              number(type, frame_[lane] + in_[lane]->s[first + r] + lane * width + e * element);
        }
  }

  void add(MatrixPlace at, const u8* c, u8* out) const {
    const double* const a = a_[at.row];
    const double* const b = b_[at.column];
    switch (form_.sum) {
      case Type::s32: {
        s32 start;
        std::memcpy(&start, c, sizeof start);
        s64 sum = start;
        for (u32 k = 0; k < form_.k; ++k) sum += s64(a[k]) * s64(b[k]);
        if (form_.saturates)
          sum = std::clamp<s64>(sum, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max());
        const s32 result = s32(sum);
        return void(std::memcpy(out, &result, sizeof result));
      }
      case Type::f64: {
        double sum;
        std::memcpy(&sum, c, sizeof sum);
        for (u32 k = 0; k < form_.k; ++k) sum = std::fma(a[k], b[k], sum);
        return void(std::memcpy(out, &sum, sizeof sum));
      }
      case Type::f16: {
        Half start;
        std::memcpy(&start, c, sizeof start);
        const Half result = narrow<Half>(dot(a, b) + double(widen(start)));
        return void(std::memcpy(out, &result, sizeof result));
      }
      default: {
        float start;
        std::memcpy(&start, c, sizeof start);
        const float result = sum_as_tensor_cores_do(a, b, start);
        return void(std::memcpy(out, &result, sizeof result));
      }
    }
  }
  // Each term loses what lies below 2^-25 of the largest, the sum what a float does not hold: both towards zero. (Measured on a
  // GPU of compute capability 9.0, with powers of two: tests/gpusim/programs/wmma_rounding.cu.)
  float sum_as_tensor_cores_do(const double* a, const double* b, float c) const {
    constexpr int kBits = 25;
    int top = c == 0 ? std::numeric_limits<int>::min() : std::ilogb(c);
    bool is_finite = std::isfinite(c);
    for (u32 k = 0; k < form_.k; ++k) {
      is_finite &= std::isfinite(a[k]) && std::isfinite(b[k]);
      if (is_finite && a[k] != 0 && b[k] != 0) top = std::max(top, std::ilogb(a[k]) + std::ilogb(b[k]));
    }
    const double plain = dot(a, b) + double(c);
    if (!is_finite || top == std::numeric_limits<int>::min()) return float(plain);
    const double unit = std::ldexp(1.0, top - kBits);
    double units = std::trunc(double(c) / unit);
    for (u32 k = 0; k < form_.k; ++k) units += std::trunc(a[k] * b[k] / unit);
    const double sum = units * unit;
    const float nearest = float(sum);
    return std::fabs(double(nearest)) > std::fabs(sum) && std::isfinite(nearest)
               ? std::nextafter(nearest, 0.0f)
               : nearest;
  }
  double dot(const double* a, const double* b) const {
    double sum = 0;
    for (u32 k = 0; k < form_.k; ++k) sum += a[k] * b[k];
    return sum;
  }

  const ptx::MatrixForm& form_;
  u8* const (&frame_)[kWarpSize];
  const Instruction* const (&in_)[kWarpSize];
  double a_[kMostRows][kMostDepth], b_[kMostRows][kMostDepth];  // b by columns
  alignas(8) u8 results_[kWarpSize][4][8];
};

}  // namespace

void multiply_matrices(u8* const (&frame)[kWarpSize], const Instruction* const (&in)[kWarpSize]) {
  TileProduct(frame, in).run();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
