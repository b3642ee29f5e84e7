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

/// The record to be reproduced, and problems in its file.
struct NamedRecord {
  RunRecord record;
  std::vector<BadRow> bad; ///< other rows of the file that cannot be read
};

/// Moves out the row whose run_id is `run_id`, or the only one whose run_id begins with it. Throws
/// UsageError if there is no such row, or several. The message names `option`, which gave `run_id`,
/// and `place`, which holds the records.
[[nodiscard]] RunRecord row_named(std::vector<RunRecord>& records, const std::string& run_id,
                                  const std::string& option, const std::string& place);

/// Finds the record whose run_id is `run_id` or begins with it; without `run_id`, takes the file's
/// only record. Throws UsageError if the file is of the wrong kind, or if no record or several
/// match. Throws Error if an unreadable row may be the record that is meant.
[[nodiscard]] NamedRecord record_to_reproduce(const std::filesystem::path& file,
                                              const std::optional<std::string>& run_id);

/// A record's cell as options of `sdbench run`, as far as this machine allows.
struct Reproduction {
  RunOptions options;
  std::vector<std::string> remarks; ///< what this machine lacks, and what is used instead
};

/// Turns a record into options that repeat its measurement here. `devices`: the devices of this
/// machine, see Executor::devices. `given`: the user's options by name, which override the
/// record's. Throws UsageError unless the record is a measurement on a single device.
[[nodiscard]] Reproduction
reproduction_of(const RunRecord& record, const std::vector<DeviceInfo>& devices, const Json& given);

} // namespace sdbench
