// The exercise judge: collects what a chapter's tests find and puts it into one verdict.
//
// Every chapter's test program links judge.cpp, whose main runs the test cases in the order of the file,
// prints what they find, and ends with one line `verdict: …`. Exit status: 0 done, 77 not started, else 1.
#pragma once

#include <string>
#include <vector>

namespace judge {

// What is wrong, worst first: a kernel's verdict is its worst finding.
enum class Kind {
  fault,         // a CUDA call failed: the kernel touched memory that is not its own, hung, …
  hazard,        // a check of the simulated GPU found a race, a read of memory that nothing wrote, … The result may
                 // be right this time; where it is wrong, this is why
  wrong_result,  // it ran, and the result is not right
  as_shipped,    // the result is wrong exactly as the untouched starter's is: its gap is still open
  unimproved,    // the result is right; what the chapter asks for is missing
};

struct Finding {
  Kind kind;
  std::string message;     // its first line completes the verdict; the rest explains
  std::string shown = {};  // printed in place of the message, unless empty
};

// Records a finding. After a fault, a hazard or a wrong result nothing else is tested: this ends the test cases.
// The other two let them go on, since a worse finding may follow.
void report(const Finding& finding);
inline void report(Kind kind, const std::string& message) { report(Finding{kind, message}); }

struct Verdict {
  std::string text;  // "done", "not started", "race: kernels.cuh:23:30: …", "wrong result: …"
  int exit_code;
};

// `bears_todo`: the judged file still contains TODO(you). Such a file is excused for what the starter lacks,
// and for nothing else.
Verdict verdict_of(const std::vector<Finding>& findings, bool bears_todo);

// The kernels.cuh that the build compiled into this program. The chapter's test defines it:
//   const char* const judge::kernels_file = KERNELS_FILE;
extern const char* const kernels_file;

}  // namespace judge
