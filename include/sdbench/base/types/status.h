#pragma once

#include <optional>
#include <string_view>

namespace sdbench {

/// How a cell (one measurement) ended. Every cell is written to the results as a record, whatever
/// its status.
enum class Status {
  kOk,
  kOomDevice,
  kOomHost,
  kCrash,
  kTimeout,
  kError,
  kInvalidOutput,
  kSkipped,
  kInterrupted,
};

/// The status's name: "ok", "oom_device", "oom_host", "crash", "timeout", "error",
/// "invalid_output", "skipped", "interrupted".
[[nodiscard]] std::string_view name_of(Status status);
[[nodiscard]] std::optional<Status> status_from_name(std::string_view name);

} // namespace sdbench
