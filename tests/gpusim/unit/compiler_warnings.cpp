// What simcc wrote behind a module's PTX of its compiler's warnings, as findings.
#include "checking/compiler_warnings.h"

#include <doctest/doctest.h>

#include <string>

using namespace gpusim;

namespace {

const std::string kModule = ".version 7.0\n// simcc: far.cu:1:1: not at the end: no warning\nret;\n";
const std::string kWarnings =
    "// simcc: a.cu:23:9: variable 'sum' is uninitialized when used here\n"
    "// simcc: b: c.cu:7:1: also\n\n// simcc: without a place\n// simcc: a.cu:24:10: second\n\n";

}  // namespace

TEST_CASE("warnings at the end of a module become findings in their order, once they are asked for") {
  Findings findings;
  CompilerWarnings warnings(findings);
  warnings.note(kModule + kWarnings);
  CHECK(findings.all().empty());
  warnings.report(true);
  warnings.report(true);  // not once more
  REQUIRE(findings.all().size() >= 2);
  const Finding& first = findings.all().front();
  CHECK(first.check == "uninitialized");
  CHECK(first.place.file == "a.cu");
  CHECK(first.place.line == 23);
  CHECK(first.place.column == 9);
  CHECK(first.message == "variable 'sum' is uninitialized when used here");
  CHECK(findings.all().back().message == "second");
  const std::size_t count = findings.all().size();
  warnings.note(kModule + "// simcc: late.cu:1:2: of a module that comes later\n");
  CHECK(findings.all().size() == count + 1);
  warnings.report(false);
  warnings.note(kModule + "// simcc: late.cu:3:4: when nobody asks\n");
  CHECK(findings.all().size() == count + 1);
}
// SPDX-License-Identifier: MIT
