// Chapter 11, the program: transposes a matrix of floats in six ways and shows what each costs.
#include <kernels.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"

namespace {

// One block for each tile of 32 x 32 elements.
template <void (*kKernel)(const float*, float*, int, int)>
void on_tiles(const float* d_in, float* d_out, int rows, int columns) {
  kKernel<<<tiles_of(rows, columns, kTile), dim3(kTile, kThreadRows)>>>(d_in, d_out, rows, columns);
}

}  // namespace

int main(int argc, char** argv) {
  long long rows_asked = 0, columns_asked = 0;
  constexpr long long kLargest = 1LL << 30;
  harness::Options options = harness::parse_options(
      argc, argv, "11_transpose", "transposes a matrix of floats, in six ways",
      {{"--rows", "of the matrix; 0: as --n and --columns say", &rows_asked, 0, kLargest},
       {"--columns", "of the matrix; 0: as --n and --rows say, or squarest", &columns_asked, 0, kLargest}});
  const auto [rows, columns] = harness::choose_shape("11_transpose", &options.n, rows_asked, columns_asked);
  options.summary =
      "transposes a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) + " floats";

  const std::vector<float> input = harness::distinct_elements<float>(options.n, options.seed);
  const std::size_t bytes =
      2 * input.size() * sizeof(float);  // useful bytes: each element is read and written once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(input.size());
  harness::Report report(options);

  using Launch = void (*)(const float* in, float* out, int rows, int columns);
  const auto measure = [&, rows = rows, columns = columns](const char* name, Launch launch, bool is_step) {
    const auto run = [&] { launch(d_in.data(), d_out.data(), rows, columns); };
    const auto poison = [&] { d_out.fill_poison(); };  // an element that no thread writes cannot look right
    if (is_step) report.measure_step(name, bytes, run, poison);
    if (!is_step) report.measure(name, bytes, run, poison);
    report.verify(harness::verify_transpose(d_out.download(), input, rows, columns));
  };
  measure("transpose_read_rows", on_tiles<transpose_read_rows<float>>, false);
  measure("transpose_write_rows", on_tiles<transpose_write_rows<float>>, false);
  measure("transpose_tile", on_tiles<transpose_tile<float>>, false);
  measure("transpose_padded", on_tiles<transpose_padded<float>>, false);
  measure("transpose_swizzled", on_tiles<transpose_swizzled<float>>, false);
  measure("transpose_vector", launch_transpose_vector<float>, true);
  report.verify(harness::verify_unchanged(d_in.download(), input));
  return report.finish();
}
// SPDX-License-Identifier: MIT
