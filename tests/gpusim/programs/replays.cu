// expect: a copy: 3 of 5 launches replayed
// expect: output filled in between: 3 of 5 launches replayed
// expect: output reset, and added to: 3 of 5 launches replayed
// expect: in place, on an array that is filled anew: 3 of 5 launches replayed
// expect: one kernel after another: 6 of 10 launches replayed
// expect: a graph: 6 of 10 launches replayed
// expect: managed memory that nobody changes: 3 of 5 launches replayed
// expect: the last block adds up: 3 of 5 launches replayed
// expect: constant memory that stays: 3 of 5 launches replayed
// expect: an input is shorter than a page: 3 of 5 launches replayed
// expect: input and output beside each other: 3 of 5 launches replayed
// expect: in place: 0 of 5 launches replayed
// expect: atomics on what they read: 0 of 5 launches replayed
// expect: the input is copied anew: 0 of 5 launches replayed
// expect: one byte of the input is filled: 0 of 5 launches replayed
// expect: another kernel writes the input: 0 of 10 launches replayed
// expect: the host writes managed memory: 0 of 5 launches replayed
// expect: constant memory changes: 0 of 5 launches replayed
// expect: a variable of the device changes: 0 of 5 launches replayed
// expect: the input moves: 0 of 5 launches replayed
// expect: another argument: 0 of 5 launches replayed
// expect: another grid: 0 of 5 launches replayed
// expect: a clock: 0 of 5 launches replayed
// expect: text is printed: 0 of 5 launches replayed
// expect: memory of the kernel: 0 of 5 launches replayed
// expect: a texture: 0 of 5 launches replayed
// expect: a function of the host writes: 0 of 5 launches replayed
// expect: atomics in memory of the host: 0 of 5 launches replayed
// expect: volatile memory of the host: 0 of 5 launches replayed
// expect: few instructions: 0 of 5 launches replayed
// Which launches are left out because an earlier one has shown what they give, and that memory is always what it is if all of
// them run: each case runs twice, with and without. The first launch leaves its name, the second is recorded.
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "gpusim/report.h"
#include "gpusim/schedule.h"

// (Clang takes variables in an unnamed namespace for constants if no kernel writes them.)
__constant__ int factor[4];
__device__ int addend;
__device__ unsigned ticket;

namespace {

constexpr int kBlocks = 12, kThreads = 128, kElements = kBlocks * kThreads;
constexpr unsigned kBytes = kElements * sizeof(int);

__device__ int index() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void copy(const int* in, int* out) { out[index()] = in[index()] * 3 + 1; }
__global__ void increase(int* data) { data[index()] += index(); }
__global__ void sum(const int* in, int* out) { atomicAdd(out, in[index()]); }
__global__ void scale(const int* in, int* out) { out[index()] = in[index()] * factor[threadIdx.x % 4]; }
__global__ void add_variable(const int* in, int* out) { out[index()] = in[index()] + addend; }
__global__ void add(const int* in, int* out, int number) {
  if (index() < kElements) out[index()] = in[index()] + number;
}
__global__ void odd_from_even(int* data) { data[2 * index() + 1] = data[2 * index()] + 5; }
__global__ void add_little(const int* little, int* out) { out[index()] = little[threadIdx.x % 3] + index(); }
// Blocks leave their sums; the block that comes last adds them up, and takes the ticket back.
__global__ void last_block(const int* in, int* sums, int* out) {
  const int own = __reduce_add_sync(~0u, in[index()]);
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = own;
  __threadfence();
  if (atomicInc(&ticket, gridDim.x - 1) != gridDim.x - 1) return;
  __threadfence();
  int all = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) all += *(volatile int*)&sums[k];
  *out = all;
}
__global__ void look_at_clock(int* out) { out[index()] = clock64() > 0; }
__global__ void print(const int* in, int* out) {
  out[index()] = in[index()];
  if (in[index()] == -1) printf("never\n");
  if (index() == 0) printf("%s", "");
}
__global__ void allocate(const int* in, int* out) {
  int* volatile own = static_cast<int*>(malloc(sizeof(int)));
  *own = in[index()];
  out[index()] = *own;
  free(own);
}
__global__ void read_texture(cudaTextureObject_t texture, int* out) {
  out[index()] = tex1Dfetch<int>(texture, index());
}
__global__ void exponents(const int* in, float* fractions, int* out) {
  fractions[index()] = frexpf(float(in[index()]), &out[index()]);
}
__global__ void count_on_host(const int* in, int* counter) {
  if (in[index()] % 2) atomicAdd(counter, 0);
}
__global__ void look_at_host(const volatile int* flag, int* out) { out[index()] = *flag; }

