#include "observers/environment.h"

#include <cstdlib>
#include <string_view>

#include "gpusim/report.h"

namespace gpusim {
namespace {

// A variable that is 1 (yes), or 0, empty or absent (no).
bool is_asked_for(const char* variable) {
  const char* text = std::getenv(variable);
  const std::string_view value = text ? text : "";
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  std::fprintf(stderr, "gpusim: %s=%s is not understood; set it to 1 or 0\n", variable, text);
  std::exit(1);
}

}  // namespace

void configure_from_environment() {
  if (is_asked_for("GPUSIM_REPORT")) {
    enable_reports(true);
    print_reports_to(stderr);
  }
}

}  // namespace gpusim
