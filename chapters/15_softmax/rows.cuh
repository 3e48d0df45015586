// Chapter 15 · Whole rows at the speed of a copy: each element is read once, 16 bytes a lane, and written once.
//
// An operation says what a thread remembers of its elements, how two such memories merge, and what an element becomes.
// A team of threads keeps a row in registers meanwhile: a warp, a block, or several blocks of one launch.
#pragma once

#include <packs.cuh>
#include <running.cuh>

#include <algorithm>

using Word = unsigned long long;  // a state in 64 bits, of which not all are 0

// ANCHOR: softmax
struct Softmax {
  using State = Running;
  static constexpr float kFiller = kMinusInfinity;  // an element that changes no state

  template <typename T, int kPacks> __device__ State state_of(const uint4 (&packs)[kPacks]) const {
    State state = nothing();
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      float x[kPerPack<T>];
      unpack<T>(packs[k], x);
#pragma unroll
      for (int e = 0; e < kPerPack<T>; ++e) state.most = fmaxf(state.most, x[e]);
    }
    const float shift = state.shift();
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      float x[kPerPack<T>];
      unpack<T>(packs[k], x);
#pragma unroll
      for (int e = 0; e < kPerPack<T>; ++e) state.sum += exponential(x[e] - shift);
    }
    return state;
  }
  __device__ static State nothing() { return kNothingSeen; }
  __device__ static State merge(State a, State b) { return ::merge(a, b); }

  // What every element of a row needs: computed once.
  struct Row {
    float shift, scale;
  };
  __device__ Row row_of(State state, int) const { return {state.shift(), 1.0f / state.sum}; }
  template <typename T>
  __device__ void apply(const Row& row, float (&x)[kPerPack<T>], const PackedRow<T>&, int) const {
#pragma unroll
    for (int e = 0; e < kPerPack<T>; ++e) x[e] = exponential(x[e] - row.shift) * row.scale;
  }

  __device__ static Word word_of(State s) {
    return Word(__float_as_uint(s.most)) << 32 | __float_as_uint(s.sum);
  }
  __device__ static State state_in(Word word) {
    return {__uint_as_float(unsigned(word >> 32)), __uint_as_float(unsigned(word))};
  }
};
// ANCHOR_END: softmax

// ANCHOR: rms_norm
// out = x / sqrt(mean of x^2 + epsilon) * weight; T is the type of the weights.
template <typename W> struct RmsNorm {
  const W* weights;  // one for each column
  float epsilon;

  using State = float;  // the sum of squares
  static constexpr float kFiller = 0.0f;

  template <typename T, int kPacks> __device__ State state_of(const uint4 (&packs)[kPacks]) const {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      float x[kPerPack<T>];
      unpack<T>(packs[k], x);
#pragma unroll
      for (int e = 0; e < kPerPack<T>; ++e) sum += x[e] * x[e];
    }
    return sum;
  }
  __device__ static State nothing() { return 0.0f; }
  __device__ static State merge(State a, State b) { return a + b; }

  using Row = float;
  __device__ Row row_of(State sum, int columns) const { return rsqrtf(sum / columns + epsilon); }
  template <typename T>
  __device__ void apply(Row scale, float (&x)[kPerPack<T>], const PackedRow<T>& row, int pack) const {
    const int first = row.first_of(pack);
    float weight[kPerPack<T>];
    if (row.is_whole(pack) && reinterpret_cast<std::uintptr_t>(weights + first) % 16 == 0) {
      unpack<T>(*reinterpret_cast<const uint4*>(weights + first), weight);
    } else {
#pragma unroll
      for (int e = 0; e < kPerPack<T>; ++e) {
        const int i = first + e;
        weight[e] = i >= 0 && i < row.columns ? to_float(weights[i]) : 0.0f;
      }
    }
#pragma unroll
    for (int e = 0; e < kPerPack<T>; ++e) x[e] = x[e] * scale * weight[e];
  }

  // A sum of squares may be 0, so another bit says that it is there.
  __device__ static Word word_of(State sum) { return Word(1) << 32 | __float_as_uint(sum); }
  __device__ static State state_in(Word word) { return __uint_as_float(unsigned(word)); }
};
// ANCHOR_END: rms_norm

