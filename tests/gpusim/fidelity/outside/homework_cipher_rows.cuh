// The launches of homework_ciphers.cuh.
#pragma once

#include "homework_ciphers.cuh"

namespace outside {

// AES's substitutions, from the inverses in its field, mixed with 2, 1, 1 and 3.
inline std::vector<unsigned> aes_table() {
  std::vector<unsigned> table(256);
  unsigned p = 1, q = 1;
  const auto put = [&](unsigned place, unsigned s) {
    const unsigned twice = (s << 1 ^ (s & 128 ? 0x11bu : 0u)) & 255;
    table[place] = twice << 24 | s << 16 | s << 8 | (twice ^ s);
  };
  put(0, 0x63);
  do {
    p = (p ^ p << 1 ^ (p & 128 ? 0x11bu : 0u)) & 255;
    q ^= q << 1;
    q ^= q << 2;
    q = (q ^ q << 4) & 255;
    if (q & 128) q ^= 9;
    const unsigned twice = q | q << 8;
    put(p, ((twice ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4) & 255) ^ 0x63);
  } while (p != 1);
  return table;
}

inline void sha256_row(const char* name, int count) {
  const Filled<unsigned> messages(std::size_t(16) * count, scrambled), digests(std::size_t(8) * count);
  row(name, [&] { sha256_of_blocks<<<blocks_over(count, 128), 128>>>(messages, digests, count); });
}

inline void cipher_rows() {
  sha256_row("sha256_of_blocks 2^14", 1 << 14);
  sha256_row("sha256_of_blocks 2^19", 1 << 19);
  {
    constexpr int kBlocks = 1 << 20;
    const std::vector<unsigned> host_table = aes_table();
    const Filled<unsigned> table(256, values_of(host_table)), round_keys(44, scrambled);
    const Filled<unsigned> in(4 * kBlocks, scrambled), out(4 * kBlocks);
    row("aes_encrypt", [&] {
      aes_encrypt<<<kBlocks / 256, 256>>>(in.as<uint4>(), out.as<uint4>(), table, round_keys, kBlocks);
    });
  }
  {
    constexpr int kBlocks = 1 << 20;
    const Filled<unsigned> in(16 * kBlocks, scrambled), out(16 * kBlocks);
    const uint4 low = make_uint4(1u, 2u, 3u, 4u), high = make_uint4(5u, 6u, 7u, 8u);
    row("chacha20",
        [&] { chacha20<<<kBlocks / 256, 256>>>(in.as<uint4>(), out.as<uint4>(), low, high, kBlocks); });
  }
  {
    constexpr int kStates = 1 << 17;
    const auto word = [](std::size_t k) {
      return (unsigned long long)(scrambled(k)) << 32 | scrambled(k + 1);
    };
    const Filled<unsigned long long> in(25 * kStates, word), out(25 * kStates);
    row("keccak_permute", [&] { keccak_permute<<<kStates / 128, 128>>>(in, out, kStates); });
  }
  {
    constexpr int kCount = 1 << 17;
    const Filled<unsigned> bases(kCount, scrambled), out(kCount);
    const Filled<unsigned> exponents(kCount,
                                     [](std::size_t k) { return scrambled(k + 5) >> scrambled(k) % 24; });
    row("mod_powers", [&] { mod_powers<<<kCount / 256, 256>>>(bases, exponents, out, 4294967291u, kCount); });
  }
  {
    constexpr int kCount = 1 << 18;
    const Filled<unsigned> a(8 * kCount, scrambled), out(16 * kCount);
    const Filled<unsigned> b(8 * kCount, [](std::size_t k) { return scrambled(k + 99); });
    row("multiply_256", [&] { multiply_256<<<kCount / 128, 128>>>(a, b, out, kCount); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
