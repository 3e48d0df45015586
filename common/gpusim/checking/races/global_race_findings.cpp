#include "checking/races/global_race_findings.h"

#include <algorithm>
#include <utility>

#include "analysis/parameters.h"
#include "base/position_text.h"
#include "ptx/paths.h"

namespace gpusim {
namespace {

const char* global_verb(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates (atomically)";
}

// CUB's scan, for one, looks at flags by `ld.cg`, which orders nothing by the letter. What libcu++ does is what its caller asks for.
bool is_of_library(const Program& program, u32 pc) {
  std::vector<SourceLine> lines = program.callers(pc);
  lines.insert(lines.begin(), program.lines[pc]);
  for (const SourceLine& at : lines) {
    const std::string file = at.file < program.files.size() ? program.files[at.file] : "";
    if (file.find("/cuda/std/") == std::string::npos) return is_library_file(file);
  }
  return true;
}

}  // namespace

std::string GlobalRaceFindings::block_name_of(const Touch& t) const {
  return block_name(launches_.launch_of(t).info,
                    launches_.of_several_gpus() ? block_of(t.who) >> kGpuBits : block_of(t.who));
}
std::string GlobalRaceFindings::name_of(const Touch& t) const {
  return block_name_of(t) + ", " + thread_name(launches_.launch_of(t).info, thread_of(t.who));
}
std::string GlobalRaceFindings::number_of(const Touch& t) const {
  return block_name_of(t) + ", thread " + position_text(thread_of(t.who), launches_.launch_of(t).info.block);
}

void GlobalRaceFindings::report(const Touch& then, const Touch& now, const Access& a, u32 lane,
                                const Shadow& shadow, Values values) {
  // A flag or ticket that its reader has acquired: the reader may read it plainly, and the last block may set it back.
  if (then.is_atomic() && !now.is_atomic() &&
      order_.has_acquired(then.time, then.who, now.who, a.address[lane]))
    return;
  // Without GPUSIM_CHECK, leaves out formal races that programs rely on, and the code of NVIDIA's libraries.
  if (launch().info.is_sampled && (values == Values::equal || rules_.is_idiom(then, now) ||
                                   is_of_library(*launch().info.program, now.pc())))
    return;
  const bool one_block = block_of(then.who) == block_of(now.who);
  const bool other_gpu = launches_.is_of_other_gpu(then);
  const u32 kind = one_block + 2 * other_gpu + 8 * (values == Values::equal);
  findings_.report(kind, now.packed, then.packed, [&] {
    const CheckedLaunch& earlier = launches_.launch_of(then);
    const auto gpu = [&](const CheckedLaunch& l) {
      return other_gpu ? "GPU " + std::to_string(l.info.gpu) + ", " : std::string();
    };
    Finding f;
    f.check = "race";
    f.place = place_of(*launch().info.program, now.pc());
    f.other = place_of(*earlier.info.program, then.pc());
    f.kernel = launch().info.kernel->pretty_name;
    f.message = gpu(launch()) + (other_gpu ? number_of(now) : name_of(now)) + " " + global_verb(now.kind()) +
                " " + global_name(launch().info, shadow.allocation, a.address[lane], a.bytes, a.kind);
    if (other_gpu && Memory::gpu_of(a.address[lane]) != launch().info.gpu)
      f.message += " of GPU " + std::to_string(Memory::gpu_of(a.address[lane]));
    f.message += " while " + gpu(earlier);
    f.message += other_gpu   ? number_of(then)
                 : one_block ? thread_name(earlier.info, thread_of(then.who))
                             : name_of(then);
    f.message += std::string(" ") + global_verb(then.kind()) + " it; " +
                 (values == Values::equal ? kEqualValues : advice_.advice(then, now));
    if (values == Values::equal) f.severity = Severity::warning;
    return f;
  });
}

void GlobalRaceFindings::report_stale(const Touch& write, const Touch& now, const Access& a, u32 lane,
                                      const Shadow& shadow) {
  constexpr u32 kStale = 16;
  findings_.report(kStale, now.packed, write.packed, [&] {
    const Program& program = *launch().info.program;
    Finding f;
    f.check = "race";
    f.place = place_of(program, now.pc());
    f.other = place_of(program, write.pc());
    f.kernel = launch().info.kernel->pretty_name;
    f.message = name_of(now) + " reads " +
                global_name(launch().info, shadow.allocation, a.address[lane], a.bytes, a.kind) +
                " through the read-only cache (__ldg, const __restrict__) after " + name_of(write) +
                " has written it; the cache may still hold the old value: load it without __ldg and without "
                "const __restrict__";
    return f;
  });
}

void GlobalRaceFindings::report_unpublished(const Touch& write, const Touch& now, const Access& a, u32 lane,
                                            const Shadow& shadow) {
  if (launch().info.is_sampled || is_of_library(*launch().info.program, now.pc())) return;
  constexpr u32 kUnpublished = 17;
  findings_.report(kUnpublished, now.packed, write.packed, [&] {
    const Program& program = *launch().info.program;
    Finding f;
    f.severity = Severity::warning;
    f.check = "race";
    f.place = place_of(program, now.pc());
    f.other = place_of(program, write.pc());
    f.kernel = launch().info.kernel->pretty_name;
    f.message = name_of(now) + " reads " +
                global_name(launch().info, shadow.allocation, a.address[lane], a.bytes, a.kind) + ", which " +
                name_of(write) + " has written; both accesses are " +
                (launch().use.access[now.pc()].is_volatile ? "volatile" : "atomic") +
                ", which orders nothing, so it may get the old value: put __threadfence() between that write "
                "and the atomic that announces it, and another between the atomic and this";
    return f;
  });
}

void GlobalRaceFindings::report(const Touch& t, const StreamAccess& other, const Place& others_place,
                                u64 address, u32 bytes, const Shadow& shadow) {
  findings_.report(4, t.packed, other.writes, [&] {
    const CheckedLaunch& launch = launches_.launch_of(t);
    Finding f;
    f.check = "race";
    f.place = place_of(*launch.info.program, t.pc());
    f.other = others_place.line ? others_place : place_of(other.site);
    f.kernel = launch.info.kernel->pretty_name;
    f.message = (launches_.of_several_gpus() ? "GPU " + std::to_string(launch.info.gpu) + ", " : "") +
                name_of(t) + " " + global_verb(t.kind()) + " " +
                global_name(launch.info, shadow.allocation, address, bytes, t.kind());
    if (const u32 owner = Memory::gpu_of(address); owner != launch.info.gpu)
      f.message += " of GPU " + std::to_string(owner);
    f.message += " while " + name_of_work(other, launch.moment) + " " + verb(other) + " it; " +
                 order_works(launch.moment, other.moment);
    return f;
  });
}

void GlobalRaceFindings::report(const StreamAccess& now, const KeptAccess& then) {
  const KeptAccess::Part* const part = then.part_in(now.address, now.bytes);
  findings_.report(5, part ? part->packed : 0, now.writes, [&] {
    const u64 begin = part ? part->address : then.address, end = begin + (part ? part->bytes : then.bytes);
    const u64 first = std::max(now.address, begin);
    Finding f;
    f.check = "race";
    f.place = then.place_in(now.address, now.bytes);
    f.other = place_of(now.site);
    if (f.place.line == 0) f.place = std::exchange(f.other, place_of(then.site));
    f.kernel = then.kernel;
    f.message =
        now.what + " " + verb(now) + " " + bytes_name(std::min(now.address + now.bytes, end) - first) +
        (launches_.of_several_gpus() ? " of GPU " + std::to_string(Memory::gpu_of(first)) : "") + " that " +
        name_of_work(then, now.moment) + " " + verb(then) + "; " + order_works(now.moment, then.moment);
    return f;
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
