// Names as the source has them.
#include "ptx/names.h"

#include <doctest/doctest.h>

#include "ptx/parser.h"

using namespace gpusim;

TEST_CASE("only mangled names are demangled: a kernel f is not float") {
  for (const char* name : {"f", "s", "d", "i", "sum", "St", "v"}) {
    CHECK(kernel_name(name) == name);
    CHECK(variable_name(name) == name);
  }
  CHECK(kernel_name("_Z3sumPKfPf") == "sum");
  CHECK(kernel_name("_Z3sumILi128EEvPf") == "sum<128>");
  CHECK(variable_name("_ZZ3sumPfE4tile") == "tile");
}

TEST_CASE("file names beyond ASCII are those of the file") {
  const Program p = ptx::parse(
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".file 1 \"caf\\303\\251 \\\"a\\\" \\\\.cu\"\n.file 2 \"gr\u00fcn.cu\"\n"
      ".visible .entry f() {\n.loc 1 3 4\n ret;\n.loc 2 9 1\n exit;\n}\n");
  REQUIRE(p.files.size() == 3);
  CHECK(p.where(0u) == "caf\u00e9 \"a\" \\.cu:3:4");
  CHECK(p.where(1u) == "gr\u00fcn.cu:9:1");
}
// SPDX-License-Identifier: MIT