__device__ inline Running from_lane(Running mine, int distance) {
  return {__shfl_xor_sync(kAllLanes, mine.most, distance), __shfl_xor_sync(kAllLanes, mine.sum, distance)};
}
__device__ inline float from_lane(float mine, int distance) {
  return __shfl_xor_sync(kAllLanes, mine, distance);
}

// The states of `kLanes` neighbouring lanes merged, in each of them. All 32 lanes call.
template <typename Op, int kLanes = 32> __device__ typename Op::State merge_lanes(typename Op::State mine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    mine = Op::merge(mine, from_lane(mine, distance));
  return mine;
}

// The states of a team's threads merged, in each of them. A team of more than a warp is a block, calls once, and waits
// at one barrier.
template <typename Op, int kTeam> __device__ typename Op::State merge_team(typename Op::State mine) {
  mine = merge_lanes<Op>(mine);
  if constexpr (kTeam > 32) {
    __shared__ typename Op::State slots[kTeam / 32];
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = mine;
    __syncthreads();  // every warp's state is there before any warp reads them
    mine = merge_lanes<Op, kTeam / 32>(slots[threadIdx.x % (kTeam / 32)]);
  }
  return mine;
}

// The packs that thread `me` of a team keeps of a row: `first_pack + me`, then one every kTeam, up to `end_pack`.
template <typename Op, typename T, int kTeam, int kPacks> struct Share {
  uint4 packs[kPacks];
  int first;  // pack of this thread

  __device__ void load(const PackedRow<T>& row, int first_pack, int end_pack, int me) {
    first = first_pack + me;
    float fill[kPerPack<T>];
#pragma unroll
    for (int e = 0; e < kPerPack<T>; ++e) fill[e] = Op::kFiller;
    const uint4 nothing = packed<T>(fill);
#pragma unroll  // all loads in a row: none of them is used before the last is made
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      packs[k] = pack < end_pack && row.is_whole(pack) ? row.load(pack) : nothing;
    }
    if (!row.is_ragged()) return;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      if (pack < end_pack && row.is_partial(pack)) packs[k] = row.load_partial(pack, Op::kFiller);
    }
  }

  __device__ void store(const Op& op, const typename Op::Row& whole_row, const PackedRow<T>& row,
                        int end_pack) const {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = first + k * kTeam;
      if (pack >= end_pack || row.first_of(pack) >= row.columns) continue;
      float x[kPerPack<T>];
      unpack<T>(packs[k], x);
      op.template apply<T>(whole_row, x, row, pack);
      row.store(pack, x);
    }
  }
};

// out = an operation of each row of in. A row lies in `packs` packs at most.
template <typename T> struct Matrix {
  const T* in;
  T* out;
  int rows, columns, packs;

  __device__ PackedRow<T> row(int number) const { return PackedRow<T>(in, out, number, columns); }
};
template <typename T> Matrix<T> matrix_of(const T* in, T* out, int rows, int columns) {
  // If the matrix and its rows begin at multiples of 16 bytes, all packs are whole.
  const bool whole = columns % kPerPack<T> == 0 && reinterpret_cast<std::uintptr_t>(in) % 16 == 0;
  return {in, out, rows, columns, whole ? columns / kPerPack<T> : packs_of<T>(columns)};
}

// One team a row, kTeams teams a block; more than one only if a team is a warp.
// ANCHOR: rows_in_registers
template <typename Op, typename T, int kTeam, int kPacks, int kTeams>
__global__ void __launch_bounds__(kTeam* kTeams) rows_in_registers(Op op, Matrix<T> matrix) {
  static_assert(kTeams == 1 || kTeam == 32,
                "teams of one block that are more than a warp would share a barrier");
  const int row_number = blockIdx.x * kTeams + threadIdx.x / kTeam;
  if (row_number >= matrix.rows) return;
  const PackedRow<T> row = matrix.row(row_number);

  Share<Op, T, kTeam, kPacks> share;
  share.load(row, 0, matrix.packs, threadIdx.x % kTeam);
  const typename Op::State all = merge_team<Op, kTeam>(op.template state_of<T>(share.packs));
  share.store(op, op.row_of(all, matrix.columns), row, matrix.packs);
}
// ANCHOR_END: rows_in_registers

