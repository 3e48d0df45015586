// expect: block: rank 65 of 96 in (2, 1), index (1, 2, 0)
// expect: tiles of 8: rank 5, size 8, tile 8 of 12
// expect: tile of a tile: rank 1, size 4, part 1 of 2; as any tile part 1 of 2
// expect: shfl 11 up 10 down 14 xor 9
// expect: any 1 all 0 ballot 0x21 match_any 0xaa match_all 0xff 1
// expect: struct 10.5 10 1
// expect: vectors 9 -9 90 900, 0.5 9
// expect: dynamic: block 96, tile 16 rank 13, part of it 4 rank 1, last tile 8
// expect: sums 28 120 496
// expect: one thread: 1 0
// expect: invoked 12 times, broadcast 8
// options: -std=c++17
//
// cooperative_groups.h: blocks, and tiles whose size the compiler or only the program knows.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct Three {
  double a;
  int b;
  char c;
};

struct Pair {
  float2 vector;
};

__device__ int invoked;

__device__ int sum(cg::thread_group group, int* memory, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned i = group.size() / 2; i > 0; i /= 2) {
    memory[rank] = value;
    group.sync();
    if (rank < i) value += memory[rank + i];
    group.sync();
  }
  return value;
}

__global__ void blocks_and_tiles() {
  __shared__ int memory[96];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const auto part = cg::tiled_partition<4>(tile);
  const cg::thread_block_tile<4> any_part = part;
  const int rank = block.thread_rank();
  const bool prints = rank == 69;  // lane 5 of warp 2

  if (rank == 65)
    printf("block: rank %u of %u in (%u, %u), index (%u, %u, %u)\n", block.thread_rank(), block.size(), block.group_dim().x,
           block.group_dim().z, block.thread_index().x, block.group_index().x + 2, block.thread_index().z);
  block.sync();
  if (prints)
    printf("tiles of 8: rank %u, size %u, tile %u of %u\n", tile.thread_rank(), tile.size(), tile.meta_group_rank(),
           tile.meta_group_size());
  block.sync();
  if (prints)
    printf("tile of a tile: rank %u, size %u, part %u of %u; as any tile part %u of %u\n", part.thread_rank(), part.num_threads(),
           part.meta_group_rank(), part.meta_group_size(), any_part.meta_group_rank(), any_part.meta_group_size());
  block.sync();

  const int value = 8 + int(tile.thread_rank()), shfl = tile.shfl(value, 3), up = tile.shfl_up(value, 3), down = tile.shfl_down(value, 1);
  const int other = tile.shfl_xor(value, 4);
  if (prints) printf("shfl %d up %d down %d xor %d\n", shfl, up, down, other);
  const unsigned at = tile.thread_rank();
  int equal;
  const int any = tile.any(at == 1), all = tile.all(at != 1);
  const unsigned ballot = tile.ballot(at % 5 == 0), same = tile.match_any(at % 2), match = tile.match_all(7, equal);
  if (prints) printf("any %d all %d ballot %#x match_any %#x match_all %#x %d\n", any, all, ballot, same, match, equal);
  const Three three = tile.shfl(Three{value + 0.5, value, char('a' + at)}, 2);
  if (prints) printf("struct %g %d %d\n", three.a, three.b, three.c == char('a' + 2));
  const int4 four = tile.shfl_xor(make_int4(value, -value, 10 * value, 100 * value), 4);
  const Pair pair = tile.shfl_up(Pair{{0.5f, float(value)}}, 4);
  if (prints) printf("vectors %d %d %d %d, %g %g\n", four.x, four.y, four.z, four.w, pair.vector.x, pair.vector.y);
  block.sync();

  const cg::thread_group group = block, tile16 = cg::tiled_partition(group, 16), tile4 = cg::tiled_partition(tile16, 4);
  const unsigned long long last = cg::tiled_partition(block, 16).size();
  if (rank == 93)
    printf("dynamic: block %llu, tile %llu rank %llu, part of it %llu rank %llu, last tile %llu\n", group.size(), tile16.size(),
           tile16.thread_rank(), tile4.size(), tile4.thread_rank(), last - 8);
  block.sync();
  const auto of8 = cg::tiled_partition(block, 8), of16 = cg::tiled_partition(block, 16), of32 = cg::tiled_partition(block, 32);
  const int s8 = sum(of8, memory + rank / 8 * 8, int(of8.thread_rank()));
  block.sync();
  const int s16 = sum(of16, memory + rank / 16 * 16, int(of16.thread_rank()));
  block.sync();
  const int s32 = sum(of32, memory + rank / 32 * 32, int(of32.thread_rank()));
  if (rank == 64) printf("sums %d %d %d\n", s8, s16, s32);
  if (rank == 64) printf("one thread: %u %u\n", cg::this_thread().size(), cg::this_thread().thread_rank());
  cg::invoke_one(tile, [](int by) { atomicAdd(&invoked, by); }, 1);
  block.sync();
  const int first = cg::invoke_one_broadcast(tile, [=] { return value; });
  if (prints) printf("invoked %d times, broadcast %d\n", *(volatile int*)&invoked, first);
}

int main() {
  blocks_and_tiles<<<1, dim3(2, 48, 1)>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
