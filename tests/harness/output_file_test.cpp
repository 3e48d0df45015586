// Files that are whole or not there.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/output_file.h"

namespace fs = std::filesystem;

namespace {

// An empty folder, gone with its contents at the end.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "output_file_test.XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* file) const { return (path / file).string(); }
  long entries() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

std::string contents(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a file is written whole and leaves nothing beside it") {
  const Folder folder;
  const std::string file = folder / "a.json";
  CHECK(harness::write_file(file, "one\n") == "");
  CHECK(contents(file) == "one\n");
  CHECK(harness::write_file(file, "two\n") == "");
  CHECK(contents(file) == "two\n");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a file that cannot be written is told in one line and nothing is left") {
  const Folder folder;
  fs::create_directory(folder / "inner");
  const struct {
    std::string file, message;
  } rows[] = {
      {"", "the file has no name"},
      {folder / "inner", "cannot write '" + (folder / "inner") + "': it is a directory"},
      {folder / "none/a",
       "cannot write '" + (folder / "none/a") + "': there is no folder '" + (folder / "none") + "'"},
      {"/dev/null", "cannot write '/dev/null': it is a device, not a file"},
  };
  for (const auto& row : rows) {
    CHECK(harness::why_not_writable(row.file) == row.message);
    CHECK(harness::write_file(row.file, "text") == row.message);
  }
  const std::string long_name = folder / std::string(300, 'x').c_str();
  CHECK(harness::write_file(long_name, "text").find("File name too long") != std::string::npos);
  CHECK(folder.entries() == 1);
  CHECK(fs::exists("/dev/null"));
}

TEST_CASE("to ask whether a file can be written creates none") {
  const Folder folder;
  CHECK(harness::why_not_writable(folder / "a.json") == "");
  CHECK(harness::why_not_writable("a_file_in_the_current_folder.json") == "");
  CHECK(folder.entries() == 0);
}

TEST_CASE("a symbolic link stays one and its file is written") {
  const Folder folder;
  REQUIRE(harness::write_file(folder / "file", "old") == "");
  fs::create_symlink("file", folder / "link");
  CHECK(harness::write_file(folder / "link", "new") == "");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(contents(folder / "file") == "new");
}
// SPDX-License-Identifier: MIT