__device__ inline void write_word(Word* word, Word bits) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(bits) : "memory");
}
__device__ inline Word read_word(const Word* word) {
  Word bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(word) : "memory");
  return bits;
}

// Where the blocks of a row exchange their states. All of it is 0 before a launch, and afterwards.
struct Exchange {
  unsigned* ticket;
  Word* words;  // rows * parts * parts: each block of a row has a word for every block that reads it
};

// A row in `parts` blocks, at most 32, that wait for each other's states.
//
// That ends: a block waits only for blocks of its row, and takes its row and part by a ticket. So at any time only one
// row has blocks that have not begun, and they get the places of the rows before it, which are complete and end.
// The GPU must have room for the blocks of one row at a time.
// ANCHOR: split_rows
template <typename Op, typename T, int kTeam, int kPacks>
__global__ void __launch_bounds__(kTeam) split_rows(Op op, Matrix<T> matrix, int parts, Exchange exchange) {
  __shared__ int my_ticket;
  if (threadIdx.x == 0)
    my_ticket = int(atomicInc(exchange.ticket, gridDim.x - 1));  // after the last one, 0 again
  __syncthreads();
  const int row_number = my_ticket / parts, part = my_ticket % parts;
  const PackedRow<T> row = matrix.row(row_number);
  const int per_part = (matrix.packs - 1) / parts + 1, end_pack = (part + 1) * per_part;

  Share<Op, T, kTeam, kPacks> share;
  share.load(row, part * per_part, end_pack, threadIdx.x);
  typename Op::State all = merge_team<Op, kTeam>(op.template state_of<T>(share.packs));

  __shared__ typename Op::State of_row;
  if (threadIdx.x < 32) {
    const int lane = threadIdx.x;
    Word* const words = exchange.words + std::size_t(row_number) * parts * parts;
    if (lane < parts) write_word(&words[lane * parts + part], Op::word_of(all));
    Word theirs = Op::word_of(all);
    if (lane < parts) {
      Word* const word = &words[part * parts + lane];
      while ((theirs = read_word(word)) == 0) {
      }                     // its block has not come so far
      write_word(word, 0);  // for the next launch
    }
    // Lanes without a part bring what changes no state.
    all = merge_lanes<Op>(lane < parts ? Op::state_in(theirs) : Op::nothing());
    if (lane == 0) of_row = all;
  }
  __syncthreads();  // the state of the whole row is there
  share.store(op, op.row_of(of_row, matrix.columns), row, end_pack);
}
// ANCHOR_END: split_rows

// Rows that fit nowhere, in two kernels: the first leaves the state of each part, the second reads the row again.
// ANCHOR: two_kernels
template <typename Op, typename T, int kTeam, int kPacks>
__global__ void __launch_bounds__(kTeam) states_of_parts(Op op, Matrix<T> matrix, int parts, Word* words) {
  const int row_number = blockIdx.x / parts, part = blockIdx.x % parts;
  const PackedRow<T> row = matrix.row(row_number);
  const int per_part = (matrix.packs - 1) / parts + 1, end = min((part + 1) * per_part, matrix.packs);
  typename Op::State state = Op::nothing();
  for (int first = part * per_part; first < end; first += kTeam * kPacks) {
    Share<Op, T, kTeam, kPacks> share;
    share.load(row, first, end, threadIdx.x);
    state = Op::merge(state, op.template state_of<T>(share.packs));
  }
  state = merge_team<Op, kTeam>(state);
  if (threadIdx.x == 0) words[blockIdx.x] = Op::word_of(state);
}
template <typename Op, typename T, int kTeam, int kPacks>
__global__ void __launch_bounds__(kTeam)
    apply_to_parts(Op op, Matrix<T> matrix, int parts, const Word* words) {
  const int row_number = blockIdx.x / parts, part = blockIdx.x % parts;
  const PackedRow<T> row = matrix.row(row_number);
  const int per_part = (matrix.packs - 1) / parts + 1, end = min((part + 1) * per_part, matrix.packs);
  typename Op::State state = Op::nothing();
  for (int p = threadIdx.x; p < parts; p += kTeam)
    state = Op::merge(state, Op::state_in(words[std::size_t(row_number) * parts + p]));
  const typename Op::Row whole_row = op.row_of(merge_team<Op, kTeam>(state), matrix.columns);
  for (int first = part * per_part; first < end; first += kTeam * kPacks) {
    Share<Op, T, kTeam, kPacks> share;
    share.load(row, first, end, threadIdx.x);
    share.store(op, whole_row, row, end);
  }
}
// ANCHOR_END: two_kernels

