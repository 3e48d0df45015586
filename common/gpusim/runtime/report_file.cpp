#include "runtime/report_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "checking/proof.h"
#include "gpusim/check.h"
#include "reports/text.h"
#include "runtime/process.h"

namespace gpusim::runtime {
namespace {

namespace fs = std::filesystem;

std::string cannot(const std::string& why) { return "cannot be written: " + why; }

// The file that a symbolic link points to: renaming onto the link would replace it.
std::string target_of(const std::string& file) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(file, error), error);
  return error ? file : target.string();
}

std::string why_not_writable(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) return cannot("it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) return cannot("it is a device, not a file");
  const fs::path folder = target.parent_path();
  if (!fs::is_directory(folder, error)) return cannot("there is no folder '" + folder.string() + "'");
  if (access(folder.c_str(), W_OK) != 0) return cannot(std::strerror(errno));
  return "";
}

std::string faults_text() {
  std::string out;
  for (const Findings::FaultText& fault : process().contexts[0]->gpu.findings.faults()) {
    const Place p = place_in(fault.message);
    out += (out.empty() ? "" : ",\n") + std::string("{\"place\":") +
           (p.line == 0 ? "null"
                        : "{\"file\":" + json_string(p.file) + ",\"line\":" + std::to_string(p.line) +
                              ",\"column\":" + std::to_string(p.column) + ",\"called_at\":[]}") +
           ",\"message\":" + json_string(fault.message) + ",\"text\":" + json_string(fault.quoted) + "}";
  }
  return out;
}

// What follows the launches.
std::string end_of_file() {
  const Gpu& first = process().contexts[0]->gpu;
  std::string found;
  for (const Finding& finding : first.findings.all())
    found += (found.empty() ? "" : ",\n") + to_json(finding);
  std::string proofs;
  for (const auto& [proof, others] : without_arguments(first.findings.proofs()))
    proofs += (proofs.empty() ? "" : ",\n") + to_json(*proof);
  return "],\n\"replayed_launches\":" + std::to_string(first.device.replayed()) +
         ",\n\"links\":" + to_json(first.reports.links()) + ",\n\"findings\":[" + found + "],\n\"proof\":[" +
         proofs + "],\n\"faults\":[" + faults_text() + "]}\n";
}

bool put(const std::string& text, std::FILE* out) {
  return std::fwrite(text.data(), 1, text.size(), out) == text.size();
}

}  // namespace

ReportFile::ReportFile(std::string file) : file_(target_of(file)), why_not_(why_not_writable(file_)) {
  if (!why_not_.empty()) return;
  launches_.reset(std::tmpfile());
  if (!launches_) why_not_ = cannot(std::string("no temporary file: ") + std::strerror(errno));
  // Without a buffer, which a child made by fork() would write once more when it ends.
  else std::setvbuf(launches_.get(), nullptr, _IONBF, 0);
}

void ReportFile::add(const Report& report) {
  if (why_not_.empty() &&
      !put((std::exchange(is_first_, false) ? "" : ",\n") + to_json(report), launches_.get()))
    why_not_ = cannot(std::string("its temporary file: ") + std::strerror(errno));
}

std::string ReportFile::write_to(std::FILE* out) {
  std::rewind(launches_.get());
  bool is_written = put("{\"format\":1,\n\"launches\":[\n", out);
  char piece[1 << 16];
  while (const std::size_t bytes = std::fread(piece, 1, sizeof piece, launches_.get()))
    is_written = is_written && std::fwrite(piece, 1, bytes, out) == bytes;
  is_written = is_written && put(end_of_file(), out) && std::fflush(out) == 0;
  return is_written && !std::ferror(launches_.get()) ? "" : cannot(std::strerror(errno));
}

std::string ReportFile::finish() {
  if (!why_not_.empty()) return why_not_;
  const std::string temporary = file_ + "." + std::to_string(getpid()) + ".tmp";
  File out(std::fopen(temporary.c_str(), "w"));
  if (!out) return cannot(std::strerror(errno));
  std::string why = write_to(out.get());
  if (std::fclose(out.release()) != 0 && why.empty()) why = cannot(std::strerror(errno));
  if (why.empty() && std::rename(temporary.c_str(), file_.c_str()) != 0) why = cannot(std::strerror(errno));
  if (!why.empty()) std::remove(temporary.c_str());
  return why;
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
