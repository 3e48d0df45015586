// The launches of homework_letters.cuh.
#pragma once

#include "homework_letters.cuh"

namespace outside {

inline unsigned char base_at(std::size_t k) { return static_cast<unsigned char>("ACTG"[scrambled(k) % 4]); }

inline void alignment_rows() {
  {
    constexpr int kSide = 2049;
    const auto like = [](std::size_t k) { return int(scrambled(k) % 15) - 5; };
    const Filled<int> likeness(kSide * kSide, like);
    const Filled<int> table(kSide * kSide, [](std::size_t k) { return -int(k / kSide + k % kSide) * 10; });
    row("needleman_wunsch", [&] { needleman_wunsch<<<128, 16>>>(likeness, table, kSide, 127, 10); });
  }
  {
    constexpr int kSubjects = 528, kLength = 384;
    const Filled<unsigned char> query(128, base_at), subjects(kSubjects * kLength, base_at);
    const Filled<int> out(kSubjects);
    row("smith_waterman", [&] { smith_waterman<<<kSubjects, 128>>>(query, subjects, out, kLength); });
  }
  {
    constexpr int kTexts = 1 << 17, kLength = 100;
    const Filled<unsigned char> texts(kTexts * kLength, [](std::size_t k) { return scrambled(k) % 4; });
    const Filled<int> out(kTexts);
    LetterMasks masks = {0, 0, 0, 0};
    unsigned long long* const of_letter[4] = {&masks.a, &masks.c, &masks.g, &masks.t};
    for (int k = 0; k < 64; ++k) *of_letter[scrambled(k + 5) % 4] |= 1ull << k;
    row("bit_parallel_distances",
        [&] { bit_parallel_distances<<<kTexts / 128, 128>>>(texts, masks, out, kTexts, kLength); });
  }
}

inline void letter_rows() {
  alignment_rows();
  const Filled<unsigned char> bases(1 << 24, base_at);
  {
    const Filled<unsigned> counts(4096);
    row("count_kmers", [&] { count_kmers<<<264, 512>>>(bases, counts, 1 << 24); });
  }
  {
    const Filled<char> out(1 << 20);
    row("reverse_complement",
        [&] { reverse_complement<<<(1 << 20) / 256, 256>>>(bases.as<char>(), out, 1 << 20); });
  }
  {
    const Filled<unsigned char> table(128 * 128, [](std::size_t k) { return scrambled(k) % 128; });
    const Filled<int> found(1 << 17);
    row("run_automaton", [&] { run_automaton<<<(1 << 17) / 256, 256>>>(bases, table, found, 1 << 17); });
  }
  {
    constexpr int kStrings = 1 << 19;
    std::vector<int> starts(1, 0);
    for (int k = 0; k < kStrings; ++k) starts.push_back(starts.back() + 1 + int(scrambled(k) % 16));
    const Filled<int> begin(starts.size(), values_of(starts));
    const Filled<unsigned> words(starts.back(), scrambled), out(kStrings);
    row("murmur_strings", [&] { murmur_strings<<<kStrings / 256, 256>>>(words, begin, out, kStrings); });
  }
  {
    constexpr int kSequences = 528, kLength = 64;
    const Filled<float> transitions(64 * 64, fraction), emissions(16 * 64, fraction), out(kSequences);
    const Filled<unsigned char> seen(kSequences * kLength, [](std::size_t k) { return scrambled(k) % 16; });
    row("hmm_forward", [&] { hmm_forward<<<kSequences, 64>>>(transitions, emissions, seen, out, kLength); });
  }
  {
    constexpr int kCount = 1 << 18;
    const auto letter = [](std::size_t k) {
      return 'a' + scrambled(scrambled(k / 12) % 64 * 12 + k % 12) % 8;
    };
    const Filled<unsigned char> text(kCount, letter);
    const Filled<unsigned> out(kCount);
    row("longest_match", [&] { longest_match<<<kCount / 128, 128>>>(text, out, kCount); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
