#include "libraries/nccl_transport.h"

#if HAVE_MPI

#include <algorithm>
#include <deque>

#include <mpi.h>

// Weak symbols: they are null in a program without MPI, so such a program links without it.
#pragma weak MPI_Comm_create_group
#pragma weak MPI_Comm_group
#pragma weak MPI_Comm_rank
#pragma weak MPI_Comm_size
#pragma weak MPI_Finalized
#pragma weak MPI_Group_free
#pragma weak MPI_Group_incl
#pragma weak MPI_Improbe
#pragma weak MPI_Initialized
#pragma weak MPI_Irecv
#pragma weak MPI_Isend
#pragma weak MPI_Mrecv
#pragma weak MPI_Testall
#ifdef OPEN_MPI
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_comm_world
#endif

namespace gpusim::libraries {
namespace {

constexpr int kHeads = 32'001, kBodies = 32'002;           // tags that a program is unlikely to use
constexpr std::size_t kMostAtOnce = std::size_t(1) << 30;  // bytes, because MPI counts with an int

bool is_on() {
  int begun = 0, over = 0;
  if (!MPI_Initialized) return false;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  return begun && !over;
}

class MpiTransport final : public Transport {
 public:
  // The ranks of `comm` are these processes. `comm` is never freed, because packets may still be on their
  // way.
  MpiTransport(MPI_Comm comm, std::vector<int> processes) : comm_(comm), processes_(std::move(processes)) {}

  ~MpiTransport() override {
    if (!has_sent()) new std::deque<Sent>(std::move(sent_));  // never freed: MPI still reads it
  }

  void send(int process, Head head, const void* bytes) override {
    if (!is_on()) return;
    const auto found = std::ranges::find(processes_, process);
    const int to = int(found - processes_.begin());
    Sent& sent = sent_.emplace_back();
    const u8* const from = static_cast<const u8*>(bytes);
    sent.head = head;
    sent.bytes.assign(from, from + (bytes ? head.bytes : 0));
    MPI_Isend(&sent.head, sizeof sent.head, MPI_BYTE, to, kHeads, comm_, &sent.requests.emplace_back());
    for_each_part(sent.bytes, [&](u8* part, int size) {
      MPI_Isend(part, size, MPI_BYTE, to, kBodies, comm_, &sent.requests.emplace_back());
    });
  }

  bool take(Packet& packet) override {
    if (!is_on()) return false;
    (void)has_sent();
    ask_for_heads();
    for (auto c = coming_.begin(); c != coming_.end(); ++c) {
      const auto is_before = [&](const Coming& other) { return other.packet.process == c->packet.process; };
      if (std::any_of(coming_.begin(), c, is_before) || !is_done(c->requests)) continue;
      packet = std::move(c->packet);
      coming_.erase(c);
      return true;
    }
    return false;
  }

  bool has_sent() override {
    if (is_on()) std::erase_if(sent_, [](Sent& s) { return is_done(s.requests); });
    return sent_.empty();
  }

 private:
  struct Sent {
    Head head;
    std::vector<u8> bytes;
    std::deque<MPI_Request> requests;
  };
  struct Coming {
    Packet packet;
    std::deque<MPI_Request> requests;
  };

  template <class F> static void for_each_part(std::vector<u8>& bytes, F f) {
    for (std::size_t at = 0; at < bytes.size(); at += kMostAtOnce)
      f(bytes.data() + at, int(std::min(bytes.size() - at, kMostAtOnce)));
  }
  static bool is_done(std::deque<MPI_Request>& requests) {
    while (!requests.empty()) {
      int done = 0;
      MPI_Testall(1, &requests.front(), &done, MPI_STATUSES_IGNORE);
      if (!done) return false;
      requests.pop_front();
    }
    return true;
  }

  void ask_for_heads() {
    for (;;) {
      int there = 0;
      MPI_Message message;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, kHeads, comm_, &there, &message, &status);
      if (!there) return;
      Coming& c = coming_.emplace_back();
      MPI_Mrecv(&c.packet.head, sizeof c.packet.head, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      c.packet.process = processes_[std::size_t(status.MPI_SOURCE)];
      c.packet.bytes.resize(c.packet.head.bytes);
      for_each_part(c.packet.bytes, [&](u8* part, int size) {
        MPI_Irecv(part, size, MPI_BYTE, status.MPI_SOURCE, kBodies, comm_, &c.requests.emplace_back());
      });
    }
  }

  MPI_Comm comm_;
  std::vector<int> processes_;
  std::deque<Sent> sent_;  // a deque, because elements that MPI still reads must not move
  std::deque<Coming> coming_;
};

}  // namespace

int processes() {
  int count = 1;
  if (is_on()) MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}
int this_process() {
  int rank = 0;
  if (is_on()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
std::string why_alone() {
  if (!MPI_Initialized) return "; between processes it goes over MPI, and this program is not linked with it";
  return is_on() ? "; mpirun has started one process only"
                 : "; between processes it goes over MPI: call MPI_Init first, and MPI_Finalize last";
}

Transport* Transport::world() {
  if (processes() == 1) return nullptr;
  static MpiTransport& transport = *[] {
    std::vector<int> all;
    for (int process = 0; process < processes(); ++process) all.push_back(process);
    return new MpiTransport(MPI_COMM_WORLD, all);
  }();
  return &transport;
}

std::unique_ptr<Transport> Transport::between(std::vector<int> processes, u64 number) {
  MPI_Group all, some;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, int(processes.size()), processes.data(), &some);
  MPI_Comm_create_group(MPI_COMM_WORLD, some, int(number % 32'000), &comm);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return std::make_unique<MpiTransport>(comm, std::move(processes));
}

}  // namespace gpusim::libraries

#else

namespace gpusim::libraries {

int processes() { return 1; }
int this_process() { return 0; }
std::string why_alone() {
  return "; between processes it goes over MPI, with which the simulated GPU was not built: sh common/bootstrap.sh --mpi";
}
Transport* Transport::world() { return nullptr; }
std::unique_ptr<Transport> Transport::between(std::vector<int>, u64) { return nullptr; }

}  // namespace gpusim::libraries

#endif
// SPDX-License-Identifier: MIT
