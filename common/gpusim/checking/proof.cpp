#include "checking/proof.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "analysis/data_dependence.h"
#include "analysis/parameters.h"
#include "checking/kept_accesses.h"
#include "checking/launch_observer.h"
#include "execution/builtins.h"
#include "ptx/kernel_info.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

bool computes_numbers(std::string_view name) { return find_host_lanes_function(name) != nullptr; }

// "in = p, sums = p + 4096, n = 1024". Pointers that are alike have distances that are alike. What is neither a pointer to memory nor a
// whole number is written byte by byte.
std::string arguments_text(const LaunchInfo& launch, const Memory& memory) {
  const KernelInfo& kernel = *launch.kernel;
  if (!launch.params) return "";
  std::vector<std::string> names = parameter_names(launch);
  names.resize(kernel.params.size());
  u64 first = 0;
  std::string text;
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    const u8* const at = launch.params + kernel.params[k].offset;
    const u32 bytes = kernel.params[k].size;
    std::string value;
    u64 number = 0;
    if (bytes <= 8) std::memcpy(&number, at, bytes);
    if (bytes == 8 && memory.find(number)) {
      if (first == 0) first = number;
      value = number == first  ? "p"
              : number > first ? "p + " + std::to_string(number - first)
                               : "p - " + std::to_string(first - number);
    } else if (bytes <= 8) {
      s64 as_signed = s64(number);
      if (bytes < 8) as_signed = s64(number << (64 - 8 * bytes)) >> (64 - 8 * bytes);
      value = std::to_string(as_signed);
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      value = "0x";
      for (u32 b = 0; b < bytes; ++b) value += {kDigits[at[b] >> 4], kDigits[at[b] & 15]};
    }
    text += (text.empty() ? "" : ", ") + (names[k].empty() ? "" : names[k] + " = ") + value;
  }
  return text;
}

class ProofCheck final : public LaunchObserver {
 public:
  ProofCheck(const Memory& memory, Findings& findings) : memory_(memory), findings_(findings) {}
  void share_memory() { is_alone_ = false; }

  void launch_end(const LaunchInfo& launch, bool completed) override {
    Proof p;
    p.kernel = launch.kernel->pretty_name;
    const auto set = [](unsigned(&to)[3], const Dim3& of) { to[0] = of.x, to[1] = of.y, to[2] = of.z; };
    set(p.grid, launch.grid);
    set(p.block, launch.block);
    p.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    p.arguments = arguments_text(launch, memory_);
    conclude(launch, completed, p);
    findings_.conclude(std::move(p));
  }

 private:
  // What is known of a kernel before it runs. The code is kept to see whether it still is that kernel's.
  struct Kernel {
    const Program* program;
    u32 function;
    std::vector<Instruction> code;
    DataDependence dependence;
    KeptAccesses kept;
  };

  void conclude(const LaunchInfo& launch, bool completed, Proof& p) {
    const Program& program = *launch.program;
    const auto because = [&](const std::string& reason, Place place = {}) {
      p.reason = reason;
      p.place = std::move(place);
    };
    if (!is_alone_) return because("several GPUs share memory, which a proof does not cover yet");
    if (launch.moment) return because("streams may work at the same time, which a proof does not cover yet");
    if (!launch.is_whole) return because("only some of its blocks or warps ran");
    if (launch.is_sampled) return because("the checks watched only its beginning");
    if (!completed) return because("it was stopped");
    if (const auto& found = findings_.of_launch(); !found.empty())
      return because("is where the check '" + found.front().check + "' has found something",
                     found.front().place);
    const Kernel& kernel = known(launch);
    if (const auto& obstacle = kernel.dependence.obstacle)
      return because(obstacle->what, place_of(program, obstacle->pc));
    if (const auto& allowed = findings_.allowed())
      return because(allowed->why, place_of(program, allowed->pc));
    if (!kernel.kept.missing.empty()) return because(kernel.kept.missing, kernel.kept.place);
    if (shares_restricted(launch, kernel.kept))
      return because("a __restrict__ pointer and another one point into the same allocation");
    const bool is_rounding = kernel.dependence.rounds.has_value();
    const std::optional<CodeFact>& differs = kernel.dependence.differs;
    p.verdict = differs || is_rounding ? Verdict::race_free : Verdict::proved;
    if (differs) because(differs->what, place_of(program, differs->pc));
    else if (is_rounding)
      because(kernel.dependence.rounds->what, place_of(program, kernel.dependence.rounds->pc));
  }

  // The compiler takes it for granted that nothing else accesses what a __restrict__ pointer points to.
  bool shares_restricted(const LaunchInfo& launch, const KeptAccesses& kept) const {
    const auto& params = launch.kernel->params;
    const auto allocation = [&](u32 k) -> const Allocation* {
      u64 pointer = 0;
      if (!launch.params || params[k].size != sizeof pointer) return nullptr;
      std::memcpy(&pointer, launch.params + params[k].offset, sizeof pointer);
      return memory_.find(pointer);
    };
    for (const u32 k : kept.restricted)
      for (u32 other = 0; other < params.size(); ++other)
        if (other != k && allocation(k) && allocation(k) == allocation(other)) return true;
    return false;
  }

  const Kernel& known(const LaunchInfo& launch) {
    const Program& program = *launch.program;
    const Function& f = program.functions[launch.kernel->function];
    const std::span<const Instruction> code(program.code.data() + f.begin, f.end - f.begin);
    // Another module may lie where one was that has been unloaded.
    const auto is_it = [&](const Kernel& k) {
      return k.program == &program && k.function == launch.kernel->function && k.code.size() == code.size() &&
             std::memcmp(k.code.data(), code.data(), code.size_bytes()) == 0;
    };
    if (const auto found = std::ranges::find_if(kernels_, is_it); found != kernels_.end()) return *found;
    std::erase_if(kernels_, [&](const Kernel& k) {
      return k.program == &program && k.function == launch.kernel->function;
    });
    return kernels_.emplace_back(Kernel{&program,
                                        launch.kernel->function,
                                        {code.begin(), code.end()},
                                        data_dependence(program, launch.kernel->function, computes_numbers),
                                        kept_accesses(program, launch.kernel->function)});
  }

  const Memory& memory_;
  Findings& findings_;
  bool is_alone_ = true;
  std::vector<Kernel> kernels_;
};

}  // namespace

std::unique_ptr<Observer> make_proof_check(const Memory& memory, Findings& findings) {
  return std::make_unique<ProofCheck>(memory, findings);
}

std::unique_ptr<Observer> make_proof_check_beside(Observer& first, const Memory& memory, u32,
                                                  Findings& findings) {
  static_cast<ProofCheck&>(first).share_memory();
  auto check = std::make_unique<ProofCheck>(memory, findings);
  check->share_memory();
  return check;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
