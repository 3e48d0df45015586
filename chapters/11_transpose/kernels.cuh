// Chapter 11 · Transpose
// Question  A transpose computes nothing: why is the obvious kernel so far from the speed of a copy?
// Change    Rows go through a tile of shared memory, so that global memory sees rows on both sides. Three
//           layouts of that tile decide which bank an element lies in. Then a lane moves 16 bytes at a time.
// Asked     every bit right, for any shape and for elements of 4, 8 and 16 bytes; whole sectors on both sides; no
//           bank conflicts, and no extra memory for the swizzle; 16 bytes a lane.
#pragma once

#include <cuda_runtime.h>

// in is rows x columns, row after row; out is columns x rows. rows * columns is at most 2^30, so that every
// index fits an int. T is any type of 4, 8 or 16 bytes.
inline constexpr int kTile = 32;       // rows and columns of a tile; lanes of a warp
inline constexpr int kThreadRows = 8;  // a block is 32 x 8 threads, and a thread moves 4 elements
static_assert(kTile % kThreadRows == 0, "all threads move the same number of elements");

// How many tiles of `side` elements `length` takes. A length of 0 takes one tile, with nothing in it, because a
// launch needs at least one block.
__host__ __device__ constexpr int tiles_along(int length, int side) {
  return length == 0 ? 1 : (length - 1) / side + 1;
}
// Blocks to launch, one per tile. The grid has one dimension because gridDim.y is at most 65535, and a matrix
// of one column can have 2^25 tiles below each other.
__host__ __device__ constexpr int tiles_of(int rows, int columns, int side) {
  return tiles_along(rows, side) * tiles_along(columns, side);
}

// The order in which the blocks take the tiles. Blocks start roughly in the order of their numbers, so this
// decides which parts of memory are in use at the same time. With down_columns, neighbouring blocks write
// neighbouring parts of the same rows of out.
enum class Order { along_rows, down_columns };
struct Corner {
  int row, column;  // in the matrix `in`
};
template <Order kOrder = Order::down_columns>
__device__ Corner corner_of(int tile, int rows, int columns, int side) {
  const int across = tiles_along(columns, side), down = tiles_along(rows, side);
  if constexpr (kOrder == Order::along_rows) return {tile / across * side, tile % across * side};
  return {tile % down * side, tile / down * side};
}

// From here to transpose_swizzled, a kernel has tiles_of(rows, columns, kTile) blocks of kTile x kThreadRows
// threads. A warp is a row of threads: its lanes have the same threadIdx.y, and threadIdx.x 0 … 31.

