// GPUSIM_REPORT=FILE.json: the counters and predicted times of all launches, and what was found, for programs.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "gpusim/report.h"

namespace gpusim::runtime {

// The file is one object:
//   format             1: what this comment says
//   launches           in their order, each as to_json(Report)
//   replayed_launches  how many of them were not run again, because their result was known
//   links              from GPU to GPU, as to_json(LinkTraffic)
//   findings           as to_json(Finding)
//   proof              as to_json(Proof), one for each kernel, shape and verdict, where GPUSIM_CHECK looks for races or proves
//   faults             {"place", "message", "text"} of each kernel that a fault stopped
// It appears when the program ends, whole or not at all: until then the launches are in a temporary file without a name. So a
// program that a signal ends leaves no file.
class ReportFile {
 public:
  explicit ReportFile(std::string file);

  // Why no such file can be written, in words that follow its name; empty if nothing prevents it.
  const std::string& why_not() const { return why_not_; }

  void add(const Report&);

  // Writes the file. Returns what went wrong, as why_not().
  std::string finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  std::string write_to(std::FILE* out);

  std::string file_;  // absolute: the program may go to another folder
  std::string why_not_;
  File launches_;  // the reports so far, with commas between them
  bool is_first_ = true;
};

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