struct Buffers {
  int *in, *mid, *out, *shared;  // shared: managed
  std::vector<int> numbers;
  cudaTextureObject_t texture;
  cudaGraphExec_t graph;
};
Buffers b;

void make_buffers() {
  for (int** each : {&b.in, &b.mid, &b.out}) cudaMalloc(each, 2 * kBytes);
  cudaMallocManaged(&b.shared, kBytes);
  for (int k = 0; k < 2 * kElements; ++k) b.numbers.push_back(k * 7 % 1000);
  cudaResourceDesc of = {};
  of.resType = cudaResourceTypeLinear;
  of.res.linear = {b.in, cudaCreateChannelDesc<int>(), kBytes};
  cudaTextureDesc how = {};
  cudaCreateTextureObject(&b.texture, &of, &how, nullptr);
}

// The same at the beginning of each run.
void reset() {
  cudaMemcpy(b.in, b.numbers.data(), 2 * kBytes, cudaMemcpyHostToDevice);
  cudaMemset(b.mid, 0, 2 * kBytes);
  cudaMemset(b.out, 0, 2 * kBytes);
  for (int k = 0; k < kElements; ++k) b.shared[k] = k;
  const int four[] = {2, 3, 5, 7}, one = 1, zero = 0;
  cudaMemcpyToSymbol(factor, four, sizeof four);
  cudaMemcpyToSymbol(addend, &one, sizeof one);
  cudaMemcpyToSymbol(ticket, &zero, sizeof zero);
}

std::vector<int> contents() {
  std::vector<int> all(6 * kElements);
  int at = 0;
  for (const int* from : {b.in, b.mid, b.out}) {
    cudaMemcpy(all.data() + at, from, 2 * kBytes, cudaMemcpyDeviceToHost);
    at += 2 * kElements;
  }
  all.insert(all.end(), b.shared, b.shared + kElements);
  return all;
}

struct Case {
  const char* name;
  int launches;  // of a round
  std::function<void(int round)> round;
};
constexpr int kRounds = 5;

// All that memory holds after each round.
std::vector<std::vector<int>> run(const Case& c, bool with_replays) {
  gpusim::set_replay(with_replays);
  reset();
  std::vector<std::vector<int>> after;
  for (int round = 0; round < kRounds; ++round) {
    c.round(round);
    after.push_back(contents());
  }
  return after;
}

