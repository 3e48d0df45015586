// Chapter 14's all-reduces as the judge runs them: several in a row, on arrays that change in between, and nobody waits for
// anything but by the GPUs' streams.
#pragma once

#include <kernels.cuh>

#include <algorithm>
#include <string>
#include <vector>

#include "all_reduce_checks.h"
#include "gpus.cuh"
#include "harness/inputs.h"
#include "judge.h"
#include "simulated.h"
#include "sum_checks.h"
#include "time_limit.h"

namespace judge {

struct Way {
  const char* name;
  void (*kernel)(Team, int, unsigned);
};

// After all that this GPU has done: brings new data for the next all-reduce. `data` and `from` are aligned for fours.
static __global__ void bring(float* data, int n, float scale, const float* from) {
  const int threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = me; k < n / 4; k += threads) {
    const float4 four = reinterpret_cast<const float4*>(from)[k];
    reinterpret_cast<float4*>(data)[k] =
        make_float4(scale * four.x, scale * four.y, scale * four.z, scale * four.w);
  }
  if (me < n % 4) data[n / 4 * 4 + me] = scale * from[n / 4 * 4 + me];
}
// Keeps the sums, and overwrites them where they were, as this GPU's next kernel may.
static __global__ void take_away(float* kept, float* out, int n) {
  const int threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const float unwritten = __uint_as_float(kUnwritten);
  for (int k = me; k < n / 4; k += threads) {
    reinterpret_cast<float4*>(kept)[k] = reinterpret_cast<float4*>(out)[k];
    reinterpret_cast<float4*>(out)[k] = make_float4(unwritten, unwritten, unwritten, unwritten);
  }
  if (me < n % 4) {
    kept[n / 4 * 4 + me] = out[n / 4 * 4 + me];
    out[n / 4 * 4 + me] = unwritten;
  }
}

inline void check_gpus(const Gpus& gpus, const std::string& what) {
  for (int g = 0; g < gpus.count(); ++g) {
    cudaSetDevice(g);
    check_launch(what + ", GPU " + std::to_string(g));
  }
  cudaSetDevice(0);
}

struct Setting {
  int gpus, n;
  unsigned count = 0;       // that all flags hold, and with which launches begin
  int begin = 0;            // arrays are part of larger ones, from this element on: a multiple of 4
  bool is_exact = true;     // sums are whole numbers: no order of additions makes a difference
  bool last_first = false;  // the last GPU is the first to be given its kernels
  std::string note = {};    // what is special, for messages: "counts that pass 2^32"
};

class AllReduces {
 public:
  explicit AllReduces(const Setting& setting)
      : setting_(setting),
        gpus_((gpus_for(setting.gpus), setting.gpus),
              setting.begin ? setting.n + 2 * setting.begin : setting.n),
        count_(setting.count) {
    const std::size_t bytes = std::max(gpus_.n(), 4) * sizeof(float);
    source_.resize(setting.gpus);
    if (count_) gpus_.begin_counting_at(count_);
    gpus_.each([&](int g) {
      inputs_.push_back(input_of(g));
      cudaMalloc(&source_[g], bytes);
      cudaMemcpy(source_[g], inputs_[g].data(), setting.n * sizeof(float), cudaMemcpyHostToDevice);
      cudaMemset(gpus_.data(g), 0xff, bytes);
      cudaMemset(gpus_.out(g), 0xff, bytes);
      cudaDeviceSynchronize();
    });
  }
  ~AllReduces() {
    for (float* source : source_) cudaFree(source);
    for (const Run& run : runs_)
      for (float* kept : run.kept) cudaFree(kept);
  }
  AllReduces(const AllReduces&) = delete;
  AllReduces& operator=(const AllReduces&) = delete;

  // Gives all GPUs new data, the kernel, and what takes the sums away: that and the former in `helpers` blocks.
  void run(const Way& way, int blocks, int helpers = 2) {
    Run run = {way, blocks, float(runs_.size() + 1), std::vector<float*>(setting_.gpus)};
    const int threads = helpers == 2 ? 64 : kThreads;
    check_time(title(run));
    each_gpu([&](int g) {
      cudaMalloc(&run.kept[g], std::max(setting_.n, 1) * sizeof(float));
      bring<<<helpers, threads, 0, gpus_.stream(g)>>>(data(g), setting_.n, run.scale, source_[g]);
    });
    if (!kMeetInKernel) gpus_.wait();
    each_gpu([&](int g) { launch(g, way, blocks); });
    if (!kMeetInKernel) gpus_.wait();
    each_gpu(
        [&](int g) { take_away<<<helpers, threads, 0, gpus_.stream(g)>>>(run.kept[g], out(g), setting_.n); });
    count_ += kCounts;
    runs_.push_back(std::move(run));
  }
  // As if so many counts had been used up by launches in which the blocks of these ones had no part.
  void skip(unsigned counts) { count_ += counts; }

  // One GPU after another gets its kernel. None may end before the last has begun, however often it looks.
  void run_one_after_another(const Way& way, int blocks, int most_looks);

  // Whether anything has been found so far, which is forgotten.
  bool has_finding() {
    bool has_failed = false;
    for (int g = 0; g < setting_.gpus; ++g) {
      cudaSetDevice(g);
      has_failed |= cudaDeviceSynchronize() != cudaSuccess;
    }
    cudaSetDevice(0);
    return !take_findings().empty() || has_failed;
  }
  // Whether the last sums are right in `count` elements from each of these on.
  bool are_last_right(const std::vector<int>& begins, int count) const {
    const Run& last = runs_.back();
    for (const float* kept : last.kept)
      for (const int begin : begins) {
        const std::vector<float> sums = copied(kept + begin, count);
        for (int k = 0; k < count; ++k) {
          float expected = 0;
          for (const std::vector<float>& input : inputs_) expected += last.scale * input[begin + k];
          if (sums[k] != expected) return false;
        }
      }
    return true;
  }

