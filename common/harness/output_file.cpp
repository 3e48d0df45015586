#include "harness/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "harness/device.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

std::string cannot(const std::string& file, const std::string& why) {
  return "cannot write '" + file + "': " + why;
}

// The file that a symbolic link points to. Renaming onto the link itself would replace it.
fs::path target_of(const std::string& file) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(file, error);
  return error ? fs::path(file) : target;
}

void check_stdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
  const std::string why = errno ? std::string(": ") + std::strerror(errno) : "";
  std::fprintf(stderr, "cannot write to standard output%s\n", why.c_str());
  std::_Exit(kExitFailed);
}

}  // namespace

void refuse_lost_output() {
  static const bool registered = std::atexit(check_stdout) == 0;
  (void)registered;
}

std::string why_not_writable(const std::string& file) {
  if (file.empty()) return "the file has no name";
  const fs::path target = target_of(file);
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) return cannot(file, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) return cannot(file, "it is a device, not a file");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return cannot(file, "there is no folder '" + folder.string() + "'");
  if (access(folder.c_str(), W_OK) != 0) return cannot(file, std::strerror(errno));
  return "";
}

std::string write_file(const std::string& file, const std::string& text) {
  if (const std::string why = why_not_writable(file); !why.empty()) return why;
  const std::string target = target_of(file).string();
  const std::string temporary = target + "." + std::to_string(getpid()) + ".tmp";
  std::FILE* out = std::fopen(temporary.c_str(), "w");
  if (!out) return cannot(file, std::strerror(errno));
  const bool complete = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const int write_error = errno;
  const bool closed = std::fclose(out) == 0;  // a full disk may show only here
  if (complete && closed && std::rename(temporary.c_str(), target.c_str()) == 0) return "";
  const int why = complete ? errno : write_error;
  std::remove(temporary.c_str());
  return cannot(file, std::strerror(why));
}

bool stdout_shows_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool wants_plain = (no_colour && *no_colour) || (terminal && std::string_view(terminal) == "dumb");
  return !wants_plain && isatty(STDOUT_FILENO) == 1;
}

}  // namespace harness
// SPDX-License-Identifier: MIT
