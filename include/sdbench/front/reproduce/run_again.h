#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/bench/sweep_runner.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Cells of existing records that are to be measured again.
struct CellsAgain {
  std::vector<SweepCell> cells;
  std::vector<SweepStep> steps;
  std::vector<std::filesystem::path> files; ///< files to which the rows are written
  int verbosity = 0;
  ProbeUse probe = ProbeUse::kAuto;
};

struct RanAgain {
  std::vector<RunRecord> rows;
  SweepTally tally;
  bool all_saved = true;
};

/// Measures the cells with telemetry, shows progress and saves the rows.
[[nodiscard]] RanAgain run_again(const CellsAgain& again, RecordContext context, Executor& executor,
                                 const InterruptGuard& interrupt,
                                 const std::shared_ptr<spdlog::logger>& logger,
                                 const Streams& streams);

} // namespace sdbench
