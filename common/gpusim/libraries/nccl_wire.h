// Letters between processes that MPI has started. MPI is the program's: where that does not link and begin it, this one is
// alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/base.h"

namespace gpusim::libraries {

// How many processes there are, and which of them this is, by their ranks in MPI_COMM_WORLD.
int processes();
int this_process();
// Why there are no others, and what to do for it: "; …".
std::string why_alone();

// What begins a letter; what the fields mean, its sender and its receiver know.
struct Head {
  s32 what = 0, from = 0, to = 0, type = 0, operation = 0, peer = 0;
  u64 number = 0, count = 0, bytes = 0;
};
struct Letter {
  int process = 0;  // that has sent it
  Head head;
  std::vector<u8> bytes;
};

class Wire {
 public:
  virtual ~Wire() = default;

  // Between all processes, for those that look for each other. Null: there is one.
  static Wire* world();
  // Between these, of which this is one: each of them calls it, with the same number.
  static std::unique_ptr<Wire> between(std::vector<int> processes, u64 number);

  virtual void send(int process, Head, const void* bytes) = 0;
  // The next letter that has come whole; those of one process come in order. False: none.
  virtual bool take(Letter&) = 0;
  // Nothing that was sent is under way.
  virtual bool has_sent() = 0;
};

}  // namespace gpusim::libraries
