#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/earlier_rows.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/other_engines/disk_estimate.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// A step of a sweep that is planned.
struct PlannedStep {
  const SweepCell* cell = nullptr;
  SweepStep step;
  std::string engine;                 ///< in words
  std::vector<std::string> varying;   ///< a value for each axis of the plan
  std::string left_out;               ///< why it would not run; empty: it would
  std::optional<double> expected_s;   ///< by rows of the same cell, else by arithmetic
  bool by_rows = false;               ///< where that is from
  std::int64_t memory_bytes = 0;      ///< where a pipeline's dtype is auto, in fp16; 0: unknown
  std::int64_t memory_fp32_bytes = 0; ///< where a pipeline's dtype is auto; else 0
};

/// What a sweep would do, in the order of its steps.
struct Plan {
  std::vector<std::string> axes; ///< that have no column of their own: see planned_axes
  std::vector<PlannedStep> steps;
  std::size_t left_out = 0;
  std::size_t unknown = 0;               ///< steps whose time nobody knows
  double seconds = 0;                    ///< of the others
  DiskEstimate disk;                     ///< for engines of others
  std::vector<const EngineRow*> missing; ///< engines that are not set up
  bool sets_up = false;                  ///< them, before it begins: --yes
};

/// The memory that a cell needs, about: "4.27 GiB"; "unknown" of a model that cannot be read.
[[nodiscard]] std::string memory_words(const Cell& cell);

/// What a cell should take by its arithmetic, where that can be known.
using Estimate = std::function<std::optional<double>(const Cell&)>;

/// `missing`: the cells' engines that are not set up; with `yes` they would be. `rows`: those that
/// the outputs hold. `earlier` (may be null) and `devices`: for --resume. `estimate`: asked for
/// cells that may take long without such rows. The plan looks into `cells`.
[[nodiscard]] Plan plan_of(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
                           std::vector<const EngineRow*> missing, bool yes,
                           std::span<const RunRecord> rows, EarlierRows* earlier,
                           const std::vector<DeviceInfo>& devices, const RecordContext& context,
                           const Estimate& estimate);

/// A line each step: what is asked for, the memory that it needs, and the time that it should take,
/// or why it would not run.
[[nodiscard]] std::string to_text(const Plan& plan, const Screen& screen = {});
/// The same for programs, in SI units.
[[nodiscard]] std::string to_json_text(const Plan& plan);

} // namespace sdbench
