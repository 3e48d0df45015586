// What programs take from NVIDIA's cuda-samples (Common/): options of the command line, and where a file lies.
#pragma once

#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, size, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(result) (result == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif

// Behind the delimiters with which a text begins.
inline int stringRemoveDelimiter(char delimiter, const char* text) {
  int at = 0;
  while (text[at] == delimiter) ++at;
  return at < int(strlen(text)) ? at : 0;
}

// The value of -name=value or --name=value, "" where there is none; null if there is no such option.
inline const char* gpusimOptionValue(int argc, const char** argv, const char* name) {
  const size_t length = strlen(name);
  for (int i = 1; i < argc; ++i) {
    const char* option = argv[i] + stringRemoveDelimiter('-', argv[i]);
    if (strncasecmp(option, name, length) || (option[length] && option[length] != '=')) continue;
    return option[length] ? option + length + 1 : option + length;
  }
  return nullptr;
}
inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
  return gpusimOptionValue(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
  const char* value = gpusimOptionValue(argc, argv, name);
  return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
  const char* value = gpusimOptionValue(argc, argv, name);
  return value ? float(atof(value)) : 0;
}
inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name, char** to) {
  const char* value = gpusimOptionValue(argc, argv, name);
  *to = const_cast<char*>(value);
  return value != nullptr;
}
template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* to) {
  const char* value = gpusimOptionValue(argc, argv, name);
  if (value) *to = T(atoi(value));
  return value != nullptr;
}

inline int getFileExtension(char* name, char** extension) {
  char* point = strrchr(name, '.');
  if (!point) return -1;
  *extension = point + 1;
  return int(strlen(*extension));
}

// Where a file of a sample lies: here, in data/, or beside the program. To be freed; null if nowhere.
inline char* sdkFindFilePath(const char* file, const char* program) {
  std::string beside = program ? program : "";
  beside.erase(beside.rfind('/') == std::string::npos ? 0 : beside.rfind('/') + 1);
  for (const std::string& folder :
       {std::string(), std::string("data/"), std::string("../data/"), beside, beside + "data/",
        beside + "../data/", std::string("../../../Common/data/")}) {
    const std::string path = folder + file;
    if (std::ifstream(path)) return strdup(path.c_str());
  }
  return nullptr;
}
// SPDX-License-Identifier: MIT
