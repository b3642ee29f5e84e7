#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A record's cell on this machine.
struct SameCell {
  std::optional<SweepCell> cell; ///< its rows repeat the record's measurement
  std::string obstacle;          ///< why there is no cell: "it is of alpha, and this is beta"
};

/// Exactly the record's cell, with the same cell_id and env_id; never a similar one. `devices` are
/// those of this machine, see Executor::devices.
[[nodiscard]] SameCell same_cell(const RunRecord& record, const std::vector<DeviceInfo>& devices,
                                 const RecordContext& context);

} // namespace sdbench