// Reads along a row of in, and so writes down a column of out.
// ANCHOR: read_rows
template <typename T> __global__ void transpose_read_rows(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + threadIdx.y + k, column = corner.column + threadIdx.x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
// ANCHOR_END: read_rows

// Reads down a column of in, and so writes along a row of out.
// ANCHOR: write_rows
template <typename T> __global__ void transpose_write_rows(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + threadIdx.x, column = corner.column + threadIdx.y + k;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
// ANCHOR_END: write_rows

// A layout gives element (row, column) of a tile a slot: its place in an array of kSlots in shared memory. row
// and column are 0 … kTile - 1. The bank of a float is its slot modulo 32.
// ANCHOR: plain
struct Plain {
  static constexpr int kSlots = kTile * kTile;
  static __device__ int slot(int row, int column) { return row * kTile + column; }
};
// ANCHOR_END: plain

// ANCHOR: padded
struct Padded {
  // TODO(you): how many slots from one row to the next put the 32 elements of a column (slots r * kPitch +
  // column, for r = 0 … 31) in 32 different banks? Rows must not overlap, so it is at least 32.
  static constexpr int kPitch = kTile;

  static constexpr int kSlots = kTile * kPitch;
  static __device__ int slot(int row, int column) { return row * kPitch + column; }
};
// ANCHOR_END: padded

// ANCHOR: swizzled
struct Swizzled {
  static constexpr int kSlots = kTile * kTile;  // no more than Plain's
  static __device__ int slot(int row, int column) {
    // TODO(you): permute the elements of each row, in an order that depends on the row, so that the slots of
    // a column's elements all differ modulo 32. The slots of a row's elements must still differ, too.
    return row * kTile + column;
  }
};
// ANCHOR_END: swizzled

// The body that the next three kernels share.
// ANCHOR: tile
template <typename Layout, typename T>
__device__ void through_tile(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;

  // TODO(you): use a tile. As shipped this is transpose_read_rows; replace the loop (about 10 lines).
  // 1. Declare __shared__ T tile[Layout::kSlots].
  // 2. Four times, as below: element (y + k, x) of the tile comes from in and goes to its slot,
  //    Layout::slot(y + k, x). The lanes of a warp differ in x, so they read neighbours in a row of in.
  // 3. Let the block wait until the tile is complete. Every thread must get here, even one without elements.
  // 4. Four times: element (x, y + k) of the tile goes from its slot to out. Again the lanes differ in x, so
  //    they write neighbours in a row of out. It is not the element of step 2: test again whether it exists.
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
// ANCHOR_END: tile

template <typename T> __global__ void transpose_tile(const T* in, T* out, int rows, int columns) {
  through_tile<Plain>(in, out, rows, columns);
}
template <typename T> __global__ void transpose_padded(const T* in, T* out, int rows, int columns) {
  through_tile<Padded>(in, out, rows, columns);
}
template <typename T> __global__ void transpose_swizzled(const T* in, T* out, int rows, int columns) {
  through_tile<Swizzled>(in, out, rows, columns);
}

// A pack: the elements that one lane moves with one instruction, 16 bytes.
// ANCHOR: pack
template <typename T> struct alignas(16) Pack {
  static constexpr int kCount = 16 / sizeof(T);
  T at[kCount];
};

// `from` lies on a 16-byte boundary. This is one load. The loop copies its elements one by one, because clang
// would split a plain copy of the pack into two accesses of 8 bytes.
template <typename T> __device__ Pack<T> load_pack(const T* from) {
  const Pack<T> loaded = *reinterpret_cast<const Pack<T>*>(from);
  Pack<T> pack;
  for (int e = 0; e < Pack<T>::kCount; ++e) pack.at[e] = loaded.at[e];
  return pack;
}
// ANCHOR_END: pack

// A tile of kSide x kSide elements. Each of its rows consists of kPacks packs.
// ANCHOR: pack_tile
template <typename T> struct PackTile {
  static constexpr int kSide = sizeof(T) == 4 ? 64 : 32;
  static constexpr int kPacks = kSide / Pack<T>::kCount;  // 16 of 4 floats, 16 of 2 doubles, 32 of one float4
  static constexpr int kTotal = kSide * kPacks;           // 16, 8 or 16 KiB
  static constexpr int kThreads = kTotal / 2;             // 512, 256 or 512: each moves 2 packs

  // The slot of a pack. 8 packs cover the 32 banks once. On the way in, 8 lanes store 8 neighbouring packs of
  // a row. On the way out, each reads one element; these lie in 8 packs below each other, kCount rows apart.
  static __device__ int slot(int row, int pack) {
    // TODO(you): swizzle whole packs. On the way in and out, the slots of the 8 packs must differ modulo 8.
    return row * kPacks + pack;
  }
};
// ANCHOR_END: pack_tile

// For matrices whose rows and columns are multiples of kCount: each pack is then wholly inside the matrix or
// outside, and begins on a 16-byte boundary. Launch tiles_of(rows, columns, PackTile<T>::kSide) blocks.
// ANCHOR: vector
template <typename T, Order kOrder>
__global__ void transpose_vector(const T* in, T* out, int rows, int columns) {
  using Tile = PackTile<T>;
  constexpr int kCount = Pack<T>::kCount;
  __shared__ Pack<T> tile[Tile::kTotal];
  const Corner corner = corner_of<kOrder>(blockIdx.x, rows, columns, Tile::kSide);

  for (int k = 0; k < Tile::kTotal; k += Tile::kThreads) {
    const int i = threadIdx.x + k, y = i / Tile::kPacks, pack = i % Tile::kPacks;
    const int row = corner.row + y, column = corner.column + pack * kCount;
    if (row >= rows || column >= columns) continue;
    tile[Tile::slot(y, pack)] = load_pack(&in[row * columns + column]);
  }
  __syncthreads();  // the tile is complete before any thread reads what others wrote

  // A pack of out is kCount elements of a column of in. 8 * kCount lanes write 8 of each of kCount columns.
  for (int k = 0; k < Tile::kTotal; k += Tile::kThreads) {
    constexpr int kEights = Tile::kPacks / 8;       // a column of the tile is kEights times 8 packs of out
    const int i = threadIdx.x + k, group = i / (8 * kCount);
    const int pack = group / kEights;               // which kCount columns,
    const int element = i / 8 % kCount;             // which of them,
    const int below = group % kEights * 8 + i % 8;  // and which kCount rows are mine
    const int row = corner.row + below * kCount, column = corner.column + pack * kCount + element;
    if (row >= rows || column >= columns) continue;
    Pack<T> mine;
    for (int r = 0; r < kCount; ++r) mine.at[r] = tile[Tile::slot(below * kCount + r, pack)].at[element];
    *reinterpret_cast<Pack<T>*>(&out[column * rows + row]) = mine;
  }
}

// Any shape. Both arrays begin on a 16-byte boundary, as those of cudaMalloc do.
template <typename T, Order kOrder = Order::down_columns>
void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  if (rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0) {
    const int blocks = tiles_of(rows, columns, PackTile<T>::kSide);
    transpose_vector<T, kOrder><<<blocks, PackTile<T>::kThreads>>>(in, out, rows, columns);
  } else {
    const dim3 block(kTile, kThreadRows);
    transpose_padded<<<tiles_of(rows, columns, kTile), block>>>(in, out, rows, columns);
  }
}
// ANCHOR_END: vector
// SPDX-License-Identifier: MIT
