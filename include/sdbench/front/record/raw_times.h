#pragma once

#include <optional>
#include <vector>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The times of single runs and steps, which no field of the record holds. Only JSON, JSON Lines
/// and databases store them; CSV does not.
struct RawTimes {
  std::optional<RunSample> first_image;
  std::vector<RunSample> samples; ///< the timed runs
  std::optional<PartialRun> partial_run;

  [[nodiscard]] bool empty() const { return !first_image && samples.empty() && !partial_run; }
};

[[nodiscard]] bool has_raw_times(const RunRecord& record);
/// Moves the raw times out of the record.
[[nodiscard]] RawTimes take_raw_times(RunRecord& record);
void put_raw_times(RunRecord& record, RawTimes raw);

} // namespace sdbench
