#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sdbench/base/record/build_record.h"

namespace sdbench {

/// Several devices as one: kinds, generations and drivers joined by "+" where they differ, names as
/// "2 x NAME". Without a name if one of them has none: it is not known.
[[nodiscard]] DeviceInfo joined_device(std::span<const DeviceInfo> devices);

/// The device that a cell's rows will name, as far as it is among `devices`.
[[nodiscard]] DeviceInfo device_of(const Cell& cell, const std::vector<DeviceInfo>& devices);

/// The row of a whole parallel execution from those of its devices, in their order: a pure
/// function. Run r lasts from the first device's start to the last one's end, and counts if all
/// devices made it; rates are of all images together. A device that failed makes it an error
/// without rates; an interrupted one keeps the runs that all had made. `alone_images_per_min`: of
/// each device alone, added up; empty if one of them has no such row.
[[nodiscard]] RunRecord sum_record(const Cell& whole, std::span<const RunRecord> devices,
                                   const RecordContext& context,
                                   std::optional<double> alone_images_per_min);

/// Flags the good rows whose runs, or some of them, were made without all partners: `partner_lost`.
/// At least one row.
void flag_lost_partners(std::span<RunRecord> devices);

} // namespace sdbench
