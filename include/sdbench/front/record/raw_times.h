#pragma once

#include <optional>
#include <vector>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The part of a record that no field holds. Only JSON, JSON lines and databases have it.
struct RawTimes {
  std::optional<RunSample> first_image;
  std::vector<RunSample> samples; ///< the timed runs
  std::optional<PartialRun> partial_run;

  [[nodiscard]] bool empty() const { return !first_image && samples.empty() && !partial_run; }
};

[[nodiscard]] bool has_raw_times(const RunRecord& record);
/// Moves them out of the record.
[[nodiscard]] RawTimes take_raw_times(RunRecord& record);
void put_raw_times(RunRecord& record, RawTimes raw);

} // namespace sdbench
