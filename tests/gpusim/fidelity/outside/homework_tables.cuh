// What databases do with columns: filters, joins, groups, dates, bit maps, and packed or repeated numbers.
#pragma once

#include "homework_common.cuh"

namespace outside {

// A flag for each record that three columns pass.
__global__ void filter_flags(const int* dates, const float* discounts, const int* amounts,
                             unsigned char* flags, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const bool is_wanted =
      dates[i] >= 8766 && dates[i] < 9131 && discounts[i] > 0.05f && discounts[i] < 0.07f && amounts[i] < 24;
  flags[i] = is_wanted ? 1 : 0;
}

// Revenue of the records that pass, as the sixth query of a well-known benchmark asks: a sum of 64 bits,
// which only the records that pass read all columns for.
__global__ void query_six(const int* dates, const int* discounts, const int* amounts, const int* prices,
                          unsigned long long* revenue, int count) {
  unsigned long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    if (dates[i] < 8766 || dates[i] >= 9131) continue;
    const int discount = discounts[i];
    if (discount >= 5 && discount <= 7 && amounts[i] < 24) sum += (unsigned long long)(prices[i]) * discount;
  }
  sum = add_down(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(revenue, sum);
}

// A join's second half: counts the partners of each key in the chain of its bucket.
__global__ void probe_chains(const int* heads, const int2* entries, const int* keys, int* partners, int count,
                             int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int key = keys[i];
  int found = 0;
  for (int at = heads[unsigned(key) * 2654435761u >> (32 - bits)]; at >= 0;) {
    const int2 entry = entries[at];
    found += entry.x == key;
    at = entry.y;
  }
  partners[i] = found;
}

// Sums by group: a block has a hash table of its own in shared memory, where keys take places by compare and
// swap, and adds it to the common sums at the end.
__global__ void group_in_shared(const unsigned* keys, const unsigned* values, unsigned* sums, int count) {
  constexpr unsigned kNone = 0xffffffffu;
  __shared__ unsigned table_keys[1024], table_sums[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
    table_keys[k] = kNone;
    table_sums[k] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned key = keys[i];
    unsigned place = key * 2654435761u >> 22;
    while (true) {
      const unsigned old = atomicCAS(table_keys + place, kNone, key);
      if (old == kNone || old == key) break;
      place = (place + 1) & 1023;
    }
    atomicAdd(table_sums + place, values[i]);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    if (table_keys[k] != kNone) atomicAdd(sums + table_keys[k], table_sums[k]);
}

__device__ inline unsigned mixed(unsigned key, unsigned seed) {
  key = (key ^ seed) * 0x85ebca6bu;
  return (key ^ key >> 15) * 0xc2b2ae35u;
}

// May keys be in a set? A Bloom filter of 2^23 bits answers, asked four times or until it says no.
__global__ void probe_bloom(const unsigned* words, const unsigned* keys, unsigned char* answers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  bool may_be = true;
  for (unsigned k = 0; k < 4 && may_be; ++k) {
    const unsigned bit = mixed(keys[i], k * 0x9e3779b9u) >> 9;
    may_be = words[bit / 32] >> bit % 32 & 1;
  }
  answers[i] = may_be ? 1 : 0;
}

// Days since 1970 become years, months and days, by divisions.
__global__ void civil_dates(const int* days, int* dates, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int z = days[i] + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
  const unsigned day_of_era = z - era * 146097;
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned month = (5 * day_of_year + 2) / 153, day = day_of_year - (153 * month + 2) / 5 + 1;
  const int real_month = month < 10 ? month + 3 : month - 9;
  dates[i] = (int(year_of_era) + era * 400 + (real_month <= 2)) * 10000 + real_month * 100 + int(day);
}

// How many records have the first two properties and not the third, by bit maps: a count for each block.
__global__ void count_bitmaps(const uint4* a, const uint4* b, const uint4* c, unsigned* counts) {
  __shared__ unsigned total;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const uint4 u = a[i], v = b[i], w = c[i];
  unsigned own = __popc(u.x & v.x & ~w.x) + __popc(u.y & v.y & ~w.y) + __popc(u.z & v.z & ~w.z) +
                 __popc(u.w & v.w & ~w.w);
  own = add_down(own);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, own);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

// Run lengths decoded: each place searches the ends of the runs for its own.
__global__ void expand_runs(const int* ends, const int* values, int* out, int runs, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int low = 0, high = runs - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (ends[middle] > i) high = middle;
    else low = middle + 1;
  }
  out[i] = values[low];
}

// Numbers of a given width in bits, packed one after another, become words.
__global__ void unpack_bits(const unsigned* words, unsigned* out, int width, unsigned base, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int bit = i * width, word = bit / 32;
  const unsigned long long both = words[word] | (unsigned long long)(words[word + 1]) << 32;
  out[i] = base + (unsigned(both >> bit % 32) & ((1u << width) - 1));
}

inline void filter_flags_row(const char* name, int count) {
  const Filled<int> dates(count, [](std::size_t k) { return 8000 + scrambled(k) % 2500; });
  const Filled<int> amounts(count, [](std::size_t k) { return scrambled(k + 9) % 50; });
  const Filled<float> discounts(count, [](std::size_t k) { return 0.01f * (scrambled(k + 5) % 11); });
  const Filled<unsigned char> flags(count);
  row(name, [&] { filter_flags<<<blocks_over(count, 256), 256>>>(dates, discounts, amounts, flags, count); });
}

inline void query_six_row() {
  constexpr int kCount = 1 << 24;
  const Filled<int> dates(kCount, [](std::size_t k) { return 8000 + k * 2500 / kCount; });
  const Filled<int> discounts(kCount, [](std::size_t k) { return scrambled(k) % 11; });
  const Filled<int> amounts(kCount, [](std::size_t k) { return scrambled(k + 7) % 50; });
  const Filled<int> prices(kCount, [](std::size_t k) { return scrambled(k + 3) % 100000; });
  const Filled<unsigned long long> revenue(1);
  row("query_six", [&] { query_six<<<1056, 256>>>(dates, discounts, amounts, prices, revenue, kCount); });
}

inline void probe_chains_row(const char* name, int bits, int queries) {
  const int entries = 2 << bits;
  std::vector<int> firsts(std::size_t(1) << bits, -1);
  std::vector<int2> chained;
  for (int k = 0; k < entries; ++k) {
    const unsigned key = scrambled(k) % unsigned(entries);
    int& first = firsts[key * 2654435761u >> (32 - bits)];
    chained.push_back(make_int2(int(key), first));
    first = k;
  }
  const Filled<int> heads(firsts.size(), values_of(firsts)), partners(queries);
  const Filled<int2> device_entries(entries, values_of(chained));
  const Filled<int> keys(queries, [&](std::size_t k) { return scrambled(k + 1000) % unsigned(2 * entries); });
  row(name, [&] {
    probe_chains<<<blocks_over(queries, 128), 128>>>(heads, device_entries, keys, partners, queries, bits);
  });
}

inline void table_rows() {
  filter_flags_row("filter_flags 2^18", 1 << 18);
  filter_flags_row("filter_flags 2^24", 1 << 24);
  query_six_row();
  probe_chains_row("probe_chains 2^13", 13, 1 << 17);
  probe_chains_row("probe_chains 2^19", 19, 1 << 20);
  constexpr int kCount = 1 << 22;
  const Filled<unsigned> noise(kCount, scrambled), result(kCount);
  {
    const Filled<unsigned> keys(kCount, [](std::size_t k) { return scrambled(scrambled(k) % 300) % 4096; });
    row("group_in_shared", [&] { group_in_shared<<<528, 256>>>(keys, noise, result, kCount); });
  }
  {
    const auto word = [](std::size_t k) { return scrambled(k) | scrambled(k + 1); };
    const Filled<unsigned> words(1 << 18, word);
    const Filled<unsigned char> answers(kCount);
    row("probe_bloom", [&] { probe_bloom<<<kCount / 256, 256>>>(words, noise, answers, kCount); });
  }
  {
    const Filled<int> days(kCount / 4, [](std::size_t k) { return scrambled(k) % 30000; }), dates(kCount / 4);
    row("civil_dates", [&] { civil_dates<<<kCount / 4 / 256, 256>>>(days, dates, kCount / 4); });
  }
  {
    const uint4* const maps = noise.as<uint4>();
    row("count_bitmaps", [&] { count_bitmaps<<<256, 256>>>(maps, maps + 65536, maps + 2 * 65536, result); });
  }
  {
    constexpr int kRuns = kCount / 16;
    const Filled<int> ends(kRuns, [](std::size_t k) { return 16 * k + 16 - scrambled(k) % 15; });
    row("expand_runs",
        [&] { expand_runs<<<kCount / 256, 256>>>(ends, noise.as<int>(), result.as<int>(), kRuns, kCount); });
  }
  {
    const Filled<unsigned> out(2 * kCount);
    row("unpack_bits", [&] { unpack_bits<<<2 * kCount / 256, 256>>>(noise, out, 11, 1000, 2 * kCount); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
