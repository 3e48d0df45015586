// The reports of this process: switching them on, keeping them, adding them up.
#include "gpusim/report.h"

#include <algorithm>

#include "device/device.h"
#include "observers/counter_fields.h"
#include "observers/counters.h"
#include "observers/environment.h"

namespace gpusim {
namespace {

struct Reporting {
  bool keep = false;
  std::FILE* print_to = nullptr;
  std::vector<Report> kept;
  LaunchCounters observer{[this](Report report) {
    if (print_to) std::fputs(to_text(report).c_str(), print_to);
    if (keep) kept.push_back(std::move(report));
  }};

  // Counting costs time, so the device knows the observer only while its results go somewhere.
  void attach_if_needed() {
    std::vector<Observer*>& observers = Device::instance().observers;
    const auto found = std::find(observers.begin(), observers.end(), &observer);
    const bool is_attached = found != observers.end(), is_needed = keep || print_to;
    if (is_needed && !is_attached) observers.push_back(&observer);
    if (!is_needed && is_attached) observers.erase(found);
  }
};

Reporting& reporting() {
  static Reporting instance;
  return instance;
}

}  // namespace

void enable_reports(bool on) {
  const DeviceLock lock;
  reporting().keep = on;
  reporting().attach_if_needed();
}

void print_reports_to(std::FILE* out) {
  const DeviceLock lock;
  reporting().print_to = out;
  reporting().attach_if_needed();
}

Observer* report_observer() { return &reporting().observer; }

const std::vector<Report>& reports() { return reporting().kept; }

const Report& last_report() {
  static const Report none;
  return reports().empty() ? none : reports().back();
}

void clear_reports() {
  const DeviceLock lock;
  reporting().kept.clear();
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
