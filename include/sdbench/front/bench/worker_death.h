#pragma once

#include <cstdint>
#include <string>

#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// The facts about a worker that ended without an answer.
struct WorkerDeath {
  int wait_status = 0; ///< from waitpid
  bool had_said_hello = false;
  bool kernel_ran_out_of_memory = false; ///< oom_kill_count() rose while the worker ran
  CellStage stage = CellStage::kStart;
  Task task = Task::kGenerate; ///< what the worker had to do
  std::string stderr_tail;
  /// If several devices train on one shared batch: the device that ended before this one. Else
  /// empty.
  std::string ended_partner = {};
};

struct DeathVerdict {
  Status status = Status::kCrash;
  std::string message; ///< one line
};

/// Finds the cause: out of memory, another device that ended first, a signal, a library that cannot
/// be loaded, or an exit code.
[[nodiscard]] DeathVerdict explain_death(const WorkerDeath& death);

/// The last line that is not blank.
[[nodiscard]] std::string last_line(const std::string& text);

/// Number of processes that the kernel's out-of-memory killer has ended so far: the host's count
/// plus the count of this process's cgroup. Only an increase is meaningful, because one process may
/// be in both counts.
[[nodiscard]] std::int64_t oom_kill_count();

/// The number after the key "oom_kill" in /proc/vmstat, memory.events or memory.oom_control; 0
/// without that key.
[[nodiscard]] std::int64_t parse_oom_kills(const std::string& text);

} // namespace sdbench
