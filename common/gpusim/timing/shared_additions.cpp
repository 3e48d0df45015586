#include "timing/shared_additions.h"

#include "counting/banks.h"

namespace gpusim::timing {

bool SwappedWords::swap(Addition& addition, double at) {
  u32 banks = 0;  // that swap a word
  std::erase_if(addition.left, [&](Touched& word) {
    const u32 bank = 1u << (word.line / kBankBytes % kBanks);
    double& last = swapped_[word.line];
    if (last > addition.read || (banks & bank)) return false;
    banks |= bank;
    last = at;
    return --word.words == 0;
  });
  return addition.left.empty();
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
