// Chapter 15, experiment: what does it cost that blocks wait for each other? split_rows moves the same bytes with
// the same blocks, in rows of 1, 2, 4 … 16 parts. Rows of one part also without an exchange.
#include <rows.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"
#include "harness/softmax_reference.h"

namespace {

std::vector<float> as_floats(const std::vector<float>& values) { return values; }
std::vector<float> as_floats(const std::vector<std::uint16_t>& bits) { return harness::from_bfloat16(bits); }

// The host keeps bfloat16 numbers as their bits.
template <typename T, typename Host>
void measure_type(harness::Report& report, const std::vector<Host>& input, const std::string& type) {
  constexpr auto kType = sizeof(T) == 2 ? harness::RowType::bfloat16 : harness::RowType::float32;
  constexpr int kMerges = 160;  // at most 128 numbers a thread, then 5 shuffles, warps and parts
  const std::size_t bytes = 2 * input.size() * sizeof(T);
  const harness::DeviceBuffer<Host> d_in(input);
  harness::DeviceBuffer<Host> d_out(input.size());
  const T* const in = reinterpret_cast<const T*>(d_in.data());
  T* const out = reinterpret_cast<T*>(d_out.data());
  const std::vector<float> values = as_floats(input);
  for (const int parts : {0, 1, 2, 4, 8, 16}) {
    const int packs = kPacksInPart * (parts == 0 ? 1 : parts), columns = packs * kPerPack<T>;
    if (std::size_t(columns) > input.size()) continue;
    const int rows = int(input.size() / columns);
    const Matrix<T, true> matrix{in, out, rows, columns, packs};
    harness::DeviceBuffer<Word> d_words(exchange_words<T>(rows, columns));
    d_words.fill_zero();
    const auto launch = [&] {
      if (parts == 0) launch_in_registers<Softmax, T, kSplitTeam, kKept>(Softmax{}, matrix);
      else launch_split_rows(Softmax{}, matrix, d_words.data());
    };
    const std::string kernel =
        parts == 0 ? "rows_in_registers"
                   : "split_rows, " + std::to_string(parts) + (parts == 1 ? " part" : " parts");
    report.measure(kernel + ", " + type, bytes, launch, [&] { d_out.fill_poison(); });
    const std::vector<float> compared(values.begin(), values.begin() + std::size_t(rows) * columns);
    report.verify(
        harness::verify_softmax(as_floats(d_out.download()), compared, rows, columns, kMerges, kType));
  }
}

}  // namespace

int main(int argc, char** argv) {
  harness::Options options = harness::parse_options(argc, argv, "15_softmax.parts",
                                                    "softmax of --n elements, in rows of 1 to 16 parts");
  options.n -= options.n % (kPacksInPart * kPerPack<__nv_bfloat16>);
  harness::Report report(options);
  const std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  if (options.n == 0) return report.finish();
  measure_type<float>(report, input, "float");
  measure_type<__nv_bfloat16>(report, harness::to_bfloat16(input), "bfloat16");
  return report.finish();
}
// SPDX-License-Identifier: MIT
