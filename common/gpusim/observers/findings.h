// Where checks put what they find.
#pragma once

#include "device/device.h"
#include "gpusim/check.h"
#include "ptx/program.h"

namespace gpusim {

// Keeps the finding, or adds to the count of one like it (same kernel, check and places); prints it the first time if
// findings are being printed (GPUSIM_CHECK).
void report_finding(Finding);

// A kernel stopped with a fault: in one line, and with source lines; what last_fault() of gpusim/report.h gives.
void note_fault(const std::string& message, const std::string& quoted);

// The source position of an instruction.
Place place_of(const Program&, u32 pc);

// One line and column of one file; nowhere is the same place as nowhere.
bool same_place(const Place&, const Place&);

// "block 3", "block (1,2,0)"; "thread 37 (warp 1, lane 5)" — the words that findings use for who did it.
std::string block_name(const LaunchInfo&, u64 block);
std::string thread_name(const LaunchInfo&, u32 thread);

// `message` ("file:line:column: …", or the place alone) followed by the source line and a caret under the column, where the file can be read.
std::string with_source_line(const std::string& message);

// Checks are observers made by these; each lives as long as it is attached.
std::unique_ptr<Observer> make_race_check();     // races_*.cpp: shared memory, global memory
std::unique_ptr<Observer> make_memory_check();   // never_written.cpp
std::unique_ptr<Observer> make_barrier_check();  // barrier_check.cpp
std::unique_ptr<Observer> make_shuffle_check();  // shuffle_check.cpp

}  // namespace gpusim
