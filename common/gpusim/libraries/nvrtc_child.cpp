// simcc writes the files that clang needs, and removes them even where a signal ends it. This process writes none: the three texts
// are in memory, as files without a name.
#include "libraries/nvrtc_child.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef __linux__
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

// The command that starts simcc, ended by a null pointer. `simcc -lnvrtc` links an object that sets it (simcc/recorded.py).
extern "C" {
extern const char* const* gpusim_simcc_command;
[[gnu::weak]] const char* const* gpusim_simcc_command = nullptr;
}

namespace gpusim::libraries {
#ifndef __linux__

SimccAnswer ask_simcc(const std::string&) { return {"", "", "NVRTC runs simcc only on Linux"}; }

#else
namespace {

// A file in memory, which ends with this object.
class TextInMemory {
 public:
  explicit TextInMemory(const std::string& text = "") : file_(memfd_create("nvrtc", MFD_CLOEXEC)) {
    for (std::size_t done = 0; file_ >= 0 && done < text.size();) {
      const ssize_t wrote = write(file_, text.data() + done, text.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) {
        close(file_);
        file_ = -1;
      } else {
        done += std::size_t(wrote);
      }
    }
    if (file_ >= 0) lseek(file_, 0, SEEK_SET);
  }
  ~TextInMemory() {
    if (file_ >= 0) close(file_);
  }
  TextInMemory(const TextInMemory&) = delete;
  TextInMemory& operator=(const TextInMemory&) = delete;

  int file() const { return file_; }
  std::string text() const {
    std::string all;
    char piece[1 << 16];
    for (ssize_t got; (got = pread(file_, piece, sizeof piece, off_t(all.size()))) > 0;)
      all.append(piece, std::size_t(got));
    return all;
  }

 private:
  int file_;
};

std::vector<std::string> simcc_command() {
  std::vector<std::string> command;
  if (const char* const chosen = std::getenv("GPUSIM_SIMCC"); chosen && *chosen) command.push_back(chosen);
  else
    for (const char* const* word = gpusim_simcc_command; word && *word; ++word) command.push_back(*word);
  return command;
}

}  // namespace

SimccAnswer ask_simcc(const std::string& request) {
  std::vector<std::string> command = simcc_command();
  if (command.empty())
    return {
        "", "",
        "this program does not know where simcc is, which compiles for NVRTC: link it with `simcc -lnvrtc`, "
        "or set GPUSIM_SIMCC to the path of simcc"};
  command.push_back("--nvrtc");
  const TextInMemory input(request), output, said;
  if (input.file() < 0 || output.file() < 0 || said.file() < 0)
    return {"", "", std::string("no memory for what simcc is to compile: ") + std::strerror(errno)};
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input.file(), 0);
  posix_spawn_file_actions_adddup2(&files, output.file(), 1);
  posix_spawn_file_actions_adddup2(&files, said.file(), 2);
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error)
    return {"", "",
            command[0] + ": " + std::strerror(error) +
                "; this simcc compiles for NVRTC: build it, or set GPUSIM_SIMCC to the path of another"};
  // Where a program ignores SIGCHLD there is no status: the answer says how it went.
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {output.text(), said.text(), ""};
}

#endif
}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
