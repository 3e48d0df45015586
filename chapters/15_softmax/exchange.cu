// Chapter 15, experiment: which part of the exchange costs split_rows time? It is built up in steps, in rows of one part. Then
// come rows of 1, 2, 4 … 16 parts, once as usual, and once where every word that a block waits for is there already.
#include <measured_rows.cuh>
#include <rows.cuh>

#include <string>
#include <vector>

namespace {

constexpr int kTeam = InRegisters::kTeam;

// How much of the exchange a kernel has. Each value includes those before it.
enum class Exchange {
  nothing,  // a block takes the part with its own number, which is safe for rows of one part only
  tickets,  // blocks take parts in the order in which they start
  publish,  // each writes its state for the row's other parts
  read,  // and reads theirs, waiting if they are not there; without clearing them, so the next launch need not wait
};

// ANCHOR: exchange
template <Exchange kExchange, typename Op, typename T>
__global__ void __launch_bounds__(kTeam, InRegisters::kBlocks)
    split_rows_by(Op op, Matrix<T, true> matrix, int parts, Word* words) {
  const int ticket = kExchange >= Exchange::tickets ? take_ticket(words, gridDim.x) : blockIdx.x;
  const int number = ticket / parts, me = ticket % parts;
  const auto row = matrix.row(number);
  const Part mine(matrix.packs, parts, me);
  Share<Op, T, true, kTeam, InRegisters::kInRegisters> share;
  share.load(row, mine.first, mine.end, threadIdx.x, kKeepLongRows<Op>);
  typename Op::State state = merge_team<Op, kTeam>(op.template state_of<T>(share.packs));

  __shared__ typename Op::State of_row;
  Word* const of_this_row = words + 1 + std::size_t(number) * parts * parts;
  if (threadIdx.x < 32) {
    const int lane = threadIdx.x;
    if (lane < parts) {
      if (kExchange >= Exchange::publish) write_word(&of_this_row[lane * parts + me], Op::word_of(state));
      Word* const theirs = &of_this_row[me * parts + lane];
      if (kExchange >= Exchange::read) {
        Word bits;
        do bits = read_word(theirs);
        while (bits == 0);
        state = Op::state_in(bits);
      }
    }
    state = merge_lanes<Op>(lane < parts ? state : Op::nothing());
    if (lane == 0) of_row = state;
  }
  __syncthreads();  // the row's state is there
  share.store(op, op.row_of(of_row, matrix.columns), row, mine.end);
}
// ANCHOR_END: exchange

template <typename T> class Bench {
 public:
  Bench(harness::Report& report, const std::vector<float>& input) : report_(report), measured_(input) {}

  // Runs `launch` on rows of `parts` parts. `launch` takes the matrix and words that are 0 before the first launch.
  template <typename Launch> void measure(const std::string& name, int parts, const Launch& launch) {
    const int packs = InRegisters::kPacks * parts, columns = packs * kPerPack<T>;
    const int rows = int(measured_.values.size() / columns);
    if (rows == 0) return;
    const Matrix<T, true> matrix{measured_.in(), measured_.out(), rows, columns, packs};
    harness::DeviceBuffer<Word> d_words(exchange_words<T>(rows, columns));
    d_words.fill_zero();
    report_.measure(
        name + ", " + std::to_string(parts) + (parts == 1 ? " part" : " parts"), measured_.bytes,
        [&] { launch(matrix, d_words.data()); }, [&] { measured_.poison(); });
    report_.verify(measured_.verify_softmax(rows, columns));
  }

  template <Exchange kExchange> void measure(const std::string& name, int parts) {
    measure(name, parts, [](const Matrix<T, true>& m, Word* words) {
      const int each = InRegisters::parts_of(m.packs);
      split_rows_by<kExchange, Softmax, T><<<m.rows * each, kTeam>>>(Softmax{}, m, each, words);
    });
  }

 private:
  harness::Report& report_;
  MeasuredRows<T> measured_;
};

}  // namespace

int main(int argc, char** argv) {
  harness::Options options = harness::parse_options(
      argc, argv, "15_softmax.exchange", "softmax of --n floats, with more and more of the exchange");
  options.n -= options.n % (16 * InRegisters::kPacks * kPerPack<float>);  // whole rows of 16 parts
  harness::Report report(options);
  if (options.n == 0) return report.finish();
  Bench<float> bench(report, harness::uniform_floats(options.n, options.seed));
  bench.measure("in registers", 1, [](const Matrix<float, true>& m, Word*) {
    launch_in_registers<Softmax, float, kTeam, InRegisters::kInRegisters>(Softmax{}, m);
  });
  bench.measure<Exchange::nothing>("no exchange", 1);
  bench.measure<Exchange::tickets>("tickets", 1);
  bench.measure<Exchange::publish>("tickets, words written", 1);
  for (const int parts : {1, 2, 4, 8, 16}) {
    bench.measure<Exchange::read>("words there already", parts);
    bench.measure("split_rows", parts, [](const Matrix<float, true>& m, Word* words) {
      launch_split_rows<InRegisters>(Softmax{}, m, words);
    });
  }
  return report.finish();
}
// SPDX-License-Identifier: MIT
