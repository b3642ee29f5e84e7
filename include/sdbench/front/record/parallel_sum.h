#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// Describes several devices as one. Repeated names become "2 x NAME". Different names are joined
/// by " + ", and different architectures, compute capabilities and driver versions by "+". The
/// result is empty if any device has no name, because that device is unknown.
[[nodiscard]] DeviceInfo joined_device(std::span<const DeviceInfo> devices);

/// Finds the cell's device in `devices`; for a parallel cell, joins all of its devices. Empty if
/// one of them is missing.
[[nodiscard]] DeviceInfo device_of(const Cell& cell, const std::vector<DeviceInfo>& devices);

/// Makes the sum row of a parallel execution from the rows of its devices, given in the execution's
/// order.
/// - Run r lasts from when the first device starts it until the last one ends it. The run counts
///   only if every device completed it.
/// - Rates are those of all images together.
/// - If a device failed, the row is an error without rates. An interrupted execution keeps the runs
///   that all devices completed.
/// - `alone_images_per_min`: sum of the rates that the devices had when each ran alone; empty if
///   one of these rates is unknown.
[[nodiscard]] RunRecord sum_record(const Cell& whole, std::span<const RunRecord> devices,
                                   const RecordContext& context,
                                   std::optional<double> alone_images_per_min);

/// Sets the flag `partner_lost` in successful rows of a parallel execution if another device failed
/// or completed fewer runs. `devices`: the devices' rows, at least one.
void flag_lost_partners(std::span<RunRecord> devices);

} // namespace sdbench
