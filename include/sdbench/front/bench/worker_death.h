#pragma once

#include <string>

#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task.h"

namespace sdbench {

/// The facts about a worker that ended without an answer.
struct WorkerDeath {
  int wait_status = 0; ///< from waitpid
  bool had_said_hello = false;
  bool kernel_ran_out_of_memory = false; ///< the out-of-memory killer's count rose meanwhile
  CellStage stage = CellStage::kStart;
  Task task = Task::kGenerate; ///< what the worker had to do
  std::string stderr_tail;
  std::string ended_partner = {}; ///< device of the same shared batch that ended before it
};

struct DeathVerdict {
  Status status = Status::kCrash;
  std::string message; ///< one line
};

/// Names the cause: out of memory, another device that has ended, a signal, a libtorch that cannot
/// be loaded, an exit code.
[[nodiscard]] DeathVerdict explain_death(const WorkerDeath& death);

/// The last line of a text that is not blank.
[[nodiscard]] std::string last_line(const std::string& text);

} // namespace sdbench
