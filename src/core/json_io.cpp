#include "sdbench/core/json_io.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include "sdbench/core/atomic_file.h"
#include "sdbench/core/descriptor.h"
#include "sdbench/core/error.h"
#include "sdbench/core/utf8.h"

namespace sdbench {
namespace {

/// Copying and writing a document recurse: a deeper one could overflow the stack.
constexpr int kMaxJsonDepth = 64;
constexpr std::size_t kMaxReasonBytes = 240;

} // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const Descriptor file = open_regular_file(path);
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
    }
    if (count == 0) {
      return content;
    }
    content.append(buffer, static_cast<std::size_t>(count));
    if (content.size() > max_bytes) {
      throw Error("cannot read " + path.string() + ": it must be at most " +
                  std::to_string(max_bytes) + " bytes, but is larger");
    }
  }
}

Json read_json_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const std::string text = read_text_file(path, max_bytes);
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxJsonDepth) {
      throw Error(path.string() + " must be nested at most " + std::to_string(kMaxJsonDepth) +
                  " levels deep, but is deeper");
    }
    return true;
  };
  try {
    return Json::parse(text, check_depth);
  } catch (const Json::exception& error) {
    // The message quotes the last token, which in a wrong file may be all of it.
    throw Error(path.string() + " must be JSON, but is not: " +
                to_valid_utf8(std::string_view(error.what()).substr(0, kMaxReasonBytes)));
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

} // namespace sdbench
