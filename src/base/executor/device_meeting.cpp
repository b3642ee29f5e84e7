#include "sdbench/base/executor/device_meeting.h"

#include <fcntl.h>
#include <unistd.h>

namespace sdbench {
namespace {

std::string mark_of(const std::filesystem::path& meeting, std::int64_t number) {
  return (meeting / ("ended-" + std::to_string(number))).string();
}

} // namespace

std::filesystem::path meeting_store(const std::filesystem::path& meeting) {
  return meeting / "store";
}

void tell_ended(const std::filesystem::path& meeting, std::int64_t number) noexcept {
  const int mark = ::open(mark_of(meeting, number).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (mark >= 0) {
    ::close(mark);
  }
}

bool has_ended(const std::filesystem::path& meeting, std::int64_t number) {
  return ::access(mark_of(meeting, number).c_str(), F_OK) == 0;
}

std::string partner_has_ended(const std::string& device) {
  return "all devices must train together, but " + device + " has ended; its row says why";
}

} // namespace sdbench
