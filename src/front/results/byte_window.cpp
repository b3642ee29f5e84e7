#include "sdbench/front/results/byte_window.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/descriptor.h"

namespace sdbench {

bool ByteWindow::grow() {
  constexpr std::size_t kFirst = std::size_t{64} << 10;
  constexpr std::size_t kMost = std::size_t{1} << 20;
  if (begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  }
  end_ -= begin_;
  begin_ = 0;
  buffer_.resize(std::max(buffer_.size(), end_ + std::clamp(buffer_.size(), kFirst, kMost)));
  const std::size_t got = source_(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  return got > 0;
}

void ByteWindow::drop(std::size_t count) {
  const std::string_view gone = bytes().substr(0, count);
  // The compiler vectorises the counting of parts whose count fits in one byte.
  constexpr std::size_t kPart = 255;
  for (std::size_t at = 0; at < gone.size(); at += kPart) {
    unsigned char lines = 0;
    for (const char byte : gone.substr(at, kPart)) {
      lines = static_cast<unsigned char>(lines + (byte == '\n' ? 1 : 0));
    }
    line_ += lines;
  }
  begin_ += gone.size();
}

bool ByteWindow::drop_line() {
  std::size_t end = 0;
  while ((end = bytes().find('\n')) == std::string_view::npos) {
    drop(bytes().size());
    if (!grow()) {
      return false;
    }
  }
  drop(end + 1);
  return true;
}

ByteWindow::Source file_source(const std::filesystem::path& file) {
  const auto descriptor = std::make_shared<Descriptor>(open_regular_file(file));
  return [descriptor, file](char* to, std::size_t count) {
    ssize_t got = 0;
    do {
      got = ::read(descriptor->get(), to, count);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      throw Error("cannot read " + file.string() + ": " + std::strerror(errno));
    }
    return static_cast<std::size_t>(got);
  };
}

ByteWindow::Source text_source(std::string_view text) {
  return [text](char* to, std::size_t count) mutable {
    const std::size_t got = text.copy(to, count);
    text.remove_prefix(got);
    return got;
  };
}

} // namespace sdbench
