#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// Several devices as one: kinds, generations and drivers joined by "+" where they differ, names as
/// "2 x NAME". The result has no name if a device has none, because that device is unknown.
[[nodiscard]] DeviceInfo joined_device(std::span<const DeviceInfo> devices);

/// The device that a cell's rows will name, if `devices` has it.
[[nodiscard]] DeviceInfo device_of(const Cell& cell, const std::vector<DeviceInfo>& devices);

/// Makes the row of a whole parallel execution from the rows of its devices, in their order. Run r
/// lasts from the first device's start to the last one's end, and counts if all devices made it.
/// Rates are of all images together. A device that failed makes it an error without rates; an
/// interrupted one keeps the runs that all had made. `alone_images_per_min`: the sum of the
/// devices' rates when each ran alone; empty if one of them has no such row.
[[nodiscard]] RunRecord sum_record(const Cell& whole, std::span<const RunRecord> devices,
                                   const RecordContext& context,
                                   std::optional<double> alone_images_per_min);

/// Sets the flag `partner_lost` in the good rows if a partner failed or made fewer runs. Needs at
/// least one row.
void flag_lost_partners(std::span<RunRecord> devices);

} // namespace sdbench
