// A variable that has no value on one way: the compiler may choose any, so nothing is proved of the whole file.
#include "launch_each.h"

KERNEL(wrong_variable_without_value) {
  int at;
  if (n > 100) at = 3;
  b[ME + (at & 0)] = at;
}

int main() { launch(wrong_variable_without_value); }
// SPDX-License-Identifier: MIT
