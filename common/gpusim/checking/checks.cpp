#include "checking/checks.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "checking/check_sample.h"
#include "checking/launch_observer.h"
#include "checking/leaks.h"
#include "checking/proof.h"

namespace gpusim {
namespace {

// What a check judges: kernels, and then the judge of the exercises looks for it too; or whole programs. Or it accuses
// nobody, and concludes from what others find: then `all` leaves it out.
enum class Judges : u8 { kernels, programs, launches };
// Whether launches are checked for it without GPUSIM_CHECK.
enum class Runs : u8 { by_default, on_request };
using Make = std::unique_ptr<Observer> (*)(const Memory&, Findings&);
using MakePeer = std::unique_ptr<Observer> (*)(Observer& first, const Memory&, u32 gpu, Findings&);
constexpr Make kNoObserver = nullptr;   // it is told nothing of launches
constexpr MakePeer kNoPeers = nullptr;  // GPUs share nothing that it looks at

// Without defaults, so that a row that leaves something out does not compile.
struct CheckRow {
  constexpr CheckRow(const char* n, Judges j, Runs r, Make m, MakePeer p)
      : name(n), judges(j), runs(r), make(m), make_peer(p) {}
  const char* name;  // as GPUSIM_CHECK takes it
  Judges judges;
  Runs runs;
  Make make;
  MakePeer make_peer;  // for the second GPU of a process and further ones
};
constexpr CheckRow kChecks[] = {
    {"memory", Judges::kernels, Runs::by_default, make_memory_check, make_memory_check_beside},
    {"race", Judges::kernels, Runs::by_default, make_race_check, make_race_check_beside},
    {"barrier", Judges::kernels, Runs::by_default, make_barrier_check, kNoPeers},
    {"shuffle", Judges::kernels, Runs::by_default, make_shuffle_check, kNoPeers},
    {"bounds", Judges::kernels, Runs::by_default, make_array_bounds_check, kNoPeers},
    {"division", Judges::kernels, Runs::by_default, make_division_check, kNoPeers},
    {"uninitialized", Judges::kernels, Runs::on_request, kNoObserver, kNoPeers},
    {"leak", Judges::programs, Runs::on_request, kNoObserver, kNoPeers},
    // Must be last, because it rests on the checks above.
    {"proof", Judges::launches, Runs::on_request, make_proof_check, make_proof_check_beside},
};

// Why nothing is proved where a check is off on which a proof rests.
constexpr const char* kMissingChecks =
    "some checks that a proof needs were off: GPUSIM_CHECK=proof turns them on";

std::size_t row_of(std::string_view name) {
  return std::size_t(std::ranges::find(kChecks, name, &CheckRow::name) - std::begin(kChecks));
}

template <class F> std::string names(const char* between, F is_named) {
  std::string text;
  for (const CheckRow& row : kChecks)
    if (is_named(row)) text += (text.empty() ? "" : between) + std::string(row.name);
  return text;
}

}  // namespace

class Checks::LaunchBracket final : public LaunchObserver {
 public:
  explicit LaunchBracket(Findings& findings) : findings_(findings) {}
  void launch_begin(const LaunchInfo&) override { findings_.launch_begin(); }
  void launch_end(const LaunchInfo&, bool) override { findings_.launch_end(); }

 private:
  Findings& findings_;
};

class Checks::Sample final : public CheckSample {
 public:
  explicit Sample(const Checks& checks) : CheckSample(checks.findings_), checks_(checks) {}
  bool samples(const Observer* o) const override {
    return o == checks_.teller_.get() || o == checks_.host_use_.get() ||
           std::ranges::any_of(checks_.attached_, [o](const auto& attached) { return attached.get() == o; });
  }

