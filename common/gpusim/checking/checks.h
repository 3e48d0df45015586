// The checks of one GPU: which there are, and which of them watch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checking/compiler_warnings.h"
#include "checking/findings.h"
#include "checking/host_memory_use.h"
#include "execution/device.h"

namespace gpusim {

class Checks {
 public:
  // `first`: those of the first GPU of a process, beside which these stand.
  Checks(Device&, Findings&, Checks* first = nullptr);
  ~Checks();
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // As enable_checks() of gpusim/check.h.
  bool enable(const std::string& which);

  static std::string all_names();  // "memory, race, …"
  static std::string
  names_for_kernels();  // "memory,race,…": those that judge kernels, as enable() takes them

  // The default: the checks that observe launches watch a sample of them (check_sample.h), on one GPU only. enable() ends it.
  void sample();
  bool is_sampling() const { return sample_ != nullptr; }

  // As prove_launches() of gpusim/proof.h.
  void prove(bool on);
  // Before enable(): where that turns on the check for races, launches are concluded of as well (proof.h).
  void conclude_with_races() { concludes_with_races_ = true; }

  bool are_on() const;  // whether at least one watches launches
  bool look_for_races() const;
  // What the last launch did to memory that the host sees; null if races are not looked for.
  const HostMemoryUse* host_memory_use() const { return host_use_.get(); }

  // What simcc's compiler said of a module of the program, at the end of its PTX text.
  void note_module(std::string_view ptx) { warnings_.note(ptx); }
  // Whether a call of the runtime at this line ignores the error that it returns.
  bool is_ignored(const Place& call) const { return warnings_.is_ignored(call); }

  // The program ends: memory that it has not freed, if that is asked for.
  void program_ends();

 private:
  class LaunchBracket;
  class Sample;

  void attach(std::size_t row);
  void detach(std::size_t row);
  void observers_changed();
  void return_borrowed();

  Device& device_;
  Findings& findings_;
  Checks* first_;
  CompilerWarnings warnings_{findings_};
  std::vector<std::unique_ptr<Observer>> attached_;  // by row of the table of checks; null: does not watch
  std::unique_ptr<HostMemoryUse> host_use_;          // where races are looked for
  std::unique_ptr<LaunchBracket> teller_;            // the last to be told that a launch is over
  std::unique_ptr<Sample> sample_;                   // null: all launches are watched
  bool leaks_ = false;
  bool concludes_with_races_ = false;
  std::vector<std::size_t> borrowed_;  // rows that prove() has attached
};

// Checks are observers made by these; each lives as long as it is attached.
std::unique_ptr<Observer> make_race_check(const Memory&,
                                          Findings&);  // races_*.cpp: shared memory, global memory
// The same for a further GPU of the process. It shares what is known of memory with the first GPU's check.
std::unique_ptr<Observer> make_race_check_beside(Observer& first, const Memory&, u32 gpu, Findings&);
std::unique_ptr<Observer> make_memory_check_beside(Observer& first, const Memory&, u32 gpu, Findings&);
std::unique_ptr<Observer> make_memory_check(const Memory&, Findings&);        // never_written.cpp
std::unique_ptr<Observer> make_barrier_check(const Memory&, Findings&);       // barrier_check.cpp
std::unique_ptr<Observer> make_shuffle_check(const Memory&, Findings&);       // shuffle_check.cpp
std::unique_ptr<Observer> make_array_bounds_check(const Memory&, Findings&);  // array_bounds.cpp
std::unique_ptr<Observer> make_division_check(const Memory&, Findings&);      // division_check.cpp

}  // namespace gpusim
// SPDX-License-Identifier: MIT
