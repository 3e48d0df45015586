// How a judge hands over its verdict. The process that runs a learner's code is not believed by its exit
// status, nor by what it prints or writes to files: another one, its supervisor (supervisor.cpp), takes the
// verdict from a pipe, with a number that only the two know, and a process that ends without a verdict has
// failed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace judge {

constexpr std::size_t kSecretBytes = 16;

enum class Said : std::uint32_t { test_case_begins, verdict };

// Begins each message; `bytes` of text follow.
struct MessageHead {
  unsigned char secret[kSecretBytes];
  Said said;
  std::int32_t exit_code;  // of a verdict
  std::uint64_t bytes;
};

// The supervisor calls it in the judging process, before any code of the judged file runs: `pipe` is open for
// writing.
void be_supervised(int pipe, const unsigned char* secret);
bool is_supervised();

// Writes all of it, however often it is interrupted. False if the file takes no more.
bool write_all(int to, const void* from, std::size_t bytes);

// Sends `text`, which for a verdict is all that remains to be printed, or the JSON. Nothing happens without a
// supervisor.
void tell_supervisor(Said said, int exit_code, const char* text, std::size_t bytes);

}  // namespace judge
// SPDX-License-Identifier: MIT
