// Chapter 15 · Whole rows at the speed of a copy: each element is read once, 16 bytes a lane, and written
// once.
//
// An operation says what a thread remembers of its elements, how two such states merge, and what an element
// becomes. Meanwhile a team of threads keeps the row: a warp, a block, or several blocks of one launch, in
// registers or, for long rows, half of it in shared memory.
#pragma once

#include <packs.cuh>
#include <running.cuh>
#include <shares.cuh>

#include <algorithm>

using Word = unsigned long long;  // a state in 64 bits, of which not all are 0

struct Softmax {
  using State = Running;
  static constexpr float kFiller = kMinusInfinity;  // an element that changes no state
  static constexpr bool kReadsWeights = false;

  template <typename T, int kPacks> __device__ State state_of(const uint4 (&packs)[kPacks]) const {
    State state = {largest<T>(packs), 0.0f};
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
  template <typename T, bool kAligned>
  __device__ void apply(const Row& row, float (&x)[kPerPack<T>], const PackedRow<T, kAligned>&, int) const {
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

// ANCHOR: rms_norm
// out = x / sqrt(mean of x^2 + epsilon) * weight. W: the weights' type. kKeep: what their loads ask.
template <typename W, Keep kKeep = Keep::in_l1_and_l2> struct RmsNorm {
  const W* weights;  // one for each column
  float epsilon;

  using State = float;  // the sum of squares
  static constexpr float kFiller = 0.0f;
  static constexpr bool kReadsWeights = true;

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
  template <typename T, bool kAligned>
  __device__ void apply(Row scale, float (&x)[kPerPack<T>], const PackedRow<T, kAligned>& row,
                        int pack) const {
    const int first = row.first_of(pack);
    float weight[kPerPack<T>];
    if (row.is_whole(pack) && reinterpret_cast<std::uintptr_t>(weights + first) % 16 == 0) {
      unpack<T>(load_pack(weights + first, kKeep), weight);
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

  // A sum of squares may be 0, so another bit says that the sum is there.
  __device__ static Word word_of(State sum) { return Word(1) << 32 | __float_as_uint(sum); }
  __device__ static State state_in(Word word) { return __uint_as_float(unsigned(word)); }
};
// ANCHOR_END: rms_norm

__device__ inline Running from_lane(Running mine, int distance) {
  return {__shfl_xor_sync(kWholeWarp, mine.most, distance), __shfl_xor_sync(kWholeWarp, mine.sum, distance)};
}
__device__ inline float from_lane(float mine, int distance) {
  return __shfl_xor_sync(kWholeWarp, mine, distance);
}

// Merges the states of `kLanes` neighbouring lanes; each of them gets the result. All 32 lanes call it.
template <typename Op, int kLanes = 32> __device__ typename Op::State merge_lanes(typename Op::State mine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    mine = Op::merge(mine, from_lane(mine, distance));
  return mine;
}

// Merges the states of a team's threads; each of them gets the result. A team of more than a warp is a block:
// it calls this once, and waits at one barrier.
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

// out = an operation applied to each row of in. A row touches at most `packs` packs.
template <typename T, bool kIsAligned> struct Matrix {
  static constexpr bool kAligned = kIsAligned;
  const T* in;
  T* out;
  int rows, columns, packs;

  __device__ PackedRow<T, kAligned> row(int number) const {
    return PackedRow<T, kAligned>(in, out, number, columns);
  }
};

// What the loads of rows ask of the caches.
template <typename Op> inline constexpr Keep kKeepRows = Keep::in_l2;
// The same for rows that share the L2 cache with long rows of weights.
template <typename Op>
inline constexpr Keep kKeepLongRows = Op::kReadsWeights ? Keep::as_usual : kKeepRows<Op>;

// One team for each row, kTeams teams in a block; more than one only if a team is a warp.
// ANCHOR: rows_in_registers
template <typename Op, typename T, bool kAligned, int kTeam, int kPacks, int kTeams>
__global__ void __launch_bounds__(kTeam* kTeams) rows_in_registers(Op op, Matrix<T, kAligned> matrix) {
  static_assert(kTeams == 1 || kTeam == 32, "teams of more than a warp would share the block's barrier");
  const int number = blockIdx.x * kTeams + threadIdx.x / kTeam;
  if (number >= matrix.rows) return;
  const auto row = matrix.row(number);

  Share<Op, T, kAligned, kTeam, kPacks> share;
  share.load(row, 0, matrix.packs, threadIdx.x % kTeam, kKeepRows<Op>);
  const typename Op::State all = merge_team<Op, kTeam>(op.template state_of<T>(share.packs));
  share.store(op, op.row_of(all, matrix.columns), row, matrix.packs);
}
// ANCHOR_END: rows_in_registers

// One block for each row.
template <typename Op, typename T, int kTeam, int kPacks, int kInShared>
__global__ void __launch_bounds__(kTeam) rows_in_block(Op op, Matrix<T, true> matrix) {
  const auto row = matrix.row(blockIdx.x);
  BlockShare<Op, T, kTeam, kPacks, kInShared> share;
  share.load(row, 0, matrix.packs, kKeepLongRows<Op>);
  const typename Op::State all = merge_team<Op, kTeam>(share.state(op, matrix.packs));
  share.store(op, op.row_of(all, matrix.columns), row, matrix.packs);
}

// The packs that belong to part `part` of a row.
struct Part {
  int first, end;
  __device__ Part(int packs, int parts, int part) {
    const int each = (packs - 1) / parts + 1;
    first = part * each;
    end = min(first + each, packs);
  }
};

__device__ inline void write_word(Word* word, Word bits) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(bits) : "memory");
}
__device__ inline Word read_word(const Word* word) {
  Word bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(word) : "memory");
  return bits;
}

// Waits until another block has written a word, returns it, and leaves 0 for the next launch.
__device__ inline Word wait_for_word(Word* word) {
  Word bits;
  do bits = read_word(word);
  while (bits == 0);
  write_word(word, 0);
  return bits;
}

// Numbers the blocks of a launch from 0 in the order in which they start. `counter` is 0 before and afterwards.
// All threads of a block call it, once.
__device__ inline int take_ticket(Word* counter, int blocks) {
  __shared__ int ticket;
  if (threadIdx.x == 0) {
    ticket = int(atomicAdd(counter, 1));
    if (ticket == blocks - 1) write_word(counter, 0);  // this was the last ticket
  }
  __syncthreads();  // the ticket is there
  return ticket;
}

// Each row belongs to `parts` blocks, at most 32. Each block keeps its part, publishes its state, and waits for
// the states of the row's other parts.
//
// Blocks take parts in the order in which they start: words[0] counts them. So if a part of some row has no
// block yet, no later row has a block, and fewer blocks wait than the row has parts. If the GPU
// has room for that many blocks, the next one starts, and no block waits forever.
//
// words[1 …] has parts * parts words for each row, all 0 before and afterwards: one from each part for every
// part that reads it.
// ANCHOR: split_rows
template <typename Op, typename T, int kTeam, int kPacks, int kInShared, int kBlocks>
__global__ void __launch_bounds__(kTeam, kBlocks)
    split_rows(Op op, Matrix<T, true> matrix, int parts, Word* words) {
  const int ticket = take_ticket(words, gridDim.x);
  const int number = ticket / parts, me = ticket % parts;
  const auto row = matrix.row(number);
  const Part mine(matrix.packs, parts, me);
  BlockShare<Op, T, kTeam, kPacks, kInShared> share;
  share.load(row, mine.first, mine.end, kKeepLongRows<Op>);
  typename Op::State state = merge_team<Op, kTeam>(share.state(op, mine.end));

  __shared__ typename Op::State of_row;
  Word* const of_this_row = words + 1 + std::size_t(number) * parts * parts;
  if (threadIdx.x < 32) {
    const int lane = threadIdx.x;
    if (lane < parts) {
      write_word(&of_this_row[lane * parts + me], Op::word_of(state));
      state = Op::state_in(wait_for_word(&of_this_row[me * parts + lane]));
    }
    state = merge_lanes<Op>(lane < parts ? state : Op::nothing());
    if (lane == 0) of_row = state;
  }
  __syncthreads();  // the row's state is there
  share.store(op, op.row_of(of_row, matrix.columns), row, mine.end);
}
// ANCHOR_END: split_rows

// Rows that no team keeps, in two kernels: the first leaves the state of each part, the second reads the row
// again.
template <typename Op, typename T, bool kAligned, int kTeam, int kPacks>
__global__ void __launch_bounds__(kTeam)
    states_of_parts(Op op, Matrix<T, kAligned> matrix, int parts, Word* words) {
  const auto row = matrix.row(blockIdx.x / parts);
  const Part mine(matrix.packs, parts, blockIdx.x % parts);
  typename Op::State state = Op::nothing();
  for (int first = mine.first; first < mine.end; first += kTeam * kPacks) {
    Share<Op, T, kAligned, kTeam, kPacks> share;
    share.load(row, first, mine.end, threadIdx.x, Keep::as_usual);
    state = Op::merge(state, op.template state_of<T>(share.packs));
  }
  state = merge_team<Op, kTeam>(state);
  if (threadIdx.x == 0) words[blockIdx.x] = Op::word_of(state);
}

template <typename Op, typename T, bool kAligned, int kTeam, int kPacks>
__global__ void __launch_bounds__(kTeam)
    apply_to_parts(Op op, Matrix<T, kAligned> matrix, int parts, const Word* words) {
  const auto row = matrix.row(blockIdx.x / parts);
  const Part mine(matrix.packs, parts, blockIdx.x % parts);
  typename Op::State state = Op::nothing();
  for (int p = threadIdx.x; p < parts; p += kTeam)
    state = Op::merge(state, Op::state_in(words[std::size_t(blockIdx.x / parts) * parts + p]));
  const typename Op::Row whole_row = op.row_of(merge_team<Op, kTeam>(state), matrix.columns);
  for (int first = mine.first; first < mine.end; first += kTeam * kPacks) {
    Share<Op, T, kAligned, kTeam, kPacks> share;
    share.load(row, first, mine.end, threadIdx.x, Keep::as_usual);
    share.store(op, whole_row, row, mine.end);
  }
}

// What a block of a long row keeps: of each of `team` threads some packs in registers and some in shared memory.
// `blocks` of them should fit on a multiprocessor.
template <int team, int in_registers, int in_shared, int blocks> struct BlockKeeps {
  static constexpr int kTeam = team, kInRegisters = in_registers, kInShared = in_shared, kBlocks = blocks;
  static constexpr int kPacks = team * (in_registers + in_shared);
  static constexpr int kSharedBytes = team * in_shared * int(sizeof(uint4));
  static int parts_of(int packs) { return (packs - 1) / kPacks + 1; }
};
// Chosen by measurements on an H200.
using InRegisters = BlockKeeps<512, 8, 0, 2>;   // 64 KiB
using HalfInShared = BlockKeeps<512, 8, 8, 2>;  // 128 KiB
using WholeRow = BlockKeeps<1024, 8, 8, 1>;     // 256 KiB, where a block may have 128 KiB of shared memory
inline constexpr int kMostParts = 32;           // blocks of a row that wait for each other

// How many words launch_rows needs for a matrix of this shape.
template <typename T> std::size_t exchange_words(int rows, int columns) {
  const std::size_t parts = columns == 0 ? 1 : InRegisters::parts_of(packs_of<T>(columns));
  return 1 + std::size_t(rows) * parts * std::min<std::size_t>(parts, kMostParts);  // 1: the counter
}

template <typename Op, typename T, int kTeam, int kPacks, int kTeams = 1, bool kAligned>
void launch_in_registers(const Op& op, const Matrix<T, kAligned>& m) {
  rows_in_registers<Op, T, kAligned, kTeam, kPacks, kTeams>
      <<<(m.rows - 1) / kTeams + 1, kTeam * kTeams>>>(op, m);
}

template <typename Op, typename T, bool kAligned>
void launch_two_kernels(const Op& op, const Matrix<T, kAligned>& m, Word* words) {
  constexpr int kTeam = InRegisters::kTeam;
  const int parts = InRegisters::parts_of(m.packs);
  states_of_parts<Op, T, kAligned, kTeam, 4><<<m.rows * parts, kTeam>>>(op, m, parts, words);
  apply_to_parts<Op, T, kAligned, kTeam, 4><<<m.rows * parts, kTeam>>>(op, m, parts, words);
}

// How many blocks of a kernel, each of which keeps what `Keeps` says, a GPU runs at the same time, all
// multiprocessors together. 0 if that is more shared memory than a block may have.
template <typename Keeps, typename... Arguments> int resident_blocks(void (*kernel)(Arguments...)) {
  const auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
  if (cudaFuncSetAttribute(kernel, limit, Keeps::kSharedBytes) != cudaSuccess) {
    cudaGetLastError();  // it is answered here
    return 0;
  }
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, Keeps::kTeam, Keeps::kSharedBytes);
  return multiprocessors * blocks;
}

// False if a row has too many parts, or if the GPU has no room for its blocks. Then nothing was launched.
template <typename Keeps, typename Op, typename T>
bool launch_split_rows(const Op& op, const Matrix<T, true>& m, Word* words) {
  const auto kernel = split_rows<Op, T, Keeps::kTeam, Keeps::kInRegisters, Keeps::kInShared, Keeps::kBlocks>;
  const int parts = Keeps::parts_of(m.packs);
  if (parts > kMostParts || parts > resident_blocks<Keeps>(kernel)) return false;
  kernel<<<m.rows * parts, Keeps::kTeam, Keeps::kSharedBytes>>>(op, m, parts, words);
  return true;
}

// False if the GPU has no room for such a block. Then nothing was launched.
template <typename Keeps, typename Op, typename T>
bool launch_rows_in_block(const Op& op, const Matrix<T, true>& m) {
  const auto kernel = rows_in_block<Op, T, Keeps::kTeam, Keeps::kInRegisters, Keeps::kInShared>;
  if (resident_blocks<Keeps>(kernel) == 0) return false;
  kernel<<<m.rows, Keeps::kTeam, Keeps::kSharedBytes>>>(op, m);
  return true;
}

template <typename Op, typename T>
void launch_aligned(const Op& op, const Matrix<T, true>& m, Word* words) {
  if (m.packs <= 1 * 32) return launch_in_registers<Op, T, 32, 1, 8>(op, m);
  if (m.packs <= 2 * 32) return launch_in_registers<Op, T, 32, 2, 8>(op, m);
  if (m.packs <= 4 * 32) return launch_in_registers<Op, T, 32, 4, 4>(op, m);
  if (m.packs <= 2 * 128) return launch_in_registers<Op, T, 128, 2>(op, m);
  if (m.packs <= 2 * 256) return launch_in_registers<Op, T, 256, 2>(op, m);
  if (m.packs <= 2 * 512) return launch_in_registers<Op, T, 512, 2>(op, m);
  if (m.packs <= 4 * 512) return launch_in_registers<Op, T, 512, 4>(op, m);
  if (m.packs <= 8 * 512) return launch_in_registers<Op, T, 512, 8>(op, m);
  if (m.packs <= 8 * 1024) return launch_in_registers<Op, T, 1024, 8>(op, m);
  if (m.packs <= WholeRow::kPacks && launch_rows_in_block<WholeRow>(op, m)) return;
  if (launch_split_rows<HalfInShared>(op, m, words)) return;
  if (launch_split_rows<InRegisters>(op, m, words)) return;
  launch_two_kernels(op, m, words);
}
template <typename Op, typename T>
void launch_unaligned(const Op& op, const Matrix<T, false>& m, Word* words) {
  if (m.packs <= 2 * 32) return launch_in_registers<Op, T, 32, 2, 8>(op, m);
  if (m.packs <= 2 * 128) return launch_in_registers<Op, T, 128, 2>(op, m);
  if (m.packs <= 2 * 512) return launch_in_registers<Op, T, 512, 2>(op, m);
  if (m.packs <= 8 * 512) return launch_in_registers<Op, T, 512, 8>(op, m);
  launch_two_kernels(op, m, words);
}

// Whether all rows begin at multiples of 16 bytes, in both matrices.
template <typename T> bool is_aligned(const T* in, const T* out, int columns) {
  const auto beyond = (reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) % 16;
  return beyond == 0 && columns % kPerPack<T> == 0;
}

// out = op of each row of in; `out` may be `in`. Any number of rows and columns. `words` has exchange_words()
// words, all 0 before the first launch, and serves matrices of one shape.
template <typename Op, typename T>
void launch_rows(const Op& op, const T* in, T* out, int rows, int columns, Word* words) {
  if (rows == 0 || columns == 0) return;
  if (is_aligned(in, out, columns))
    launch_aligned<Op, T>(op, Matrix<T, true>{in, out, rows, columns, columns / kPerPack<T>}, words);
  else launch_unaligned<Op, T>(op, Matrix<T, false>{in, out, rows, columns, packs_of<T>(columns)}, words);
}
// SPDX-License-Identifier: MIT
