// Calls of NCCL in a stream. Each waits there for the calls of the other ranks.
#pragma once

#include "libraries/nccl_communicator.h"
#include "runtime/work.h"

namespace gpusim::libraries {

// Records that a rank has reached its call of an operation.
void come(Operation&, const Call&, const runtime::Clock& = {});

// The calls of one group that one rank gives to one stream. Each waits for the other ranks' calls, but not
// for another call of the group.
class Calls final : public runtime::Task {
 public:
  explicit Calls(std::vector<Call> calls);
  runtime::Progress step(CUstream_st&) override;
  bool give_up(CUstream_st&, bool tell) override;

 private:
  struct Waiting {
    Call call;
    std::size_t number;  // the call's place among the rank's collective calls
    bool has_come = false;
  };
  static void come(const Waiting&, const CUstream_st&);
  static bool is_done(const Waiting&, CUstream_st&);
  static bool receive(const Call&, Communicator&, CUstream_st&);
  static void fail(const Call&, const std::string& why);

  std::vector<Waiting> waiting_;
};

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
