// What a call says on standard error. (The runtime says each sentence once in a program.)
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

template <class Call> std::string said_by(Call call) {
  std::fflush(stderr);
  std::FILE* const file = std::tmpfile();
  if (!file) return "no temporary file";
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  call();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += char(c);
  std::fclose(file);
  return text;
}
// SPDX-License-Identifier: MIT
