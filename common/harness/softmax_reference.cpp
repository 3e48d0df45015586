#include "harness/softmax_reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace harness {
namespace {

constexpr double kU = 0x1p-24;
constexpr std::size_t kMostCompared = std::size_t(1) << 24;  // elements

double rounding_of(RowType type) { return type == RowType::bfloat16 ? 0x1p-8 : kU; }

struct Expected {
  double value, relative;  // and the relative error that is allowed, to first order
};

double allowed_error(const Expected& e, RowType type) {
  return std::fabs(e.value) * (e.relative / (1 - e.relative) + rounding_of(type)) + 0x1p-125;
}

bool is_right(float got, const Expected& e, RowType type) {
  if (std::isnan(e.value)) return std::isnan(got);
  return e.relative < 1 && std::fabs(double(got) - e.value) <= allowed_error(e, type);  // NaN fails
}

// The rows that are compared: all of them, or some and the last.
std::vector<std::size_t> compared_rows(std::size_t rows, std::size_t columns) {
  const std::size_t most = std::max<std::size_t>(1, kMostCompared / columns), step = (rows - 1) / most + 1;
  std::vector<std::size_t> chosen;
  for (std::size_t row = 0; row < rows; row += step) chosen.push_back(row);
  if (chosen.back() != rows - 1) chosen.push_back(rows - 1);
  return chosen;
}

// Compares rows with what `expect` says of one: a value for each column.
Verdict verify_rows(const std::vector<float>& got, const std::vector<float>& input, int rows, int columns,
                    RowType type, std::size_t first_row,
                    const std::function<void(const float*, std::vector<Expected>&)>& expect) {
  if (verifies_nothing() || rows == 0 || columns == 0) return {};
  const std::size_t width = std::size_t(columns);
  std::size_t wrong = 0, compared = 0;
  std::string first;
  std::vector<Expected> expected(width);
  for (const std::size_t row : compared_rows(std::size_t(rows), width)) {
    expect(&input[row * width], expected);
    compared += width;
    for (std::size_t column = 0; column < width; ++column) {
      const float is = got[row * width + column];
      const Expected& e = expected[column];
      if (is_right(is, e, type) || wrong++ > 0) continue;
      first = "out[" + std::to_string(first_row + row) + "][" + std::to_string(column) + "] is " +
              digits(is) + ", expected " + digits(e.value);
      if (std::isfinite(is) && std::isfinite(e.value))
        first += " (|error| " + exceeding(std::fabs(double(is) - e.value), allowed_error(e, type)) + ")";
    }
  }
  if (wrong == 0) return {};
  return {false, first + "; " + std::to_string(wrong) + " of " + std::to_string(compared) +
                     " elements compared are wrong"};
}

}  // namespace

std::uint16_t to_bfloat16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value)) return 0x7fff;
  return std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float from_bfloat16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

std::vector<std::uint16_t> to_bfloat16(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) bits[i] = to_bfloat16(values[i]);
  return bits;
}

std::vector<float> from_bfloat16(const std::vector<std::uint16_t>& bits) {
  std::vector<float> values(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) values[i] = from_bfloat16(bits[i]);
  return values;
}

Verdict verify_softmax(const std::vector<float>& got, const std::vector<float>& input, int rows, int columns,
                       int merges, RowType type, std::size_t first_row) {
  return verify_rows(got, input, rows, columns, type, first_row,
                     [&](const float* x, std::vector<Expected>& expected) {
                       double most = -HUGE_VAL, sum = 0, distance = 0;
                       for (int i = 0; i < columns; ++i)
                         most = std::fmax(most, double(x[i]));  // fmax passes over NaN
                       for (int i = 0; i < columns; ++i) {
                         const double power = std::exp(double(x[i]) - most);  // NaN where most is infinite
                         sum += power;
                         if (power > 0) distance += power * (most - double(x[i]));
                       }
                       for (int i = 0; i < columns; ++i) {
                         const double below = most - double(x[i]), value = std::exp(-below) / sum;
                         const double relative = kU * (6.0 * merges + 12 + 3 * (distance / sum + below));
                         expected[std::size_t(i)] = {value, value == 0 ? 0 : relative};
                       }
                     });
}

Verdict verify_rms_norm(const std::vector<float>& got, const std::vector<float>& input,
                        const std::vector<float>& weights, float epsilon, int rows, int columns, int depth,
                        RowType type) {
  return verify_rows(
      got, input, rows, columns, type, 0, [&](const float* x, std::vector<Expected>& expected) {
        double squares = 0;
        for (int i = 0; i < columns; ++i) squares += double(x[i]) * x[i];
        const double scale = 1 / std::sqrt(squares / columns + double(epsilon));
        for (int i = 0; i < columns; ++i)
          expected[std::size_t(i)] = {x[i] * scale * weights[std::size_t(i)], kU * (depth + 8)};
      });
}

}  // namespace harness
// SPDX-License-Identifier: MIT
