// cuRAND's functions for the host: arrays of random numbers, in the order in which NVIDIA's generators write
// them.
//
// XORWOW and MRG32k3a consist of many generators, the subsequences 0, 1, … of one seed, which take turns.
// Each turn gives one number, or two normal ones. Philox computes the n-th number from n.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/sizes.h"
#include "curand.h"
#include "execution/events.h"
#include "execution/random_streams.h"
#include "runtime/errors.h"
#include "runtime/process.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::libraries;

struct curandGenerator_st {
  curandRngType_t type;
  bool on_host;
  u64 seed = 0, position = 0;
  u64 start = 0;  // the position when the seed or the offset was set
  // The subsequences that have had a turn since then.
  std::vector<Xorwow> xorwows = {};
  std::vector<Mrg32k3a> mrgs = {};

  void restart(u64 at) {
    position = start = at;
    xorwows.clear();
    mrgs.clear();
  }
};

namespace {

constexpr u64 kXorwows = 4096, kMrgs = 81920, kPhilox = 65536;

// How many turns subsequence `index` of `count` has had when the generator is at a position.
u64 turns(u64 position, u64 index, u64 count) { return position / count + (index < position % count); }

// The subsequence whose turn it is.
template <class Stream> Stream& next_stream(curandGenerator_st& g, std::vector<Stream>& streams, u64 count) {
  const u64 index = g.position++ % count;
  while (streams.size() <= index)
    streams.emplace_back(g.seed, streams.size(), turns(g.start, streams.size(), count));
  return streams[index];
}

u32 philox_number(const curandGenerator_st& g, u64 n) {
  const u64 group = n / 4;
  return philox(g.seed, group % kPhilox, group / kPhilox)[n % 4];
}

// The words from which the n-th double is made: all four, or two of them. A subsequence gives four doubles at
// a time, from two blocks of words.
std::array<u32, 4> philox_block(const curandGenerator_st& g, u64 n) {
  const u64 group = n / 4;
  return philox(g.seed, group % kPhilox, group / kPhilox * 2 + n % 4 / 2);
}

double uniform(u32 x, u32 y) { return double(x ^ u64(y) << 21) * 0x1p-53 + 0x1p-54; }
float uniform(u32 x) { return float(x) * 0x1p-32f + 0x1p-33f; }
constexpr double kMrgUnit = 2.3283065498378288e-10;
constexpr float kTwoPi = 6.2831855f;

struct Bits {
  u32 operator()(Xorwow& s) const { return s.next(); }
  u32 operator()(Mrg32k3a& s) const { return u32(s.next() * 1.000000048662); }
  u32 operator()(const curandGenerator_st& g, u64 n) const { return philox_number(g, n); }
};
struct UniformFloat {
  float operator()(Xorwow& s) const { return uniform(s.next()); }
  float operator()(Mrg32k3a& s) const { return float(s.next() * kMrgUnit); }
  float operator()(const curandGenerator_st& g, u64 n) const { return uniform(philox_number(g, n)); }
};
struct UniformDouble {
  double operator()(Xorwow& s) const {
    const u32 x = s.next(), y = s.next();
    return uniform(x, y);
  }
  double operator()(Mrg32k3a& s) const { return s.next() * kMrgUnit; }
  double operator()(const curandGenerator_st& g, u64 n) const {
    const auto block = philox_block(g, n);
    return uniform(block[n % 2 * 2], block[n % 2 * 2 + 1]);
  }
};

// Normal numbers, two for each turn (Box and Muller).
template <class T> struct Pair {
  T first, second;
};
Pair<float> normal(float u, float angle) {
  const float radius = std::sqrt(-2.0f * std::log(u));
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
Pair<double> normal(double u, double turns) {
  const double radius = std::sqrt(-2.0 * std::log(u)), angle = turns * M_PI;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
float angle_of(u32 y) { return float(y) * (0x1p-32f * kTwoPi) + 0x1p-33f * kTwoPi; }
double turns_of(u32 z, u32 w) { return double(z ^ u64(w) << 21) * 0x1p-52 + 0x1p-53; }

struct NormalFloat {
  Pair<float> operator()(Xorwow& s) const {
    const u32 x = s.next(), y = s.next();
    return normal(uniform(x), angle_of(y));
  }
  Pair<float> operator()(Mrg32k3a& s) const {
    const float x = float(s.next() * kMrgUnit), y = float(s.next() * kMrgUnit);
    return normal(x, y * kTwoPi);
  }
  Pair<float> operator()(const curandGenerator_st& g, u64 n) const {
    return normal(uniform(philox_number(g, n)), angle_of(philox_number(g, n + 1)));
  }
};
struct NormalDouble {
  Pair<double> operator()(Xorwow& s) const {
    const u32 x = s.next(), y = s.next(), z = s.next(), w = s.next();
    return normal(uniform(x, y), turns_of(z, w));
  }
  Pair<double> operator()(Mrg32k3a& s) const {
    const double x = s.next() * kMrgUnit, y = s.next() * kMrgUnit;
    return normal(x, y * 2);
  }
  Pair<double> operator()(const curandGenerator_st& g, u64 n) const {
    const auto block = philox_block(g, n);
    return normal(uniform(block[0], block[1]), turns_of(block[2], block[3]));
  }
};

// The host address of the output. If it is not valid, prints why and returns null.
void* destination(const curandGenerator_st& g, void* out, std::size_t bytes) {
  if (g.on_host) return out;
  if (u8* found = runtime::device().memory.resolve(reinterpret_cast<u64>(out), bytes)) return found;
  runtime::library_faulted(FaultCode::illegal_address,
                           "cuRAND was to write " + size_text(bytes) +
                               " bytes of random numbers, which are not all in device memory");
  return nullptr;
}

// One turn of the generator. Philox advances by `step` numbers.
template <class Draw> auto turn(curandGenerator_st& g, const Draw& draw, u64 step) {
  switch (g.type) {
    case CURAND_RNG_PSEUDO_MRG32K3A: return draw(next_stream(g, g.mrgs, kMrgs));
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: {
      const u64 n = g.position;
      g.position += step;
      return draw(g, n);
    }
    default: return draw(next_stream(g, g.xorwows, kXorwows));
  }
}

// What all generating functions share. `fill` writes `count` numbers.
template <class T, class Fill>
curandStatus_t generate(curandGenerator_t generator, T* out, std::size_t count, Fill fill) {
  const DeviceLock lock;
  if (!runtime::current().random_generators.count(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->on_host) runtime::finish(runtime::current());
  if (!generator->on_host && runtime::synchronise() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  T* const to = static_cast<T*>(destination(*generator, out, times(count, sizeof(T))));
  if (!to) return CURAND_STATUS_LAUNCH_FAILURE;
  fill(*generator, to);
  if (!generator->on_host)
    for (Observer* observer : runtime::device().observers)
      observer->host_wrote(reinterpret_cast<u64>(out), count * sizeof(T));
  return CURAND_STATUS_SUCCESS;
}

template <class T, class Draw> curandStatus_t singles(curandGenerator_t generator, T* out, std::size_t count,
                                                      Draw draw) {
  return generate(generator, out, count, [&](curandGenerator_st& g, T* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] = turn(g, draw, 1);
  });
}

// Writes normal numbers in pairs, after a change of each. NVIDIA's generators refuse an odd count, except
// Philox.
template <class T, class Draw, class Change>
curandStatus_t pairs(curandGenerator_t generator, T* out, std::size_t count, Draw draw, Change change) {
  {
    const DeviceLock lock;
    if (runtime::current().random_generators.count(generator) && count % 2 &&
        generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
      return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  }
  return generate(generator, out, count, [&](curandGenerator_st& g, T* to) {
    for (std::size_t i = 0; i < count; i += 2) {
      const Pair<T> two = turn(g, draw, std::min<u64>(2, count - i));
      to[i] = change(two.first);
      if (i + 1 < count) to[i + 1] = change(two.second);
    }
  });
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  const DeviceLock lock;
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT: type = CURAND_RNG_PSEUDO_XORWOW; break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: break;
    default:
      runtime::tell("of cuRAND's generators, XORWOW, MRG32K3A and PHILOX4_32_10 are simulated: number " +
                    std::to_string(type) + " is not");
      return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = *runtime::current().random_generators.insert(new curandGenerator_st{type, on_host}).first;
  return CURAND_STATUS_SUCCESS;
}

template <class Setting> curandStatus_t with_generator(curandGenerator_t generator, Setting setting) {
  const DeviceLock lock;
  if (!runtime::current().random_generators.count(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return setting(*generator);
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  const DeviceLock lock;
  if (runtime::current().random_generators.erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (type > PATCH_LEVEL || !value) return CURAND_STATUS_OUT_OF_RANGE;
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
  return with_generator(generator, [](curandGenerator_st&) { return CURAND_STATUS_SUCCESS; });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return with_generator(generator, [](curandGenerator_st&) { return CURAND_STATUS_SUCCESS; });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return with_generator(generator, [=](curandGenerator_st& g) {
    g.seed = seed;
    g.restart(0);
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return with_generator(generator, [=](curandGenerator_st& g) {
    g.restart(offset);
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
  return with_generator(generator, [=](curandGenerator_st&) {
    const bool known = ordering == CURAND_ORDERING_PSEUDO_BEST ||
                       ordering == CURAND_ORDERING_PSEUDO_DEFAULT ||
                       ordering == CURAND_ORDERING_PSEUDO_LEGACY;
    return known ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
  });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, size_t count) {
  return singles(generator, out, count, Bits());
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t count) {
  return singles(generator, out, count, UniformFloat());
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t count) {
  return singles(generator, out, count, UniformDouble());
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t count, float mean,
                                    float deviation) {
  return pairs(generator, out, count, NormalFloat(), [=](float x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t count, double mean,
                                          double deviation) {
  return pairs(generator, out, count, NormalDouble(), [=](double x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t count, float mean,
                                       float deviation) {
  return pairs(generator, out, count, NormalFloat(), [=](float x) { return std::exp(mean + deviation * x); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t count,
                                             double mean, double deviation) {
  return pairs(generator, out, count, NormalDouble(),
               [=](double x) { return std::exp(mean + deviation * x); });
}

}  // extern "C"
// SPDX-License-Identifier: MIT
