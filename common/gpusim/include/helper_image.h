// What programs take from NVIDIA's cuda-samples (Common/): pictures (PGM, PPM), numbers in files, and how much results differ.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "helper_string.h"

inline bool gpusimLoadPicture(const char* file, std::vector<unsigned char>& pixels, unsigned* w, unsigned* h,
                              unsigned* channels) {
  std::ifstream in(file, std::ios::binary);
  std::string kind;
  in >> kind;
  unsigned numbers[3];
  for (unsigned& number : numbers) {
    while ((in >> std::ws).peek() == '#') in.ignore(1 << 20, '\n');
    in >> number;
  }
  if (!in || (kind != "P5" && kind != "P6") || numbers[2] > 255) {
    fprintf(stderr, "%s: no PGM or PPM picture of 8 bits\n", file);
    return false;
  }
  in.get();
  *w = numbers[0], *h = numbers[1], *channels = kind == "P5" ? 1 : 3;
  pixels.resize(size_t(*w) * *h * *channels);
  return bool(in.read(reinterpret_cast<char*>(pixels.data()), std::streamsize(pixels.size())));
}
inline bool gpusimSavePicture(const char* file, const unsigned char* pixels, unsigned w, unsigned h,
                              unsigned channels) {
  std::ofstream out(file, std::ios::binary);
  out << (channels == 1 ? "P5" : "P6") << "\n" << w << "\n" << h << "\n255\n";
  out.write(reinterpret_cast<const char*>(pixels), std::streamsize(size_t(w) * h * channels));
  return bool(out.flush());
}

// Pixels of T are 0 … 255, of float 0 … 1. The memory is the caller's if there is some, else from malloc.
template <class T>
inline bool sdkLoadPGM(const char* file, T** data, unsigned* w, unsigned* h) {
  std::vector<unsigned char> pixels;
  unsigned channels;
  if (!gpusimLoadPicture(file, pixels, w, h, &channels)) return false;
  if (!*data) *data = static_cast<T*>(malloc(sizeof(T) * pixels.size()));
  for (size_t i = 0; i < pixels.size(); ++i) (*data)[i] = T(pixels[i]) / (T(0.5) == T(0) ? T(1) : T(255));
  return true;
}
template <class T>
inline bool sdkSavePGM(const char* file, T* data, unsigned w, unsigned h) {
  std::vector<unsigned char> pixels(size_t(w) * h);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = (unsigned char)(data[i] * (T(0.5) == T(0) ? T(1) : T(255)));
  return gpusimSavePicture(file, pixels.data(), w, h, 1);
}
// Pixels of 4 bytes, of which the last is 0 and not in the file.
inline bool sdkLoadPPM4ub(const char* file, unsigned char** data, unsigned* w, unsigned* h) {
  std::vector<unsigned char> pixels;
  unsigned channels;
  if (!gpusimLoadPicture(file, pixels, w, h, &channels)) return false;
  const size_t count = size_t(*w) * *h;
  *data = static_cast<unsigned char*>(malloc(4 * count));
  for (size_t i = 0; i < count; ++i) {
    for (size_t c = 0; c < 3; ++c) (*data)[4 * i + c] = pixels[channels == 3 ? 3 * i + c : i];
    (*data)[4 * i + 3] = 0;
  }
  return true;
}
inline bool sdkSavePPM4ub(const char* file, unsigned char* data, unsigned w, unsigned h) {
  std::vector<unsigned char> pixels;
  for (size_t i = 0; i < size_t(w) * h; ++i) pixels.insert(pixels.end(), data + 4 * i, data + 4 * i + 3);
  return gpusimSavePicture(file, pixels.data(), w, h, 3);
}
inline bool sdkSavePPMub(const char* file, unsigned char* data, unsigned w, unsigned h) {
  return gpusimSavePicture(file, data, w, h, 3);
}

// Numbers as text, one behind the other.
template <class T>
inline bool sdkReadFile(const char* file, T** data, unsigned* count, bool) {
  std::ifstream in(file);
  std::vector<T> numbers;
  for (T number; in >> number;) numbers.push_back(number);
  if (numbers.empty()) return false;
  if (!*data) *data = static_cast<T*>(malloc(sizeof(T) * numbers.size()));
  *count = unsigned(numbers.size());
  std::copy(numbers.begin(), numbers.end(), *data);
  return true;
}
template <class T, class S>
inline bool sdkWriteFile(const char* file, const T* data, unsigned count, const S, bool,
                         bool append = false) {
  std::ofstream out(file, append ? std::ios::app : std::ios::out);
  for (unsigned i = 0; i < count; ++i) out << data[i] << ' ';
  out << '\n';
  return bool(out.flush());
}

// Whether no more than a share `threshold` of the numbers differs by more than epsilon.
template <class T, class S>
inline bool compareData(const T* reference, const T* data, unsigned count, const S epsilon,
                        const float threshold) {
  unsigned differ = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double by = double(reference[i]) - double(data[i]);
    differ += !(by <= double(epsilon) && by >= -double(epsilon));
  }
  return differ <= threshold * float(count);
}
// Whether the length of the difference is less than epsilon of the reference's.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned count,
                           const float epsilon) {
  float error = 0, length = 0;
  for (unsigned i = 0; i < count; ++i) {
    const float difference = reference[i] - data[i];
    error += difference * difference;
    length += reference[i] * reference[i];
  }
  if (std::fabs(length) < 1e-7f) {
    fprintf(stderr, "sdkCompareL2fe: the reference's length is 0\n");
    return false;
  }
  return std::sqrt(error) / std::sqrt(length) < epsilon;
}
// SPDX-License-Identifier: MIT
