// Calls of NCCL in a stream: each waits there for those of the other ranks.
#pragma once

#include "libraries/nccl_clique.h"
#include "runtime/work.h"

namespace gpusim::libraries {

// A rank has come with its call.
void come(Operation&, const Call&, const runtime::Clock& = {});

// The calls of one group that one rank gives to one stream: each waits for those of the others, none for one another.
class Calls final : public runtime::Task {
 public:
  explicit Calls(std::vector<Call> calls);
  runtime::Step step(CUstream_st&) override;
  bool give_up(CUstream_st&, bool tell) override;

 private:
  struct Waiting {
    Call call;
    std::size_t number;  // of collective calls
    bool has_come = false;
  };
  static void come(const Waiting&, const CUstream_st&);
  static bool is_done(const Waiting&, CUstream_st&);
  static bool receive(const Call&, Clique&, CUstream_st&);
  static void fail(const Call&, const std::string& why);

  std::vector<Waiting> waiting_;
};

}  // namespace gpusim::libraries
