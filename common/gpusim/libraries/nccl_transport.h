// Messages, here called packets, between processes that MPI has started. MPI belongs to the program: if the
// program does not link and initialise it, this process is alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/base.h"

namespace gpusim::libraries {

// The number of processes, and the number of this one: the size of MPI_COMM_WORLD and the rank in it.
int processes();
int this_process();
// Why there are no other processes, and what to do about it: "; …".
std::string why_alone();

// The head of a packet. Its sender and receiver agree on the meaning of the fields.
struct Head {
  s32 what = 0, from = 0, to = 0, type = 0, operation = 0, peer = 0;
  u64 number = 0, count = 0, bytes = 0;
};
struct Packet {
  int process = 0;  // the sender
  Head head;
  std::vector<u8> bytes;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // The transport between all processes, by which ranks find each other. Null: there is only one process.
  static Transport* world();
  // A transport between these processes, one of which is this one. Each of them calls this, with the same number.
  static std::unique_ptr<Transport> between(std::vector<int> processes, u64 number);

  virtual void send(int process, Head, const void* bytes) = 0;
  // Takes the next packet that has arrived completely. Packets of one process arrive in order. False: there
  // is none.
  virtual bool take(Packet&) = 0;
  // Whether all packets have been sent completely, so that their data may be freed.
  virtual bool has_sent() = 0;
};

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
