#include "transpose_checks.h"

#include <cstring>

#include "harness/device_buffer.h"
#include "harness/matrix.h"
#include "simulated.h"
#include "sum_checks.h"  // check_launch

namespace judge {
namespace {

using harness::GuardedMemory;
using harness::Guards;

struct Shape {
  int rows, columns;
};
constexpr Shape kShapes[] = {{0, 0},   {0, 7},   {7, 0},   {1, 1},   {1, 100}, {100, 1},
                             {2, 3},   {32, 32}, {31, 33}, {33, 31}, {64, 96}, {100, 7},
                             {63, 65}, {61, 127}, {130, 68}, {72, 200}};
constexpr Shape kBoundsShapes[] = {{0, 0}, {1, 1}, {1, 33}, {33, 1}, {32, 32}, {31, 33}, {60, 68}};
constexpr Shape kScheduleShapes[] = {{33, 31}, {64, 64}, {60, 68}};
constexpr int kTilesDown = 2, kTilesAcross = 3;  // of check_counts: full ones; every block counts the same
constexpr std::uint64_t kSeed = 3;

std::string title(const TransposeKernel& kernel, Shape shape) {
  return kernel.name + ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

// Transposes elements that all differ, and reports what is wrong. What no thread writes stays poison or, under
// Guards::none, was never written.
void transpose(const TransposeKernel& kernel, Shape shape, Guards guards, const std::string& how = "") {
  const std::string what = title(kernel, shape) + how;
  const std::size_t count = std::size_t(shape.rows) * shape.columns, bytes = count * kernel.element_bytes;
  std::vector<unsigned char> input(bytes), output(bytes), input_after(bytes);
  harness::fill_distinct(input.data(), count, kernel.element_bytes, kSeed);
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
  for (const Shape& shape : kShapes) transpose(kernel, shape, Guards::zones);
}

void check_schedules(const TransposeKernel& kernel) {
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    for (const Shape& shape : kScheduleShapes)
      transpose(kernel, shape, Guards::zones, " in schedule " + schedule);
  }
}

bool check_counts(const TransposeKernel& kernel, int side, const std::vector<Limit>& limits) {
  const int rows = kTilesDown * side, columns = kTilesAcross * side;
  const std::size_t count = std::size_t(rows) * columns;
  std::vector<unsigned char> input(count * kernel.element_bytes);
  harness::fill_distinct(input.data(), count, kernel.element_bytes, kSeed);
  GuardedMemory d_in(input.size(), Guards::zones), d_out(input.size(), Guards::zones);
  d_in.upload(input.data());
  return check_counts(kernel.name, kTilesDown * kTilesAcross,
               [&] { kernel.launch(d_in.data(), d_out.data(), rows, columns); }, limits);
}

}  // namespace judge
