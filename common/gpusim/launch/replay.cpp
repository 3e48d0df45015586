#include "launch/replay.h"

#include <algorithm>
#include <cstring>

#include "base/word_hash.h"
#include "execution/module.h"

namespace gpusim {
namespace {

constexpr std::size_t kMostKinds =
    4096;  // a program that never repeats a launch is to need no memory for that
constexpr u64 kLongerWait = 8;

template <class T> void append(std::vector<u8>& bytes, const T& value) {
  const auto* const first = reinterpret_cast<const u8*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

bool hear_replays(std::span<Observer* const> observers) {
  return std::ranges::all_of(observers, [](const Observer* o) { return o->hears_replays(); });
}

}  // namespace

// A key with everything that identifies a launch, except memory and settings. (A function's address is never reused by
// another module.)
Replays::Kind& Replays::kind_of(const LoadedModule& module, const LaunchInfo& launch) {
  name_.clear();
  append(name_, module.address_of(launch.kernel->function));
  for (const Dim3& d : {launch.grid, launch.block})
    for (const u32 n : {d.x, d.y, d.z}) append(name_, n);
  append(name_, launch.dynamic_shared_bytes);
  append(name_, u32(launch.moment != nullptr));
  if (launch.params) name_.insert(name_.end(), launch.params, launch.params + launch.kernel->param_bytes);
  if (kinds_.size() >= kMostKinds) forget();
  WordHash hash;
  hash.add(name_.data(), name_.size());
  Kind& kind = kinds_[hash.value];
  if (kind.name != name_) {
    drop(kind);
    kind = {};
    kind.name = name_;
  }
  return kind;
}

// Tests and programs may change settings between launches (gpusim/schedule.h); nearly none does.
void Replays::forget_if_other(const Settings& settings, const Memory& memory) {
  if (settings == settings_ && memory.fresh == fresh_) return;
  forget();
  settings_ = settings;
  fresh_ = memory.fresh;
}

void Replays::forget() {
  kinds_.clear();
  bytes_ = 0;
}

void Replays::drop(Kind& kind) {
  if (!kind.record) return;
  bytes_ -= kind.record->effects.bytes();
  kind.record.reset();
}

Replays::Plan Replays::plan(const Device& device, const LoadedModule& module, const LaunchInfo& launch,
                            std::span<Observer* const> heard_by) {
  forget_if_other(device, device.memory);
  Kind& kind = kind_of(module, launch);
  current_ = &kind;
  ++kind.launches;
  kind.before = std::exchange(kind.latest, ++launches_);
  if (!hear_replays(heard_by)) return Plan::run;
  if (kind.record) {
    const auto is_of = [](const auto& conclusion, const Observer* o) {
      return conclusion.first == o->number();
    };
    if (!std::ranges::equal(kind.record->conclusions, heard_by, is_of)) {
      drop(kind);
      kind.record_at = kind.launches;
    } else if (launch.is_sampled) {
      return Plan::run;
    } else if (kind.record->effects.are_inputs_unchanged(device.memory)) {
      return Plan::replay;
    } else {
      const bool has_paid = kind.record->uses >= kind.wait;
      if (!has_paid) kind.wait *= kLongerWait;
      kind.record_at = kind.launches + (has_paid ? 1 : kind.wait / kLongerWait);
      drop(kind);
    }
  }
  return kind.launches >= kind.record_at && kind.executed >= kFewestInstructions ? Plan::record : Plan::run;
}

u64 Replays::replay(Memory& memory, const LaunchInfo& launch, std::span<Observer* const> heard_by) {
  Record& record = *current_->record;
  record.effects.apply(memory);
  for (std::size_t k = 0; k < heard_by.size(); ++k)
    heard_by[k]->replayed(launch, record.conclusions[k].second);
  ++record.uses;
  ++replayed_;
  return record.executed;
}

// Drops the least recently used records, if the launch has come back sooner than they were
// used.
void Replays::make_room(u64 bytes, const Kind& for_kind) {
  while (bytes_ + bytes > kMostBytes) {
    Kind* oldest = nullptr;
    for (auto& [hash, kind] : kinds_)
      if (kind.record && kind.latest < for_kind.before && (!oldest || kind.latest < oldest->latest))
        oldest = &kind;
    if (!oldest) return;
    drop(*oldest);
  }
}

void Replays::ended(const LoadedModule& module, const Memory& memory, std::span<Observer* const> heard_by,
                    u64 executed, const EffectsRecorder* recorder) {
  Kind& kind = *current_;
  kind.executed = executed;
  if (!recorder) return;
  std::optional<LaunchEffects> effects = recorder->effects();
  if (effects)
    for (const Module::Variable& v : module.placed)
      if (const Allocation* const a = Memory::is_constant(v.address) ? memory.find(v.address) : nullptr)
        effects->add_read(*a);
  if (effects) make_room(effects->bytes(), kind);
  if (!effects || !effects->is_complete() || bytes_ + effects->bytes() > kMostBytes) {
    kind.record_at = kind.launches + kind.wait;
    kind.wait *= kLongerWait;
    return;
  }
  bytes_ += effects->bytes();
  kind.record = std::make_unique<Record>(Record{*std::move(effects), executed, {}});
  for (const Observer* o : heard_by) kind.record->conclusions.push_back({o->number(), o->conclusion()});
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
