// Where a program's texts go: files that are whole or not there, and a terminal that may show colours.
#pragma once

#include <string>

namespace harness {

// Why a file of this name cannot be written, in one line, found out without touching it; empty if nothing
// speaks against it.
std::string why_not_writable(const std::string& file);

// Writes the file under a temporary name beside it and renames it, so that nobody ever sees half of it.
// Returns what went wrong, in one line; empty when it is written.
std::string write_file(const std::string& file, const std::string& text);

// From now on a program that could not write all of its standard output (the disk is full, nobody reads on) says so when
// it ends, and does not end with exit status 0.
void refuse_lost_output();

// stdout is a terminal, and the environment does not ask for plain text (NO_COLOR, https://no-color.org;
// TERM=dumb).
bool stdout_shows_colour();

}  // namespace harness