// The choice. A thread keeps up to 8 packs, 128 bytes, in 32 registers.
// ANCHOR: choice
inline constexpr int kKept = 8;
inline constexpr int kLargestTeam = 512;                    // two such blocks fit on a multiprocessor
inline constexpr int kPacksInBlock = kLargestTeam * kKept;  // 64 KiB
inline constexpr int kMostParts = 32;                       // blocks of a row that wait for each other

inline int parts_of(long long packs, long long in_each) { return int((packs + in_each - 1) / in_each); }

// The words that launch_rows needs for so many rows and columns.
template <typename T> std::size_t exchange_words(int rows, int columns) {
  const std::size_t parts = parts_of(packs_of<T>(columns), kPacksInBlock);
  return 1 + std::size_t(rows) * parts * std::min<std::size_t>(parts, kMostParts);
}

template <typename Op, typename T, int kTeam, int kPacks, int kTeams = 1>
void launch_in_registers(const Op& op, const Matrix<T>& m) {
  rows_in_registers<Op, T, kTeam, kPacks, kTeams><<<(m.rows - 1) / kTeams + 1, kTeam * kTeams>>>(op, m);
}
template <typename Op, typename T> void launch_split_rows(const Op& op, const Matrix<T>& m, Word* exchange) {
  const int parts = parts_of(m.packs, kPacksInBlock);
  split_rows<Op, T, kLargestTeam, kKept><<<m.rows * parts, kLargestTeam>>>(
      op, m, parts, Exchange{reinterpret_cast<unsigned*>(exchange), exchange + 1});
}
template <typename Op, typename T> void launch_two_kernels(const Op& op, const Matrix<T>& m, Word* exchange) {
  const int parts = parts_of(m.packs, kPacksInBlock);
  states_of_parts<Op, T, kLargestTeam, kKept><<<m.rows * parts, kLargestTeam>>>(op, m, parts, exchange + 1);
  apply_to_parts<Op, T, kLargestTeam, kKept><<<m.rows * parts, kLargestTeam>>>(op, m, parts, exchange + 1);
}

// out = op of each row of in; `out` may be `in`. Any number of rows and columns. `exchange` has exchange_words() words,
// all 0 before the first launch, and serves one shape.
template <typename Op, typename T>
void launch_rows(const Op& op, const T* in, T* out, int rows, int columns, Word* exchange) {
  if (rows == 0 || columns == 0) return;
  const Matrix<T> m = matrix_of(in, out, rows, columns);
  if (m.packs <= 1 * 32) return launch_in_registers<Op, T, 32, 1, 8>(op, m);
  if (m.packs <= 2 * 32) return launch_in_registers<Op, T, 32, 2, 8>(op, m);
  if (m.packs <= 4 * 32) return launch_in_registers<Op, T, 32, 4, 4>(op, m);
  if (m.packs <= 8 * 32) return launch_in_registers<Op, T, 32, 8, 4>(op, m);
  if (m.packs <= 4 * 128) return launch_in_registers<Op, T, 128, 4>(op, m);
  if (m.packs <= 4 * 256) return launch_in_registers<Op, T, 256, 4>(op, m);
  if (m.packs <= 4 * 512) return launch_in_registers<Op, T, 512, 4>(op, m);
  if (m.packs <= 8 * 512) return launch_in_registers<Op, T, 512, 8>(op, m);
  if (parts_of(m.packs, kPacksInBlock) <= kMostParts) return launch_split_rows(op, m, exchange);
  launch_two_kernels(op, m, exchange);
}
// ANCHOR_END: choice