 private:
  const Checks& checks_;
};

Checks::Checks(Device& device, Findings& findings, Checks* first)
    : device_(device),
      findings_(findings),
      first_(first),
      attached_(std::size(kChecks)),
      teller_(std::make_unique<LaunchBracket>(findings)) {}

Checks::~Checks() { enable("none"); }

bool Checks::enable(const std::string& which) {
  std::vector<bool> wanted(std::size(kChecks));
  const auto want = [&](auto is) {
    for (std::size_t k = 0; k < std::size(kChecks); ++k) wanted[k] = wanted[k] || is(kChecks[k]);
  };
  if (which == "all") want([](const CheckRow& row) { return row.judges != Judges::launches; });
  std::stringstream words(which == "none" || which == "all" ? "" : which);
  for (std::string word; std::getline(words, word, ',');) {
    const auto is_named = [&](const CheckRow& row) { return row.name == word; };
    if (std::ranges::none_of(kChecks, is_named)) return false;
    want(is_named);
    // A proof rests on all that watch launches.
    if (word == "proof") want([](const CheckRow& row) { return row.make != kNoObserver; });
  }
  if (concludes_with_races_ && wanted[row_of("race")]) wanted[row_of("proof")] = true;
  sample_.reset();
  return_borrowed();
  for (std::size_t k = 0; k < std::size(kChecks); ++k) {
    if (kChecks[k].name == std::string_view("leak")) {
      leaks_ = wanted[k];
    } else if (!kChecks[k].make) {
      if (!first_) warnings_.report(wanted[k]);
    } else if (wanted[k] && !attached_[k]) {
      attach(k);
    } else if (!wanted[k] && attached_[k]) {
      detach(k);
    }
  }
  std::erase(device_.observers, host_use_.get());
  host_use_ = look_for_races() ? std::make_unique<HostMemoryUse>(device_.memory, findings_) : nullptr;
  if (host_use_) device_.observers.push_back(host_use_.get());
  observers_changed();
  return true;
}

void Checks::attach(std::size_t k) {
  const CheckRow& row = kChecks[k];
  const bool is_beside = first_ && row.make_peer && first_->attached_[k];
  attached_[k] = is_beside ? row.make_peer(*first_->attached_[k], device_.memory, device_.number, findings_)
                           : row.make(device_.memory, findings_);
  device_.observers.push_back(attached_[k].get());
}

void Checks::detach(std::size_t k) {
  std::erase(device_.observers, attached_[k].get());
  attached_[k].reset();
}

// The proof hears of a launch's end after all checks, and what tells of it is the last of all.
void Checks::observers_changed() {
  std::vector<Observer*>& observers = device_.observers;
  const std::size_t proof = row_of("proof");
  if (attached_[proof]) {
    std::string missing;
    for (std::size_t k = 0; k < std::size(kChecks); ++k)
      if (kChecks[k].make && !attached_[k]) missing = kMissingChecks;
    tell_missing_checks(*attached_[proof], missing);
    std::erase(observers, attached_[proof].get());
    observers.push_back(attached_[proof].get());
  }
  std::erase(observers, teller_.get());
  if (are_on()) observers.push_back(teller_.get());
}

// If no check is on, borrows all that a proof rests on. Whatever these find only prevents a proof. GPUs that share memory need
// none, since nothing is proved of their launches.
void Checks::prove(bool on) {
  const std::size_t proof = row_of("proof");
  if (!on) {
    return_borrowed();
  } else if (borrowed_.empty() && !attached_[proof]) {
    const bool was_on = are_on();
    findings_.ignore_new(!was_on);
    for (std::size_t k = 0; k < std::size(kChecks); ++k)
      if (kChecks[k].make && !attached_[k] && (k == proof || !(was_on || device_.peers))) {
        attach(k);
        borrowed_.push_back(k);
      }
    device_.sampler = nullptr;  // what is sampled proves nothing
  }
  observers_changed();
}

void Checks::return_borrowed() {
  for (const std::size_t k : std::exchange(borrowed_, {})) detach(k);
  findings_.ignore_new(false);
  device_.sampler = sample_.get();
}

std::string Checks::all_names() {
  return names(", ", [](const CheckRow&) { return true; });
}
std::string Checks::names_for_kernels() {
  return names(",", [](const CheckRow& row) { return row.judges == Judges::kernels; });
}

void Checks::sample() {
  enable(names(",", [](const CheckRow& row) { return row.runs == Runs::by_default; }));
  sample_ = std::make_unique<Sample>(*this);
  device_.sampler = sample_.get();
}

bool Checks::are_on() const {
  return std::ranges::any_of(attached_, [](const auto& a) { return a != nullptr; });
}

// A borrowed check watches kernels, and neither copies nor the host.
bool Checks::look_for_races() const {
  const std::size_t race = row_of("race");
  return attached_[race] && std::ranges::find(borrowed_, race) == borrowed_.end();
}

void Checks::program_ends() {
  if (leaks_ && !findings_.has_faulted())
    report_leaks(device_.memory, findings_);  // after a fault nothing can be freed
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
