// launch_ptx PTX KERNEL: launches a kernel of a PTX file as often as standard input says, with all checks.
//
// A line is: ORDER BUDGET GRID BLOCK.X BLOCK.Y BLOCKS ARGUMENT…
//   ORDER      0: lanes together, blocks first to last; 1: each lane alone, the highest first, blocks last to first
//   BUDGET     warp instructions after which it counts as endless; in order 1, 32 times as many
//   BLOCKS     those that run, with commas between them: 0,1,4095; "all"
//   ARGUMENT   KIND:OFFSET:VALUE, OFFSET being that in the parameters. a: an array of VALUE bytes; i: an int; f: a float;
//              or end:SIZE, of a structure that is longer than its members
//
// The answer is a line for each launch: HASH STATUS PROOF, all arrays being hashed. Then a line "! FINDING" for each finding that
// is against what proofs for every launch claim. STATUS is "ends", "endless" (more instructions than its budget) or "fault". PROOF is
// "proved" if GPUSIM_CHECK=proof proves this launch for all orders and inputs. If it does not: "few_blocks" if not all blocks ran,
// "unwritten" if the kernel read what nothing had written, "undefined" if a shuffle took the value of a lane that takes no part,
// else "not_proved".
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "gpusim/check.h"
#include "gpusim/chosen_blocks.h"
#include "gpusim/proof.h"
#include "gpusim/report.h"
#include "gpusim/schedule.h"

namespace {

constexpr std::size_t kLargestFilled = 1 << 22;  // bytes; longer arrays are neither filled nor hashed

struct Array {
  char* device;
  std::size_t bytes;
};

struct Launch {
  unsigned order = 0, budget = 0, grid = 1, x = 1, y = 1;
  std::vector<std::uint64_t> blocks;
  std::vector<Array> arrays;
  std::vector<char> parameters;

  template <typename T> void put(std::size_t offset, const T& value) {
    if (parameters.size() < offset + sizeof value) parameters.resize(offset + sizeof value);
    std::memcpy(parameters.data() + offset, &value, sizeof value);
  }
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  return (hash ^ word) * 0x9E3779B97F4A7C15u ^ (hash >> 29);
}

// Numbers of which no two are alike, so that a kernel that takes another element, or one more, has another result.
char* filled(std::size_t bytes, unsigned seed) {
  char* device = nullptr;
  if (cudaMalloc(&device, bytes) != cudaSuccess) return nullptr;
  if (bytes > kLargestFilled) return device;
  std::vector<float> numbers(bytes / sizeof(float));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = 1.0f + float(mixed(seed, i) >> 41) / float(1 << 23);
  }
  cudaMemcpy(device, numbers.data(), bytes, cudaMemcpyHostToDevice);
  return device;
}

std::uint64_t hash_of(const std::vector<Array>& arrays) {
  std::uint64_t hash = 1;
  for (const Array& array : arrays) {
    if (array.bytes > kLargestFilled) continue;
    std::vector<std::uint32_t> words(array.bytes / 4);
    cudaMemcpy(words.data(), array.device, array.bytes, cudaMemcpyDeviceToHost);
    for (const std::uint32_t word : words) hash = mixed(hash, word);
  }
  return hash;
}

bool read_argument(const std::string& text, Launch& launch) {
  if (text.rfind("end:", 0) == 0) {
    launch.parameters.resize(std::stoul(text.substr(4)));
    return true;
  }
  char kind = 0;
  std::size_t offset = 0;
  std::string value;
  char colon;
  std::istringstream in(text);
  if (!(in >> kind >> colon >> offset >> colon >> value)) return false;
  if (kind == 'i') launch.put(offset, std::int32_t(std::stoll(value)));
  if (kind == 'f') launch.put(offset, std::stof(value));
  if (kind == 'a') {
    const std::size_t bytes = std::stoull(value);
    // An array of no elements has an address of no memory, as from cudaMalloc(&p, 0).
    char* const device = bytes ? filled(bytes, unsigned(launch.arrays.size() + 1)) : nullptr;
    if (bytes && !device) return false;
    if (bytes) launch.arrays.push_back({device, bytes});
    launch.put(offset, device);
  }
  return kind == 'i' || kind == 'f' || kind == 'a';
}

bool read(const std::string& line, Launch& launch) {
  std::istringstream in(line);
  std::string blocks, argument;
  if (!(in >> launch.order >> launch.budget >> launch.grid >> launch.x >> launch.y >> blocks)) return false;
  std::istringstream list(blocks == "all" ? "" : blocks);
  for (std::string block; std::getline(list, block, ',');) launch.blocks.push_back(std::stoull(block));
  while (in >> argument) {
    if (!read_argument(argument, launch)) return false;
  }
  return true;
}

