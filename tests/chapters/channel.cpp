#include "channel.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace judge {
namespace {

int pipe_to_supervisor = -1;
unsigned char secret_of_both[kSecretBytes];

}  // namespace

bool write_all(int to, const void* from, std::size_t bytes) {
  const char* next = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t written = write(to, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

void be_supervised(int pipe, const unsigned char* secret) {
  pipe_to_supervisor = pipe;
  std::memcpy(secret_of_both, secret, kSecretBytes);
}

bool is_supervised() { return pipe_to_supervisor >= 0; }

void tell_supervisor(Said said, int exit_code, const char* text, std::size_t bytes) {
  if (!is_supervised()) return;
  MessageHead head{{}, said, exit_code, bytes};
  std::memcpy(head.secret, secret_of_both, kSecretBytes);
  // If the supervisor is gone, so is the question.
  if (write_all(pipe_to_supervisor, &head, sizeof head)) write_all(pipe_to_supervisor, text, bytes);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
