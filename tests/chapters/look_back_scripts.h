// What the blocks of earlier tiles do while a warp looks back: in which order their states come and change. Every tile
// has no state at first, then its aggregate, then its prefix; but of two tiles either may be first.
#pragma once

#include <string>
#include <vector>

namespace judge {

enum class State : unsigned { empty, aggregate, prefix };  // as TileStatus

struct TileValue {
  State state;
  int value;
};
struct Change {
  int tile;
  State state;
  int value;
};
struct Script {
  std::string name;  // of its changes, after "while"
  std::vector<TileValue> before;
  std::vector<Change> changes;
};

// Whole numbers that are small enough for float, and all different as far as a window goes.
int aggregate_of(int tile);
int prefix_of(int tile);

// Scripts after which whoever looks back from `tile` can come to an end. In the last state some tiles have prefixes only,
// others aggregates only.
std::vector<Script> scripts_before(int tile);

// Turns of the block that looks and of the one that makes changes (InTurns). A change takes about ten instructions.
inline const std::vector<unsigned> kSpeeds[] = {{1, 11}, {2, 13},  {3, 11},  {1, 3},   {5, 11}, {7, 13},
                                                {1, 1},  {11, 7},  {13, 11}, {17, 11}, {3, 59}, {23, 13},
                                                {29, 5}, {37, 11}, {43, 17}, {59, 11}, {59, 1}};

}  // namespace judge
// SPDX-License-Identifier: MIT
