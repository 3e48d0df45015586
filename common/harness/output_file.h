// Where a program's texts go: files that are complete or do not exist, and a terminal that may show colours.
#pragma once

#include <string>

namespace harness {

// Why no file of this name can be written, in one line, without touching it; empty if nothing prevents it.
std::string why_not_writable(const std::string& file);

// Writes the file under a temporary name in the same folder and renames it, so that half a file never
// appears. Returns what went wrong, in one line; empty if the file is written.
std::string write_file(const std::string& file, const std::string& text);

// After this call, a program that cannot write all of its standard output (the disk is full, the reader is
// gone) says so when it ends, and its exit status is not 0.
void refuse_lost_output();

// Whether stdout is a terminal, and the environment does not ask for plain text (NO_COLOR,
// https://no-color.org; TERM=dumb).
bool stdout_shows_colour();

}  // namespace harness
// SPDX-License-Identifier: MIT