// What a shuffle brings is no part of a proof, so that it may be undefined; that the lanes of its mask come is part of it.
bool is_undefined(const gpusim::Finding& f) {
  return f.check == "shuffle" && f.message.find("undefined") != std::string::npos;
}

bool is_against_proof(const gpusim::Finding& f) {
  const bool is_of_values = f.check == "never written" || f.check == "division" || f.check == "uninitialized";
  return !is_of_values && !is_undefined(f);
}

// What GPUSIM_CHECK=proof says of the last launch, or what kept it from a proof.
const char* proof_of(const Launch& launch) {
  const gpusim::Verdict verdict =
      gpusim::proofs().empty() ? gpusim::Verdict::not_proved : gpusim::proofs().back().verdict;
  if (verdict != gpusim::Verdict::not_proved) return "proved";
  if (!launch.blocks.empty()) return "few_blocks";
  for (const gpusim::Finding& f : gpusim::findings()) {
    if (f.check == "never written") return "unwritten";
    if (is_undefined(f)) return "undefined";
  }
  return "not_proved";
}

void tell(const Launch& launch, const char* status, std::uint64_t hash) {
  std::printf("%016llx %s %s\n", static_cast<unsigned long long>(hash), status, proof_of(launch));
  if (status == std::string("fault")) std::printf("! %s\n", gpusim::last_fault().c_str());
  for (const gpusim::Finding& f : gpusim::findings()) {
    const std::string text = gpusim::to_text(f);
    if (is_against_proof(f)) std::printf("! %s\n", text.substr(0, text.find('\n')).c_str());
  }
  gpusim::clear_findings();
}

struct Kernel {
  std::string ptx, name;
  CUmodule module = nullptr;
  CUfunction function = nullptr;

  bool load() {
    CUcontext context = nullptr;
    return cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS &&
           cuCtxSetCurrent(context) == CUDA_SUCCESS &&
           cuModuleLoadData(&module, ptx.c_str()) == CUDA_SUCCESS &&
           cuModuleGetFunction(&function, module, name.c_str()) == CUDA_SUCCESS;
  }

  void run(Launch& launch) {
    gpusim::set_schedule(launch.order ? gpusim::Schedule::descending : gpusim::Schedule::lockstep);
    gpusim::set_start_order(launch.order ? gpusim::StartOrder::last_to_first
                                         : gpusim::StartOrder::first_to_last);
    // Lanes that run alone need an instruction each.
    gpusim::set_instruction_budget(launch.budget * (launch.order ? 32ull : 1ull), 0);
    gpusim::run_only_blocks(launch.blocks);
    std::size_t size = launch.parameters.size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &size, CU_LAUNCH_PARAM_END};
    CUresult result =
        cuLaunchKernel(function, launch.grid, 1, 1, launch.x, launch.y, 1, 0, nullptr, nullptr, extra);
    if (result == CUDA_SUCCESS) result = cuCtxSynchronize();
    if (result == CUDA_SUCCESS) {
      tell(launch, "ends", hash_of(launch.arrays));
    } else {  // the context is of no more use
      tell(launch, result == CUDA_ERROR_LAUNCH_TIMEOUT ? "endless" : "fault", 0);
      cudaDeviceReset();
      launch.arrays.clear();
      load();
    }
  }
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(
        stderr,
        "usage: launch_ptx PTX KERNEL <LAUNCHES; the first lines of launch_ptx.cu explain a launch\n");
    return 2;
  }
  std::ifstream file(arguments[1]);
  Kernel kernel{{std::istreambuf_iterator<char>(file), {}}, arguments[2]};
  cuInit(0);
  if (!kernel.load()) {
    std::fprintf(stderr, "launch_ptx: %s has no kernel %s that can be loaded; simcc -ptx makes such files\n",
                 arguments[1], arguments[2]);
    return 1;
  }
  gpusim::enable_checks("proof");
  gpusim::print_faults(false);
  gpusim::set_host_threads(1);  // launches are small, and a test shares its computer with others
  for (std::string line; std::getline(std::cin, line);) {
    Launch launch;
    if (!read(line, launch)) {
      std::fprintf(stderr, "launch_ptx: '%s' is not a launch; the first lines of launch_ptx.cu explain one\n",
                   line.c_str());
      return 1;
    }
    kernel.run(launch);
    for (const Array& array : launch.arrays) cudaFree(array.device);
  }
}
// SPDX-License-Identifier: MIT
