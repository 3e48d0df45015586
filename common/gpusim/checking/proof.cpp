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
  void miss_checks(const std::string& reason) { missing_checks_ = reason; }

  void launch_end(const LaunchInfo& launch, bool completed) override {
    Proof p;
    p.kernel = launch.kernel->pretty_name;
    const auto set = [](unsigned(&to)[3], const Dim3& of) { to[0] = of.x, to[1] = of.y, to[2] = of.z; };
    set(p.grid, launch.grid);
    set(p.block, launch.block);
    p.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    p.arguments = arguments_text(launch, memory_);
    const Kernel& kernel = known(launch);
    p.obstacles = kernel.obstacles;
    p.compiled = of_code(launch, completed, kernel);
    const Conclusion of_source =
        p.compiled.verdict == Verdict::not_proved ? p.compiled : of_kept(launch, kernel, p.compiled);
    p.verdict = of_source.verdict;
    p.place = of_source.place;
    p.reason = of_source.reason;
    findings_.conclude(std::move(p));
  }

 private:
  // What is known about a kernel before it runs. The copy of its code shows whether it is still the same kernel.
  struct Kernel {
    const Program* program;
    u32 function;
    std::vector<Instruction> code;
    DataDependence dependence;
    KeptAccesses kept;
    std::vector<Conclusion> obstacles;
  };

  // A conclusion about the kernel's instructions, even if the source contained more accesses.
  Conclusion of_code(const LaunchInfo& launch, bool completed, const Kernel& kernel) const {
    const Program& program = *launch.program;
    const auto because = [](const std::string& reason, Place place = {}) {
      return Conclusion{Verdict::not_proved, std::move(place), reason};
    };
    const std::vector<CodeFact>& obstacles = kernel.dependence.obstacles;
    const auto by_code = [&] {
      return because(obstacles.front().what, place_of(program, obstacles.front().pc));
    };
    const bool may_overlap = !is_alone_ || launch.moment || !missing_checks_.empty();
    if (!obstacles.empty() && may_overlap) return by_code();
    if (!is_alone_) return because("several GPUs share memory, which a proof does not cover yet");
    if (launch.moment) return because("streams may work at the same time, which a proof does not cover yet");
    if (!missing_checks_.empty()) return because(missing_checks_);
    if (!launch.is_whole) return because("only some of its blocks or warps ran");
    if (launch.is_sampled) return because("the checks watched only its beginning");
    if (!completed) return because("it was stopped");
    if (const Finding* const found = likeliest_cause())
      return because("is where the check '" + found->check + "' has found something", found->place);
    if (!obstacles.empty()) return by_code();
    if (const auto& allowed = findings_.allowed())
      return because(allowed->why, place_of(program, allowed->pc));
    const auto& differs = kernel.dependence.differs ? kernel.dependence.differs : kernel.dependence.rounds;
    if (differs) return {Verdict::race_free, place_of(program, differs->pc), differs->what};
    return {Verdict::proved, {}, ""};
  }

  // A race may be why another check has found something.
  const Finding* likeliest_cause() const {
    const auto& found = findings_.of_launch();
    const auto race = std::ranges::find(found, "race", &Finding::check);
    return race != found.end() ? &*race : found.empty() ? nullptr : &found.front();
  }

  // A conclusion about the source. It is that about the instructions, if these make every access of the source.
  Conclusion of_kept(const LaunchInfo& launch, const Kernel& kernel, const Conclusion& compiled) const {
    if (!kernel.kept.missing.empty()) return {Verdict::not_proved, kernel.kept.place, kernel.kept.missing};
    if (shares_restricted(launch, kernel.kept))
      return {
          Verdict::not_proved, {}, "a __restrict__ pointer and another one point into the same allocation"};
    return compiled;
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
    Kernel& made =
        kernels_.emplace_back(Kernel{&program,
                                     launch.kernel->function,
                                     {code.begin(), code.end()},
                                     data_dependence(program, launch.kernel->function, computes_numbers),
                                     kept_accesses(program, launch.kernel->function),
                                     {}});
    for (const CodeFact& fact : made.dependence.obstacles) {
      const Conclusion line{Verdict::not_proved, place_of(program, fact.pc), fact.what};
      const auto is_same = [&](const Conclusion& other) {
        return other.reason == line.reason && other.place.file == line.place.file &&
               other.place.line == line.place.line;
      };
      if (std::ranges::none_of(made.obstacles, is_same)) made.obstacles.push_back(line);
    }
    return made;
  }

  const Memory& memory_;
  Findings& findings_;
  bool is_alone_ = true;
  std::string missing_checks_;
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

void tell_missing_checks(Observer& proof_check, const std::string& reason) {
  static_cast<ProofCheck&>(proof_check).miss_checks(reason);
}

std::vector<std::pair<const Proof*, u64>> without_arguments(const std::vector<Proof>& proofs) {
  const auto is_like = [](const Proof& a, const Proof& b) {
    return a.kernel == b.kernel && std::ranges::equal(a.grid, b.grid) &&
           std::ranges::equal(a.block, b.block) && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
           a.verdict == b.verdict && a.reason == b.reason && same_place(a.place, b.place) &&
           a.compiled.verdict == b.compiled.verdict;
  };
  std::vector<std::pair<const Proof*, u64>> merged;
  for (const Proof& proof : proofs) {
    const auto known =
        std::ranges::find_if(merged, [&](const auto& one) { return is_like(*one.first, proof); });
    if (known != merged.end()) ++known->second;
    else merged.push_back({&proof, 0});
  }
  return merged;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
