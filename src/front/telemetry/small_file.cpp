#include "small_file.h"

#include <cerrno>
#include <charconv>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

std::string read_small_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text;
  char bytes[4096];
  for (ssize_t count = 1; file.ok() && count != 0;) {
    count = ::read(file.get(), bytes, sizeof bytes);
    if (count < 0 && errno != EINTR) {
      return {};
    }
    text.append(bytes, static_cast<std::size_t>(count > 0 ? count : 0));
  }
  return text;
}

std::optional<double> read_number_file(const std::filesystem::path& path) {
  const std::string text = read_small_file(path);
  double number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

} // namespace sdbench
