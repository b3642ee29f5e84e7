#include "sdbench/base/types/status.h"

#include "sdbench/base/text/named.h"

namespace sdbench {
namespace {

constexpr Named<Status> kNames[] = {
    {Status::kOk, "ok"},
    {Status::kOomDevice, "oom_device"},
    {Status::kOomHost, "oom_host"},
    {Status::kCrash, "crash"},
    {Status::kTimeout, "timeout"},
    {Status::kError, "error"},
    {Status::kInvalidOutput, "invalid_output"},
    {Status::kSkipped, "skipped"},
    {Status::kInterrupted, "interrupted"},
};

} // namespace

std::string_view name_of(Status status) {
  return name_in(kNames, status);
}

std::optional<Status> status_from_name(std::string_view name) {
  return value_named(kNames, name);
}

} // namespace sdbench
