// What checks find, and the last fault: kept, counted, printed.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "execution/device.h"
#include "gpusim/check.h"
#include "gpusim/proof.h"
#include "ptx/program.h"

namespace gpusim {

// Something that a check lets pass although nothing orders it, or that it cannot remember. No finding, but no proof either
// (proof.h).
struct Allowance {
  u32 pc = 0;
  const char* why = "";  // behind "FILE:LINE "
};

class Findings {
 public:
  // Keeps the finding, or adds to the count of one like it (same kernel, check and places); prints it the first time if
  // findings are being printed. In a launch only at its end, faults of barriers first: what races may race because of
  // them.
  void report(Finding);
  void launch_begin() { ++in_launch_; }
  void launch_end();
  // In a launch: what has been reported so far.
  const std::vector<Finding>& of_launch() const { return of_launch_; }

  // The first one of a launch is kept until that ends.
  void allow(u32 pc, const char* why) {
    if (!allowed_) allowed_ = Allowance{pc, why};
  }
  const std::optional<Allowance>& allowed() const { return allowed_; }

  // Findings of launches are dropped when those end, or not.
  void ignore_new(bool on) { ignores_new_ = on; }

  // Adds a conclusion about a launch. Equal conclusions are kept only once.
  void conclude(Proof);
  const std::vector<Proof>& proofs() const { return proofs_; }

  void print(bool on) { printed_ = on ? Printed::all : Printed::none; }
  // Prints the first error only, and then `hint`. Of those that a launch ends with, the likeliest cause of the others.
  void print_first(const std::string& hint) {
    printed_ = Printed::first_error;
    hint_ = hint;
  }

  // This text has been printed by another part of the simulator: a finding that says the same is kept and counted only.
  void note_told(const std::string& text) { told_ = text; }

  const std::vector<Finding>& all() const { return found_; }
  unsigned long long errors() const { return errors_; }
  void clear();

  struct FaultText {
    std::string message, quoted;  // in one line, and with source lines
  };
  // A kernel stopped with a fault. What last_fault() of gpusim/report.h gives.
  void note_fault(const std::string& message, const std::string& quoted);
  // A launch was refused, which is told in the same place and stops nothing.
  void note_refusal(const std::string& why) { last_fault_ = last_fault_quoted_ = why; }
  bool has_faulted() const { return has_faulted_; }
  const std::vector<FaultText>& faults() const { return faults_; }
  const std::string& last_fault() const { return last_fault_; }
  const std::string& last_fault_quoted() const { return last_fault_quoted_; }

 private:
  std::vector<Finding> found_, of_launch_;
  std::vector<FaultText> faults_;
  std::vector<Proof> proofs_;
  std::unordered_map<std::string, std::size_t> proof_of_;  // by all that tells two apart: its index
  unsigned long long errors_ = 0;
  std::optional<Allowance> allowed_;
  std::string last_fault_, last_fault_quoted_;
  enum class Printed { none, first_error, all } printed_ = Printed::none;
  std::string hint_, told_;
  bool has_faulted_ = false;
  bool ignores_new_ = false;
  unsigned in_launch_ = 0;  // launches of several GPUs overlap
};

// The source position of an instruction.
Place place_of(const Program&, u32 pc);

// The line that a call of the runtime comes from.
Place place_of(const ApiCall&);

// One line and column of one file; nowhere is the same place as nowhere.
bool same_place(const Place&, const Place&);

// "block 3", "block (1,2,0)"; "thread 37 (warp 1, lane 5)" — the words that findings use for who did it.
std::string block_name(const LaunchInfo&, u64 block);
std::string thread_name(const LaunchInfo&, u32 thread);

// The place that a message begins with ("file:line:column: …", or the place alone); line 0 where it begins with none.
Place place_in(const std::string& message);

// Such a message followed by the source line and a caret under the column, where the file can be read.
std::string with_source_line(const std::string& message);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
