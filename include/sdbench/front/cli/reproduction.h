#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// The record of a .json, .jsonl or .csv file: its only one, or that whose run_id this is, or
/// begins. Throws UsageError for other files, and where the file does not say which, Error for one
/// that cannot be read.
[[nodiscard]] RunRecord record_to_reproduce(const std::filesystem::path& file,
                                            const std::optional<std::string>& run_id);

/// A record's cell as options of `sdbench run`, as far as this machine can have it.
struct Reproduction {
  RunOptions options;
  std::vector<std::string> remarks; ///< what cannot be had here, and what is taken instead
};

/// `devices`: those here, see Executor::devices. `given`: options by name that go before the
/// record's. Throws UsageError for a record that is no single cell's measurement.
[[nodiscard]] Reproduction
reproduction_of(const RunRecord& record, const std::vector<DeviceInfo>& devices, const Json& given);

} // namespace sdbench
