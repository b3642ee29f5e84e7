#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"

namespace sdbench {

/// A record of a file: its only one, or the one with the given run_id (or its beginning).
struct NamedRecord {
  RunRecord record;
  std::vector<BadRow> bad; ///< other rows of the file, which cannot be read
};

/// Throws UsageError for a file of the wrong kind, and if it is ambiguous which record is meant.
/// Throws Error for an unreadable row that may be the one meant.
[[nodiscard]] NamedRecord record_to_reproduce(const std::filesystem::path& file,
                                              const std::optional<std::string>& run_id);

/// A record's cell as options of `sdbench run`, as far as this machine allows.
struct Reproduction {
  RunOptions options;
  std::vector<std::string> remarks; ///< what this machine lacks, and what replaces it
};

/// `devices`: of this machine, see Executor::devices. `given`: options by name, which override the
/// record's. Throws UsageError unless the record measures a single cell.
[[nodiscard]] Reproduction
reproduction_of(const RunRecord& record, const std::vector<DeviceInfo>& devices, const Json& given);

} // namespace sdbench
