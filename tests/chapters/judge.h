// The exercise judge: collects what a chapter's tests find and puts it into one verdict.
//
// Every chapter's test program links judge.cpp, whose main runs the test cases in the order of the file,
// prints what they find, and ends with one line `verdict: …`. Exit status: 0 done, 77 not started, else 1.
// `--as-shipped` judges nothing: it prints the digest of the file and exits with 0 if it is the starter's.
// `--json=FILE` prints nothing itself, and writes all of it there (outcome.h). `--stretch` also runs the test cases whose
// names begin with "stretch: ", which measure harder targets; no verdict depends on them.
#pragma once

#include <cstdint>

#include <string>
#include <vector>

namespace judge {

// What is wrong, worst first: a kernel's verdict is its worst finding.
enum class Kind {
  fault,   // a CUDA call failed: the kernel touched memory that is not its own, hung, …
  hazard,  // a check of the simulated GPU found a race, a read of memory that nothing wrote, … The result may
           // be right this time; where it is wrong, this is why
  wrong_result,  // it ran, and the result is not right
  as_shipped,    // the result is wrong exactly as the untouched starter's is: its gap is still open
  unimproved,    // the result is right; what the chapter asks for is missing
  left_out,      // not tested, as a gap is open; the message is the kernel's name
};

struct Finding {
  Kind kind;
  std::string message;     // its first line completes the verdict; the rest explains
  std::string shown = {};  // printed in place of the message, unless empty
  std::string about = {};  // begins with the name of the kernel that it is about; empty: the message does
};

// Records a finding. After a fault, a hazard or a wrong result nothing else is tested: this ends the test cases.
// The others let them go on, since a worse finding may follow.
void report(const Finding& finding);
inline void report(Kind kind, const std::string& message) { report(Finding{kind, message}); }

// The running test case does not test this kernel, as a gap is open: neither of them is done, then.
inline void leave_out(const std::string& kernel) { report(Kind::left_out, kernel); }

// What the build has found out of the judged file, of which nothing is in this program then (tests/compile_judged.py).
void refuse(const std::string& why);

// Whether a finding says that this kernel is as shipped: its gap is open, and its counters say nothing.
bool is_as_shipped(const std::string& kernel);
// Whether a finding says that anything is missing.
bool is_open(const std::string& kernel);

// What a starter leaves to do in one place or several that belong together, and the kernels that show whether it is
// done.
struct Gap {
  const char* name;
  int todos;                         // of its TODO(you)
  std::vector<const char*> kernels;  // "": all of them
};

struct Exercise {
  std::uint64_t as_shipped;  // digest of the starter, which `--as-shipped` prints
  std::vector<Gap> gaps;
};

// Each chapter's test defines it, and the kernels.cuh that the build compiled into this program:
//   const char* const judge::kernels_file = KERNELS_FILE;
extern const Exercise exercise;
extern const char* const kernels_file;

// Whether the judged file has a TODO(you) left: then a function may be as shipped.
bool bears_todo();

// What the judged file says of itself.
struct File {
  bool is_as_shipped;  // but for spaces and empty lines
  bool bears_todo;
};

struct Verdict {
  std::string
      text;  // "done", "not started", "begun: 2 of 4: …", "race: kernels.cuh:23:30: …", "wrong result: …"
  int exit_code;
};

// What a gap lacks is excused in a file that bears a TODO(you), and nothing else: the file as shipped is not started,
// another one begun.
Verdict verdict_of(const std::vector<Finding>& findings, const Exercise& exercise, const File& file);

}  // namespace judge
// SPDX-License-Identifier: MIT