const std::vector<Case> kReplayed = {
    {"a copy", 1, [](int) { copy<<<kBlocks, kThreads>>>(b.in, b.out); }},
    {"output filled in between", 1,
     [](int round) {
       cudaMemset(b.out, round, kBytes);
       copy<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"output reset, and added to", 1,
     [](int) {
       cudaMemset(b.out, 0, sizeof(int));
       sum<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"in place, on an array that is filled anew", 1,
     [](int) {
       cudaMemcpy(b.in, b.numbers.data(), kBytes, cudaMemcpyHostToDevice);
       increase<<<kBlocks, kThreads>>>(b.in);
     }},
    {"one kernel after another", 2,
     [](int) {
       copy<<<kBlocks, kThreads>>>(b.in, b.mid);
       copy<<<kBlocks, kThreads>>>(b.mid, b.out);
     }},
    {"a graph", 2,
     [](int round) {
       if (round == 0) {
         cudaStream_t stream;
         cudaGraph_t graph;
         cudaStreamCreate(&stream);
         cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
         add<<<kBlocks, kThreads, 0, stream>>>(b.in, b.mid, 1);
         add<<<kBlocks, kThreads, 0, stream>>>(b.mid, b.out, 2);
         cudaStreamEndCapture(stream, &graph);
         cudaGraphInstantiate(&b.graph, graph, 0);
         cudaGraphDestroy(graph);
         cudaStreamDestroy(stream);
       }
       cudaGraphLaunch(b.graph, nullptr);
       cudaDeviceSynchronize();
       if (round == kRounds - 1) cudaGraphExecDestroy(b.graph);
     }},
    {"managed memory that nobody changes", 1,
     [](int) {
       copy<<<kBlocks, kThreads>>>(b.shared, b.out);
       cudaDeviceSynchronize();
     }},
    {"the last block adds up", 1, [](int) { last_block<<<kBlocks, 32>>>(b.in, b.mid, b.out); }},
    {"constant memory that stays", 1, [](int) { scale<<<kBlocks, kThreads>>>(b.in, b.out); }},
    {"an input is shorter than a page", 1, [](int) { add_little<<<kBlocks, kThreads>>>(b.in + 3, b.out); }},
    {"input and output beside each other", 1, [](int) { odd_from_even<<<kBlocks, kThreads>>>(b.in); }},
};

const std::vector<Case> kNotReplayed = {
    {"in place", 1, [](int) { increase<<<kBlocks, kThreads>>>(b.in); }},
    {"atomics on what they read", 1, [](int) { sum<<<kBlocks, kThreads>>>(b.in, b.out); }},
    {"the input is copied anew", 1,
     [](int round) {
       b.numbers[5] = round;
       cudaMemcpy(b.in, b.numbers.data(), kBytes, cudaMemcpyHostToDevice);
       copy<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"one byte of the input is filled", 1,
     [](int round) {
       cudaMemset(reinterpret_cast<char*>(b.in) + kBytes - 1, round, 1);
       copy<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"another kernel writes the input", 2,
     [](int) {
       increase<<<kBlocks, kThreads>>>(b.in);
       copy<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"the host writes managed memory", 1,
     [](int round) {
       b.shared[kElements - 1] = round * round;
       copy<<<kBlocks, kThreads>>>(b.shared, b.out);
       cudaDeviceSynchronize();
     }},
    {"constant memory changes", 1,
     [](int round) {
       cudaMemcpyToSymbol(factor, &round, sizeof round, 3 * sizeof round);
       scale<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"a variable of the device changes", 1,
     [](int round) {
       cudaMemcpyToSymbol(addend, &round, sizeof round);
       add_variable<<<kBlocks, kThreads>>>(b.in, b.out);
     }},
    {"the input moves", 1,
     [](int) {
       int* other;
       cudaMalloc(&other, kBytes);
       cudaMemcpy(other, b.numbers.data(), kBytes, cudaMemcpyHostToDevice);
       copy<<<kBlocks, kThreads>>>(other, b.out);
       cudaFree(other);
     }},
    {"another argument", 1, [](int round) { add<<<kBlocks, kThreads>>>(b.in, b.out, 10 + round); }},
    {"another grid", 1, [](int round) { add<<<kBlocks + round, kThreads>>>(b.in, b.out, 30); }},
    {"a clock", 1, [](int) { look_at_clock<<<kBlocks, kThreads>>>(b.out); }},
    {"text is printed", 1, [](int) { print<<<kBlocks, kThreads>>>(b.in, b.out); }},
    {"memory of the kernel", 1, [](int) { allocate<<<kBlocks, kThreads>>>(b.in, b.out); }},
    {"a texture", 1, [](int) { read_texture<<<kBlocks, kThreads>>>(b.texture, b.out); }},
    {"a function of the host writes", 1,
     [](int) { exponents<<<kBlocks, kThreads>>>(b.in, reinterpret_cast<float*>(b.mid), b.out); }},
    {"atomics in memory of the host", 1, [](int) { count_on_host<<<kBlocks, kThreads>>>(b.in, b.shared); }},
    {"volatile memory of the host", 1, [](int) { look_at_host<<<kBlocks, kThreads>>>(b.shared, b.out); }},
    {"few instructions", 1, [](int) { copy<<<1, 32>>>(b.in, b.out); }},
};

}  // namespace

int main() {
  make_buffers();
  int wrong = 0;
  for (const std::vector<Case>* cases : {&kReplayed, &kNotReplayed})
    for (const Case& c : *cases) {
      const std::vector<int> numbers = b.numbers;
      const auto expected = run(c, false);
      b.numbers = numbers;
      const unsigned long long before = gpusim::replayed_launches();
      const bool is_same = run(c, true) == expected;
      b.numbers = numbers;
      std::printf("%s: %llu of %d launches replayed%s\n", c.name, gpusim::replayed_launches() - before,
                  kRounds * c.launches, is_same ? "" : ", and memory differs");
      wrong += !is_same;
    }
  gpusim::set_replay(true);
  cudaDestroyTextureObject(b.texture);
  for (int* each : {b.in, b.mid, b.out, b.shared}) cudaFree(each);
  return wrong || cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
