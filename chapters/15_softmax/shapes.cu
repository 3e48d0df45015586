// Chapter 15, experiment: softmax and RMSNorm of --n elements in rows of 1 k to 256 k, of floats and of
// bfloat16 numbers, next to a copy of as many bytes.
#include <rows.cuh>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/harness.h"
#include "harness/softmax_reference.h"

namespace {

constexpr float kEpsilon = 1e-5f;
constexpr int kColumns[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18};

std::vector<float> as_floats(const std::vector<float>& values) { return values; }
std::vector<float> as_floats(const std::vector<std::uint16_t>& bits) { return harness::from_bfloat16(bits); }

// The host keeps bfloat16 numbers as their bits.
struct Range {
  long long least = 1, most = 1 << 30;  // columns
};
template <typename T, typename Host>
void measure_type(harness::Report& report, const harness::Options& options, const Range& range,
                  const std::vector<Host>& input, const char* type_name) {
  constexpr auto kType = sizeof(T) == 2 ? harness::RowType::bfloat16 : harness::RowType::float32;
  const std::size_t bytes = 2 * input.size() * sizeof(T);
  const harness::DeviceBuffer<Host> d_in(input);
  harness::DeviceBuffer<Host> d_out(input.size());
  const T* const in = reinterpret_cast<const T*>(d_in.data());
  T* const out = reinterpret_cast<T*>(d_out.data());
  const auto poison = [&] { d_out.fill_poison(); };
  const std::string type = std::string(", ") + type_name;
  const std::vector<float> values = as_floats(input);

  const cudaStream_t stream = nullptr;
  report.measure("copy" + type, bytes,
                 [&] { CUDA_CHECK(cudaMemcpyAsync(out, in, bytes / 2, cudaMemcpyDeviceToDevice, stream)); });
  const bool is_copy = as_floats(d_out.download()) == values;
  report.verify({is_copy, is_copy ? "" : "the copy differs"});
  for (const int columns : kColumns) {
    if (columns > options.n || columns < range.least || columns > range.most) continue;
    const int rows = options.n / columns;
    const std::string shape = type + ", " + std::to_string(columns) + " columns";
    harness::DeviceBuffer<Word> d_words(exchange_words<T>(rows, columns));
    d_words.fill_zero();
    const auto verify_softmax = [&] {
      constexpr int kMerges =
          160;  // at most 256 bytes a thread, 128 numbers, then 5 shuffles, warps and parts
      report.verify(
          harness::verify_softmax(as_floats(d_out.download()), values, rows, columns, kMerges, kType));
    };
    report.measure(
        "softmax" + shape, bytes, [&] { launch_rows(Softmax{}, in, out, rows, columns, d_words.data()); },
        poison);
    verify_softmax();

    if (columns * sizeof(T) > 64 * 1024) {  // rows that no block keeps
      const Matrix<T, true> matrix{in, out, rows, columns, columns / kPerPack<T>};
      report.measure(
          "softmax in two kernels" + shape, bytes,
          [&] { launch_two_kernels(Softmax{}, matrix, d_words.data()); }, poison);
      verify_softmax();
      d_words.fill_zero();
    }

    const std::vector<Host> weights(input.begin(), input.begin() + columns);
    const harness::DeviceBuffer<Host> d_weights(weights);
    const RmsNorm<T> norm{reinterpret_cast<const T*>(d_weights.data()), kEpsilon};
    report.measure(
        "RMSNorm" + shape, bytes, [&] { launch_rows(norm, in, out, rows, columns, d_words.data()); }, poison);
    report.verify(harness::verify_rms_norm(as_floats(d_out.download()), values, as_floats(weights), kEpsilon,
                                           rows, columns, 128, kType));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Range range;
  harness::Options options = harness::parse_options(
      argc, argv, "15_softmax.shapes", "softmax and RMSNorm of --n elements, in rows of several lengths",
      {{"--least", "no rows of fewer columns", &range.least, 1, 1 << 30},
       {"--most", "no rows of more columns", &range.most, 1, 1 << 30}});
  options.n -= options.n % (1 << 10);
  harness::Report report(options);
  const std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  if (options.n == 0) return report.finish();
  measure_type<float>(report, options, range, input, "float");
  measure_type<__nv_bfloat16>(report, options, range, harness::to_bfloat16(input), "bfloat16");
  return report.finish();
}
// SPDX-License-Identifier: MIT
