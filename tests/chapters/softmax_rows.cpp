#include "softmax_rows.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "harness/device.h"
#include "harness/inputs.h"
#include "launch_check.h"

namespace judge {
namespace {

using harness::GuardedMemory;
using harness::RowType;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint64_t kSeed = 15;

std::vector<unsigned char> as_bytes(const std::vector<float>& values, RowType type) {
  const std::vector<std::uint16_t> bits =
      type == RowType::bfloat16 ? harness::to_bfloat16(values) : std::vector<std::uint16_t>{};
  std::vector<unsigned char> bytes(values.size() * (type == RowType::bfloat16 ? 2 : 4));
  const void* const from = type == RowType::bfloat16 ? static_cast<const void*>(bits.data()) : values.data();
  if (!bytes.empty()) std::memcpy(bytes.data(), from, bytes.size());
  return bytes;
}

std::vector<float> as_floats(const std::vector<unsigned char>& bytes, RowType type) {
  if (type == RowType::bfloat16) {
    std::vector<std::uint16_t> bits(bytes.size() / 2);
    if (!bytes.empty()) std::memcpy(bits.data(), bytes.data(), bytes.size());
    return harness::from_bfloat16(bits);
  }
  std::vector<float> values(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

const char* describe(RowKind kind) {
  switch (kind) {
    case RowKind::small: return "values in [-1, 1)";
    case RowKind::wide: return "values in [-40, 40)";
    case RowKind::above_88: return "values above 88";
    case RowKind::below_minus_88: return "values below -88";
    case RowKind::rising: return "rising values";
    case RowKind::falling: return "falling values";
    case RowKind::equal: return "equal values";
    case RowKind::huge: return "values of 1e30 and -1e30";
    case RowKind::lowest: return "values of -3e38";
    case RowKind::one_above: return "equal values after one that is a little larger";
    case RowKind::far_above: return "equal values after one that is 16 larger";
    case RowKind::far_below: return "equal values after one that is 80 smaller";
    case RowKind::some_infinite: return "-inf among others";
    case RowKind::all_infinite: return "nothing but -inf";
    case RowKind::one_finite: return "-inf and one finite value, the last";
    case RowKind::one_masked: return "equal values, and -inf in the last place";
    case RowKind::nan_inside: return "a NaN among others";
    case RowKind::plus_infinite: return "+inf among others";
  }
  return "";
}

std::vector<float> make_row(RowKind kind, int columns, RowType type) {
  const std::size_t count = std::size_t(columns);
  std::vector<float> row = harness::uniform_floats(count, kSeed + std::uint64_t(columns));
  for (std::size_t i = 0; i < count; ++i) {
    float& x = row[i];
    const float place = float(i) / float(count);  // from 0 to 1
    switch (kind) {
      case RowKind::small: break;
      case RowKind::wide: x *= 40; break;
      case RowKind::above_88: x = 500 + 100 * x; break;
      case RowKind::below_minus_88: x = -500 + 5 * x; break;
      case RowKind::rising: x = 60 * place; break;
      case RowKind::falling: x = 60 - 60 * place; break;
      case RowKind::equal: x = 3; break;
      case RowKind::huge: x = i % 3 == 0 ? 1e30f : -1e30f; break;
      case RowKind::lowest: x = -3e38f; break;
      // A bfloat16 sum of 16 exponentials of this is 1.6 % too large.
      case RowKind::one_above: x = i == 0 ? 1 : 1 - 0.09765625f; break;
      case RowKind::far_above: x = i == 0 ? 16 : 0; break;
      case RowKind::far_below: x = i == 0 ? -80 : 0; break;
      case RowKind::some_infinite: x = i < count / 2 || i % 5 == 0 ? -kInfinity : x; break;
      case RowKind::all_infinite: x = -kInfinity; break;
      case RowKind::one_finite: x = i + 1 == count ? 2 : -kInfinity; break;
      case RowKind::one_masked: x = i + 1 == count ? -kInfinity : 3; break;
      case RowKind::nan_inside: x = i == count / 3 ? std::numeric_limits<float>::quiet_NaN() : x; break;
      case RowKind::plus_infinite: x = i == count / 3 ? kInfinity : x; break;
    }
    if (type == RowType::bfloat16) x = harness::from_bfloat16(harness::to_bfloat16(x));
  }
  return row;
}

int merges_of(const SoftmaxKernel& kernel, int columns) { return harness::merges_of(columns, kernel.lanes); }

std::vector<float> run_rows(const SoftmaxKernel& kernel, const std::vector<float>& input, int rows,
                            int columns, harness::Guards guards, const std::string& what, bool in_place) {
  const std::vector<unsigned char> before = as_bytes(input, kernel.type);
  GuardedMemory d_in(before.size(), guards), d_out(in_place ? 0 : before.size(), guards);
  d_in.upload(before.data());
  if (guards == harness::Guards::zones) d_out.fill(GuardedMemory::kPattern);
  GuardedMemory& target = in_place ? d_in : d_out;
  kernel.launch(d_in.data(), target.data(), rows, columns);
  check_launch(what);
  std::vector<unsigned char> got(before.size()), now(before.size());
  target.download(got.data());
  std::string message;
  if (!d_out.guards_intact(kernel.element_bytes(), &message))
    report(Kind::wrong_result, what + ": outside out: " + message);
  if (!d_in.guards_intact(kernel.element_bytes(), &message))
    report(Kind::wrong_result, what + ": outside in: " + message);
  d_in.download(now.data());
  if (!in_place && now != before) report(Kind::wrong_result, what + ": the input has changed");
  return as_floats(got, kernel.type);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