  void check() {
    check_gpus(gpus_, title(runs_.back()));
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      Reduced reduced = {title(runs_[k]) + (k ? ", all-reduce " + std::to_string(k + 1) + " of a row" : ""),
                         inputs_,
                         runs_[k].scale,
                         {}};
      for (const float* kept : runs_[k].kept) reduced.results.push_back(copied(kept, setting_.n));
      check_reduced(reduced, setting_.is_exact);
    }
    for (int g = 0; g < setting_.gpus; ++g) check_rest(g);
  }

 private:
  struct Run {
    Way way;
    int blocks;
    float scale;
    std::vector<float*> kept;  // of each GPU
  };

  std::string title(const Run& run) const {
    return std::string(run.way.name) + ", n = " + std::to_string(setting_.n) + ", " +
           std::to_string(setting_.gpus) + (setting_.gpus == 1 ? " GPU, " : " GPUs, ") +
           std::to_string(run.blocks) + (run.blocks == 1 ? " block" : " blocks") +
           (setting_.note.empty() ? "" : ", " + setting_.note);
  }
  std::vector<float> input_of(int gpu) const {
    std::vector<float> input = harness::small_integers(setting_.n, 7 * gpu + setting_.n + 1);
    if (setting_.is_exact) return input;
    const std::vector<float> rough = harness::uniform_floats(setting_.n, 7 * gpu + setting_.n + 1);
    for (int i = 0; i < setting_.n; ++i) input[i] *= rough[i];
    return input;
  }
  template <typename Each> void each_gpu(Each each) {
    for (int k = 0; k < setting_.gpus; ++k) {
      const int g = setting_.last_first ? setting_.gpus - 1 - k : k;
      cudaSetDevice(g);
      each(g);
    }
    cudaSetDevice(0);
  }
  void launch(int gpu, const Way& way, int blocks) {
    way.kernel<<<blocks, kThreads, 0, gpus_.stream(gpu)>>>(gpus_.team(gpu, setting_.begin), setting_.n,
                                                           count_);
  }
  float* data(int gpu) const { return gpus_.data(gpu) + setting_.begin; }
  float* out(int gpu) const { return gpus_.out(gpu) + setting_.begin; }
  static std::vector<float> copied(const float* from, int n) {
    std::vector<float> values(n);
    cudaMemcpy(values.data(), from, n * sizeof(float), cudaMemcpyDefault);
    return values;
  }
  // What a GPU has brought is as it was, and nothing lies around the arrays but what was there.
  void check_rest(int gpu) const {
    const Run& last = runs_.back();
    const std::string what = title(last) + ": GPU " + std::to_string(gpu) + "'s ";
    const std::vector<float> data = copied(gpus_.data(gpu), gpus_.n()),
                             out = copied(gpus_.out(gpu), gpus_.n());
    for (int k = 0; k < gpus_.n(); ++k) {
      const int i = k - setting_.begin;
      const bool is_inside = i >= 0 && i < setting_.n;
      if (is_inside && data[k] != last.scale * inputs_[gpu][i])
        report(Kind::wrong_result, what + "data[" + std::to_string(i) + "] has changed: it is input only");
      if ((!is_inside && !is_unwritten(data[k])) || !is_unwritten(out[k]))
        report(Kind::wrong_result, what + (is_inside || is_unwritten(data[k]) ? "out[" : "data[") +
                                       std::to_string(i) + "] is written, which is " +
                                       (is_inside ? "done when the kernel has ended" : "outside the array"));
    }
  }

  Setting setting_;
  Gpus gpus_;
  unsigned count_;
  std::vector<std::vector<float>> inputs_;
  std::vector<float*> source_;
  std::vector<Run> runs_;
};

// On a real GPU looks take time of their own; there is no way to count them.
inline void AllReduces::run_one_after_another(const Way& way, int blocks, int most_looks) {
  constexpr int kLooks = 64;  // that a kernel of a simulated GPU makes for each call of the host, at least
  Run run = {way, blocks, float(runs_.size() + 1), std::vector<float*>(setting_.gpus)};
  int last = -1;
  each_gpu([&](int g) {
    cudaMalloc(&run.kept[g], std::max(setting_.n, 1) * sizeof(float));
    if (last >= 0)
      for (int looks = 0; looks < most_looks; looks += kLooks)
        if (cudaStreamQuery(gpus_.stream(last)) != cudaErrorNotReady) {
          check_launch(title(run) + ", GPU " + std::to_string(last));
          report(Kind::wrong_result, title(run) + ": GPU " + std::to_string(last) + " has ended before GPU " +
                                         std::to_string(g) +
                                         " has begun: a wait ends only when the flag has come far enough");
        }
    bring<<<2, 64, 0, gpus_.stream(g)>>>(data(g), setting_.n, run.scale, source_[g]);
    launch(g, way, blocks);
    take_away<<<2, 64, 0, gpus_.stream(g)>>>(run.kept[g], out(g), setting_.n);
    last = g;
  });
  count_ += kCounts;
  runs_.push_back(std::move(run));
}

}  // namespace judge
// SPDX-License-Identifier: MIT
