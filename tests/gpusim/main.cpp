#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  unsetenv("PWD");  // texts name files relative to the current folder, not to that of the shell
  return doctest::Context(argc, argv).run();
}
