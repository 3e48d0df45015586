#include "transpose_checks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "harness/device.h"  // is_simulated
#include "harness/device_buffer.h"
#include "harness/matrix.h"
#include "launch_check.h"
#include "measurements.h"
#include "simulated.h"
#include "thresholds.h"

namespace judge {
namespace {

using harness::GuardedMemory;
using harness::Guards;

struct Shape {
  int rows, columns;
};
constexpr Shape kShapes[] = {{0, 0},   {0, 7},    {7, 0},    {1, 1},   {1, 100}, {100, 1},
                             {2, 3},   {32, 32},  {31, 33},  {33, 31}, {64, 96}, {100, 7},
                             {63, 65}, {61, 127}, {130, 68}, {72, 200}};
// More rows or columns than 16 bits count.
constexpr Shape kLongShapes[] = {{65573, 1}, {1, 65573}};
constexpr Shape kBitsShapes[] = {{33, 31}, {64, 68}};
constexpr Shape kBoundsShapes[] = {{0, 0}, {1, 1}, {1, 33}, {33, 1}, {32, 32}, {31, 33}, {60, 68}};
constexpr Shape kScheduleShapes[] = {{33, 31}, {64, 64}, {60, 68}};
constexpr int kTilesDown = 2, kTilesAcross = 3;  // of check_counts: full ones; every block counts the same
// Beside them, of tiles that are not full: a row of those begins at any byte, and a warp that takes it in other parts
// than a tile's may touch a sector more.
constexpr double kRaggedSectors = 1.5;
constexpr std::uint64_t kSeed = 3;

std::string title(const TransposeKernel& kernel, Shape shape) {
  return kernel.name + ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

// Where an access beyond an array is a fault, no zone around it is needed, and none deceives: a kernel may copy from the one
// around `in` to the one around `out`, where it finds the same.
Guards bounds() { return harness::is_simulated() ? Guards::none : Guards::zones; }

enum class Contents {
  distinct_numbers,
  any_bits,  // among them NaNs of both kinds, infinities, subnormal numbers and -0, which arithmetic would change
};

// A function that gives each number another one.
std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6b;
  x = (x ^ x >> 13) * 0xc2b2ae35;
  return x ^ x >> 16;
}
void fill_any_bits(std::vector<unsigned char>& bytes) {
  for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
    const std::uint32_t word = i % 8 == 0
                                   ? 0x7f800000 + static_cast<std::uint32_t>(i / 8)  // an infinity, then NaNs
                                   : mixed(static_cast<std::uint32_t>(i));
    std::memcpy(&bytes[4 * i], &word, 4);
  }
}

// Transposes elements that all differ, and reports what is wrong. What no thread writes stays poison or, under
// Guards::none, was never written.
void transpose(const TransposeKernel& kernel, Shape shape, Guards guards, const std::string& how = "",
               Contents contents = Contents::distinct_numbers) {
  const std::string what = title(kernel, shape) + how;
  const std::size_t count = std::size_t(shape.rows) * shape.columns, bytes = count * kernel.element_bytes;
  std::vector<unsigned char> input(bytes), output(bytes), input_after(bytes);
  if (contents == Contents::any_bits) fill_any_bits(input);
  else harness::fill_distinct(input.data(), count, kernel.element_bytes, kSeed);
  GuardedMemory d_in(bytes, guards), d_out(bytes, guards);
  d_in.upload(input.data());
  if (guards == Guards::zones) d_out.fill(GuardedMemory::kPattern);

  kernel.launch(d_in.data(), d_out.data(), shape.rows, shape.columns);
  check_launch(what);

  d_out.download(output.data());
  d_in.download(input_after.data());
  const auto result =
      harness::verify_transpose(output.data(), input.data(), kernel.element_bytes, shape.rows, shape.columns);
  if (!result) report(Kind::wrong_result, what + ": " + result.message);
  std::string written;
  if (!d_out.guards_intact(kernel.element_bytes, &written))
    report(Kind::wrong_result, what + ": outside out: " + written);
  if (!d_in.guards_intact(kernel.element_bytes, &written))
    report(Kind::wrong_result, what + ": outside in: " + written);
  if (input_after != input) report(Kind::wrong_result, what + ": the kernel overwrites its input");
}

}  // namespace

