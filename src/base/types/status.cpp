#include "sdbench/base/types/status.h"

#include <array>
#include <utility>

namespace sdbench {
namespace {

constexpr std::array kNames{
    std::pair{Status::kOk, std::string_view("ok")},
    std::pair{Status::kOomDevice, std::string_view("oom_device")},
    std::pair{Status::kOomHost, std::string_view("oom_host")},
    std::pair{Status::kCrash, std::string_view("crash")},
    std::pair{Status::kTimeout, std::string_view("timeout")},
    std::pair{Status::kError, std::string_view("error")},
    std::pair{Status::kInvalidOutput, std::string_view("invalid_output")},
    std::pair{Status::kSkipped, std::string_view("skipped")},
    std::pair{Status::kInterrupted, std::string_view("interrupted")},
};

} // namespace

std::string_view name_of(Status status) {
  for (const auto& [value, name] : kNames) {
    if (value == status) {
      return name;
    }
  }
  return "error";
}

std::optional<Status> status_from_name(std::string_view wanted) {
  for (const auto& [value, name] : kNames) {
    if (name == wanted) {
      return value;
    }
  }
  return std::nullopt;
}

} // namespace sdbench
