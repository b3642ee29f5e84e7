#include "sdbench/sink/telemetry_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdbench/core/error.h"
#include "sdbench/sink/telemetry_csv.h"

namespace sdbench {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw Error("cannot write telemetry to " + path.string() + ": " + reason);
}

std::string read_at(const Descriptor& file, off_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  const ssize_t got = ::pread(file.get(), bytes.data(), count, offset);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

/// Where the last whole line ends.
off_t end_of_lines(const Descriptor& file, off_t size) {
  constexpr off_t kLongestLine = 1 << 20;
  const off_t from = size > kLongestLine ? size - kLongestLine : 0;
  const std::size_t last = read_at(file, from, static_cast<std::size_t>(size - from)).rfind('\n');
  return last == std::string::npos ? size : from + static_cast<off_t>(last) + 1;
}

} // namespace

TelemetryFile::TelemetryFile(std::filesystem::path path)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                   0644)) {
  struct stat status {};
  if (!file_.ok() || ::fstat(file_.get(), &status) != 0) {
    refuse(path_, std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    refuse(path_, "it must be a regular file, but is not");
  }
  const std::string header = telemetry_csv_header();
  if (status.st_size == 0) {
    append(header);
  } else if (read_at(file_, 0, header.size()) != header) {
    refuse(path_, "its first line must be the header of this sdbench's samples, but is another; "
                  "move the file away, or name another");
  } else if (::ftruncate(file_.get(), end_of_lines(file_, status.st_size)) != 0) {
    refuse(path_, std::strerror(errno));
  }
}

void TelemetryFile::append(const std::string& rows) {
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  const ssize_t written = ::write(file_.get(), rows.data(), rows.size());
  if (written == static_cast<ssize_t>(rows.size())) {
    return;
  }
  const std::string reason = written < 0 ? std::strerror(errno) : "no space left for a whole row";
  if (written > 0 && ::ftruncate(file_.get(), before) != 0) {
    refuse(path_, reason + ", and the half row could not be taken back");
  }
  refuse(path_, reason);
}

} // namespace sdbench