void check_bounds(const TransposeKernel& kernel) {
  for (const Shape& shape : kBoundsShapes) transpose(kernel, shape, Guards::none, ", arrays of that size");
}

void check_transposes(const TransposeKernel& kernel) {
  for (const Shape& shape : kShapes) transpose(kernel, shape, bounds());
  for (const std::size_t size : sizes_around_thresholds(1, 1 << 14, 1, kernel.name))
    for (const Shape& shape : {Shape{int(size), 5}, Shape{5, int(size)}}) transpose(kernel, shape, bounds());
  for (const Shape& shape : kBitsShapes) transpose(kernel, shape, bounds(), ", any bits", Contents::any_bits);
}

void check_long_transposes(const TransposeKernel& kernel) {
  for (const Shape& shape : kLongShapes) transpose(kernel, shape, bounds());
}

void check_schedules(const TransposeKernel& kernel) {
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    for (const Shape& shape : kScheduleShapes)
      transpose(kernel, shape, Guards::zones, " in schedule " + schedule);
  }
}

namespace {

// Sectors that the rows of all tiles touch, those of a rows x columns matrix.
double sectors_of(Shape shape, int side, std::size_t element_bytes) {
  double sectors = 0;
  for (std::size_t row = 0; row < std::size_t(shape.rows); ++row)
    for (std::size_t column = 0; column < std::size_t(shape.columns); column += side) {
      const std::size_t end = std::min<std::size_t>(column + side, shape.columns);
      const std::size_t first_byte = (row * shape.columns + column) * element_bytes;
      const std::size_t last_byte = (row * shape.columns + end) * element_bytes - 1;
      sectors += last_byte / 32 - first_byte / 32 + 1;
    }
  return sectors;
}

bool count(const TransposeKernel& kernel, Shape shape, int tiles, const std::string& how,
           const std::vector<Limit>& limits) {
  const std::size_t count = std::size_t(shape.rows) * shape.columns;
  std::vector<unsigned char> input(count * kernel.element_bytes);
  harness::fill_distinct(input.data(), count, kernel.element_bytes, kSeed);
  GuardedMemory d_in(input.size(), Guards::zones), d_out(input.size(), Guards::zones);
  d_in.upload(input.data());
  return check_counts(
      kernel.name + how, tiles, [&] { kernel.launch(d_in.data(), d_out.data(), shape.rows, shape.columns); },
      limits);
}

}  // namespace

bool check_counts(const TransposeKernel& kernel, int side, const std::vector<Limit>& limits) {
  if (!count(kernel, {kTilesDown * side, kTilesAcross * side}, kTilesDown * kTilesAcross, "", limits))
    return false;
  if (!goal().empty()) return true;
  constexpr std::size_t kMostCounted = 1 << 14;  // rows, or columns
  const std::size_t unit = std::size_t(side);
  for (const std::size_t size : sizes_around_thresholds(unit, kMostCounted, unit, kernel.name))
    for (const Shape& shape : {Shape{int(size), side}, Shape{side, int(size)}})
      if (!count(kernel, shape, int(size / unit),
                 ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns), limits))
        return false;
  return true;
}

bool check_ragged_counts(const TransposeKernel& kernel, int side, int rows_more, int columns_more,
                         const std::vector<Limit>& limits) {
  const Shape shape{kTilesDown * side + rows_more, kTilesAcross * side + columns_more};
  const Shape turned{shape.columns, shape.rows};
  const int tiles = (kTilesDown + 1) * (kTilesAcross + 1);
  const auto sectors = [&](Shape s) {
    return kRaggedSectors * sectors_of(s, side, kernel.element_bytes) / tiles;
  };
  std::vector<Limit> all = limits;
  all.push_back(Count::global_load_sectors <= sectors(shape));
  all.push_back(Count::global_store_sectors <= sectors(turned));
  return count(kernel, shape, tiles,
               ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns), all);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
