#include "reports/reports.h"

#include <algorithm>

#include "counting/counter_fields.h"
#include "counting/counters.h"
#include "timing/predictor.h"

namespace gpusim {

Reports::Reports(Device& device, Reports* first)
    : device_(device),
      first_(first),
      counters_(std::make_unique<LaunchCounters>([this](Report report) { take(std::move(report)); })) {}

Reports::~Reports() {
  std::erase(device_.observers, counters_.get());
  std::erase(device_.observers, predictor_.get());
}

void Reports::take(Report report) {
  if (predictor_) predictor_->complete(report);
  if (first_) return first_->take(std::move(report));
  for (const LinkTraffic& link : report.links) add(link);
  if (print_to_) std::fputs(to_text(report).c_str(), print_to_);
  if (reader_) reader_(report);
  if (keep_) kept_.push_back(std::move(report));
}

void Reports::add(const LinkTraffic& link) {
  if (first_) return first_->add(link);
  const auto known = std::ranges::find_if(
      links_, [&](const LinkTraffic& l) { return l.from == link.from && l.to == link.to; });
  if (known == links_.end()) {
    links_.push_back(link);
    return;
  }
  known->requests += link.requests;
  known->bytes += link.bytes;
}

const Observer* Reports::observer() const { return counters_.get(); }

void Reports::attach(Observer& observer, bool is_needed) {
  std::vector<Observer*>& observers = device_.observers;
  const auto found = std::ranges::find(observers, &observer);
  const bool is_attached = found != observers.end();
  if (is_needed && !is_attached) observers.push_back(&observer);
  if (!is_needed && is_attached) observers.erase(found);
}

// Counting costs time, so the device knows the observers only while their results go somewhere.
void Reports::attach_if_needed() {
  const bool is_needed = are_wanted();
  attach(*counters_, false);  // the predictor comes before them
  if (predictor_) attach(*predictor_, is_needed);
  attach(*counters_, is_needed);
}

void Reports::predict_for(std::optional<timing::Machine> machine) {
  if (predictor_) attach(*predictor_, false);
  predictor_ = machine ? std::make_unique<timing::Predictor>(std::move(*machine)) : nullptr;
  attach_if_needed();
}

void Reports::predict_as(const Reports& other) {
  predict_for(other.predictor_ ? std::optional(other.predictor_->machine()) : std::nullopt);
}

void Reports::keep(bool on) {
  keep_ = on;
  attach_if_needed();
}

void Reports::print_to(std::FILE* out) {
  print_to_ = out;
  attach_if_needed();
}

void Reports::hand_to(std::function<void(const Report&)> reader) {
  reader_ = std::move(reader);
  attach_if_needed();
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterField& field : kCounterFields) field.of(*this) += field.of(other);
  return *this;
}

Counters Report::at_line(int line) const {
  Counters sum;
  for (const LineReport& each : lines)
    if (each.line == line) sum += each.counters;
  return sum;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
