#include "observers/reports.h"

#include <algorithm>

#include "observers/counter_fields.h"

namespace gpusim {

Reports::~Reports() { std::erase(device_.observers, &counters_); }

void Reports::take(Report report) {
  if (first_) return first_->take(std::move(report));
  for (const LinkTraffic& link : report.links) add(link);
  if (print_to_) std::fputs(to_text(report).c_str(), print_to_);
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

// Counting costs time, so the device knows the observer only while its results go somewhere.
void Reports::attach_if_needed() {
  std::vector<Observer*>& observers = device_.observers;
  const auto found = std::ranges::find(observers, &counters_);
  const bool is_attached = found != observers.end(), is_needed = keep_ || print_to_;
  if (is_needed && !is_attached) observers.push_back(&counters_);
  if (!is_needed && is_attached) observers.erase(found);
}

void Reports::keep(bool on) {
  keep_ = on;
  attach_if_needed();
}

void Reports::print_to(std::FILE* out) {
  print_to_ = out;
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
