// Chapter 15, the program: the softmax of every row of a matrix, in six ways, and what each costs.
#include <kernels.cuh>
#include <rows.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"
#include "harness/matrix.h"
#include "harness/softmax_reference.h"

namespace {

using Launch = void (*)(const float* in, float* out, int rows, int columns);
struct Step {
  const char* name;
  Launch launch;
  int lanes;  // that share a row
};
const Step kSteps[] = {{"softmax_three_passes", launch_three_passes<float>, 1},
                       {"softmax_online", launch_online<float>, 1},
                       {"softmax_warp", launch_warp<float>, 32},
                       {"softmax_block", launch_block<float>, kBlock}};

}  // namespace

int main(int argc, char** argv) {
  long long rows_asked = 0, columns_asked = 0;
  constexpr long long kLargest = 1LL << 30;
  harness::Options options = harness::parse_options(
      argc, argv, "15_softmax", "the softmax of each row of a matrix of floats, in six ways",
      {{"--rows", "of the matrix; 0: as --n and --columns say", &rows_asked, 0, kLargest},
       {"--columns", "of the matrix; 0: as --n and --rows say, or 4096", &columns_asked, 0, kLargest}});
  // Rows that fill the block of softmax_block, if the number of elements allows that.
  if (rows_asked == 0 && columns_asked == 0 && options.n % kColumnsInBlock == 0)
    columns_asked = kColumnsInBlock;
  const auto [rows, columns] = harness::choose_shape("15_softmax", &options.n, rows_asked, columns_asked);
  options.summary =
      "the softmax of " + std::to_string(rows) + " rows of " + std::to_string(columns) + " floats";

  const std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  const std::size_t bytes = 2 * input.size() * sizeof(float);  // if each element is read and written once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(input.size());
  harness::DeviceBuffer<Word> d_words(exchange_words<float>(rows, columns));
  d_words.fill_zero();
  harness::Report report(options);

  const auto poison = [&] { d_out.fill_poison(); };  // an element that no thread writes cannot look right
  const auto verify = [&, rows = rows, columns = columns](int lanes) {
    report.verify(
        harness::verify_softmax(d_out.download(), input, rows, columns, harness::merges_of(columns, lanes)));
  };
  for (const Step& step : kSteps) {
    report.measure(
        step.name, bytes,
        [&, rows = rows, columns = columns] { step.launch(d_in.data(), d_out.data(), rows, columns); },
        poison);
    verify(step.lanes);
  }
  if (rows > 0 && columns > 0) {
    report.measure(
        "two kernels", bytes,
        [&, rows = rows, columns = columns] {
          const Matrix<float, false> matrix{d_in.data(), d_out.data(), rows, columns,
                                            packs_of<float>(columns)};
          launch_two_kernels(Softmax{}, matrix, d_words.data());
        },
        poison);
    verify(32);
    d_words.fill_zero();
  }
  report.measure_step(
      "softmax_rows", bytes,
      [&, rows = rows, columns = columns] {
        launch_rows(Softmax{}, d_in.data(), d_out.data(), rows, columns, d_words.data());
      },
      poison);
  verify(32);
  report.verify(harness::verify_unchanged(d_in.download(), input));
  return report.finish();
}
// SPDX-License-Identifier: MIT
