#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/earlier_rows.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/other_engines/disk_estimate.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// One step of a planned sweep.
struct PlannedStep {
  const SweepCell* cell = nullptr;
  SweepStep step;
  std::string engine;                 ///< in words
  std::vector<std::string> varying;   ///< a value for each axis of the plan
  std::string left_out;               ///< why it would not run; empty if it would
  std::optional<double> expected_s;   ///< from rows of the same cell, else from arithmetic
  bool by_rows = false;               ///< expected_s is from rows
  std::int64_t memory_bytes = 0;      ///< for fp16 if a pipeline's dtype is auto; 0: unknown
  std::int64_t memory_fp32_bytes = 0; ///< for fp32 if a pipeline's dtype is auto; else 0
};

/// What a sweep would do, in the order of its steps.
struct Plan {
  std::vector<std::string> axes; ///< names of planned_axes(), which become further columns
  std::vector<PlannedStep> steps;
  std::size_t left_out = 0;
  std::size_t unknown = 0;               ///< steps of unknown duration
  double seconds = 0;                    ///< expected for all other steps
  DiskEstimate disk;                     ///< for engines of others
  std::vector<const EngineRow*> missing; ///< engines that are not set up
  bool sets_up = false;                  ///< --yes: the run sets them up before it begins
};

/// The approximate memory that a cell needs ("4.27 GiB"), or "unknown" if its model cannot be read.
[[nodiscard]] std::string memory_words(const Cell& cell);

/// Seconds that a cell should take by its arithmetic; nothing if unknown.
using Estimate = std::function<std::optional<double>(const Cell&)>;

/// The plan, which points into `cells`.
/// - `missing`: the cells' engines that are not set up; with `yes` the run would set them up
/// - `rows`: the rows that the outputs hold
/// - `earlier` (may be null) and `devices`: for --resume
/// - `estimate`: for cells that may take long and have no such rows
[[nodiscard]] Plan plan_of(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
                           std::vector<const EngineRow*> missing, bool yes,
                           std::span<const RunRecord> rows, EarlierRows* earlier,
                           const std::vector<DeviceInfo>& devices, const RecordContext& context,
                           const Estimate& estimate);

/// One line per step: what was asked for, the memory that it needs, and the time that it should
/// take, or why it would not run.
[[nodiscard]] std::string to_text(const Plan& plan, const Screen& screen = {});
/// The same for programs, in SI units.
[[nodiscard]] std::string to_json_text(const Plan& plan);

} // namespace sdbench
