#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// A file's record: its only one, or that whose run_id this is, or begins.
struct NamedRecord {
  RunRecord record;
  std::vector<BadRow> bad; ///< other rows of the file, which cannot be read
};

/// Throws UsageError for a file that keeps no records, and where it does not say which is meant.
/// Throws Error for a row that cannot be read and may be the one that is meant.
[[nodiscard]] NamedRecord record_to_reproduce(const std::filesystem::path& file,
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
