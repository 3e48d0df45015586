// Code that ends its process is tested in a process of its own: this program, started again.
#pragma once

#include <string>

struct ChildResult {
  int exit_status;
  std::string output;  // stdout and stderr
};

// Starts this program with `name` as its argument and waits for it.
ChildResult run_child(const std::string& name);

// In the child: runs what `name` stands for and does not return; returns if it stands for nothing.
void run_as_child(const std::string& name);
// SPDX-License-Identifier: MIT
