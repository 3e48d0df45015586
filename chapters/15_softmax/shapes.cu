// Chapter 15, experiment: softmax and RMSNorm of --n elements in rows of 1 k to 256 k, of floats and of
// bfloat16 numbers, next to a copy of as many bytes.
#include <measured_rows.cuh>
#include <rows.cuh>

#include <string>
#include <vector>

// The same operations with loads that ask something else of the caches.
template <typename Op> struct OrdinaryRows : Op {};
template <typename Op> inline constexpr Keep kKeepRows<OrdinaryRows<Op>> = Keep::as_usual;

template <typename Op> struct KeptRows : Op {};
template <typename Op> inline constexpr Keep kKeepLongRows<KeptRows<Op>> = Keep::in_l2;

template <typename W> using OrdinaryWeights = RmsNorm<W, Keep::as_usual>;
template <typename W> using WeightsInL2 = RmsNorm<W, Keep::in_l2>;

namespace {

constexpr float kEpsilon = 1e-5f;
constexpr int kColumns[] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18};
constexpr int kRepeated = 1 << 10;  // weights after which RepeatedWeights begins again

// RMSNorm with weights that repeat: it loads as many of them, but only 2 or 4 KiB are different. For rows of
// whole packs.
// ANCHOR: repeated
template <typename W> struct RepeatedWeights : RmsNorm<W> {
  template <typename T, bool kAligned>
  __device__ void apply(float scale, float (&x)[kPerPack<T>], const PackedRow<T, kAligned>& row,
                        int pack) const {
    RmsNorm<W>::template apply<T>(scale, x, row, pack % (kRepeated / kPerPack<T>));
  }
};
// ANCHOR_END: repeated

struct Range {
  long long least = 1, most = 1 << 30;  // columns
};
template <typename T>
void measure_type(harness::Report& report, const harness::Options& options, const Range& range,
                  const std::vector<typename MeasuredRows<T>::Host>& input, const char* type_name) {
  MeasuredRows<T> measured(input);
  const T* const in = measured.in();
  T* const out = measured.out();
  const std::size_t bytes = measured.bytes;
  const auto poison = [&] { measured.poison(); };
  const std::string type = std::string(", ") + type_name;

  const cudaStream_t stream = nullptr;
  report.measure("copy" + type, bytes,
                 [&] { CUDA_CHECK(cudaMemcpyAsync(out, in, bytes / 2, cudaMemcpyDeviceToDevice, stream)); });
  const bool is_copy = measured.result() == measured.values;
  report.verify({is_copy, is_copy ? "" : "the copy differs"});
  for (const int columns : kColumns) {
    if (columns > options.n || columns < range.least || columns > range.most) continue;
    const int rows = options.n / columns;
    const std::string shape = type + ", " + std::to_string(columns) + " columns";
    harness::DeviceBuffer<Word> d_words(exchange_words<T>(rows, columns));
    d_words.fill_zero();
    const Matrix<T, true> matrix{in, out, rows, columns, columns / kPerPack<T>};
    const auto verify_softmax = [&] { report.verify(measured.verify_softmax(rows, columns)); };
    report.measure(
        "softmax" + shape, bytes, [&] { launch_rows(Softmax{}, in, out, rows, columns, d_words.data()); },
        poison);
    verify_softmax();
    report.measure(
        "softmax by ordinary loads" + shape, bytes,
        [&] { launch_aligned(OrdinaryRows<Softmax>{}, matrix, d_words.data()); }, poison);
    verify_softmax();

    const bool is_long = columns * sizeof(T) > 64 * 1024;
    if (is_long) {
      report.measure(
          "softmax in two kernels" + shape, bytes,
          [&] { launch_two_kernels(Softmax{}, matrix, d_words.data()); }, poison);
      verify_softmax();
      d_words.fill_zero();
    }

    std::vector<typename MeasuredRows<T>::Host> weights(input.begin(), input.begin() + columns);
    const harness::DeviceBuffer<typename MeasuredRows<T>::Host> d_weights(weights);
    const RmsNorm<T> norm{reinterpret_cast<const T*>(d_weights.data()), kEpsilon};
    const auto verify_norm = [&] {
      report.verify(harness::verify_rms_norm(measured.result(), measured.values, as_floats(weights), kEpsilon,
                                             rows, columns, 128, measured.kType));
    };
    report.measure(
        "RMSNorm" + shape, bytes, [&] { launch_rows(norm, in, out, rows, columns, d_words.data()); }, poison);
    verify_norm();
    const auto measure_norm = [&](const std::string& name, const auto& variant) {
      report.measure(name + shape, bytes, [&] { launch_aligned(variant, matrix, d_words.data()); }, poison);
      verify_norm();
    };
    if (is_long) measure_norm("RMSNorm with rows kept as well", KeptRows<RmsNorm<T>>{norm});
    else measure_norm("RMSNorm by ordinary loads of rows", OrdinaryRows<RmsNorm<T>>{norm});
    measure_norm("RMSNorm by ordinary loads of weights", OrdinaryWeights<T>{norm.weights, kEpsilon});
    measure_norm("RMSNorm with weights kept in L2 only", WeightsInL2<T>{norm.weights, kEpsilon});

    if (is_long) {
      for (int i = kRepeated; i < columns; ++i) weights[i] = weights[i - kRepeated];
      report.measure(
          "RMSNorm with repeated weights" + shape, bytes,
          [&] { launch_aligned(RepeatedWeights<T>{norm}, matrix, d_words.data()); }, poison);
      verify_norm();
    }
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
