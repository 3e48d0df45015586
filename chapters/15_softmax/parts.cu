// Chapter 15, experiment: what does it cost that blocks wait for each other? split_rows moves the same bytes with
// the same blocks, in rows of 1, 2, 4 … 16 parts; and rows of one part also without an exchange.
#include <measured_rows.cuh>
#include <rows.cuh>

#include <string>
#include <vector>

namespace {

template <typename T>
void measure_type(harness::Report& report, const std::vector<typename MeasuredRows<T>::Host>& input,
                  const std::string& type) {
  MeasuredRows<T> measured(input);
  for (const int parts : {0, 1, 2, 4, 8, 16}) {
    const int packs = InRegisters::kPacks * (parts == 0 ? 1 : parts), columns = packs * kPerPack<T>;
    if (std::size_t(columns) > input.size()) continue;
    const int rows = int(input.size() / columns);
    const Matrix<T, true> matrix{measured.in(), measured.out(), rows, columns, packs};
    harness::DeviceBuffer<Word> d_words(exchange_words<T>(rows, columns));
    d_words.fill_zero();
    const auto launch = [&] {
      if (parts == 0) launch_in_registers<Softmax, T, 512, 8>(Softmax{}, matrix);
      else launch_split_rows<InRegisters>(Softmax{}, matrix, d_words.data());
    };
    const std::string kernel =
        parts == 0 ? "rows_in_registers"
                   : "split_rows, " + std::to_string(parts) + (parts == 1 ? " part" : " parts");
    report.measure(kernel + ", " + type, measured.bytes, launch, [&] { measured.poison(); });
    report.verify(measured.verify_softmax(rows, columns));
  }
}

}  // namespace

int main(int argc, char** argv) {
  harness::Options options = harness::parse_options(argc, argv, "15_softmax.parts",
                                                    "softmax of --n elements, in rows of 1 to 16 parts");
  options.n -= options.n % (InRegisters::kPacks * kPerPack<__nv_bfloat16>);
  harness::Report report(options);
  const std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  if (options.n == 0) return report.finish();
  measure_type<float>(report, input, "float");
  measure_type<__nv_bfloat16>(report, harness::to_bfloat16(input), "bfloat16");
  return report.finish();
}
// SPDX-License-Identifier: MIT
