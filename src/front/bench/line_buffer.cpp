#include "sdbench/front/bench/line_buffer.h"

#include "sdbench/base/errors/error.h"

namespace sdbench {

std::optional<std::string> LineBuffer::next() {
  const std::size_t newline = text_.find('\n', searched_);
  if (newline != std::string::npos) {
    std::string line = text_.substr(0, newline);
    text_.erase(0, newline + 1);
    searched_ = 0;
    return line;
  }
  searched_ = text_.size();
  if (text_.size() > max_line_bytes_) {
    throw Error("a line must be at most " + std::to_string(max_line_bytes_) +
                " bytes, but is longer");
  }
  return std::nullopt;
}

void TailBuffer::append(std::string_view bytes) {
  text_ += bytes;
  if (text_.size() <= max_bytes_) {
    return;
  }
  text_.erase(0, text_.size() - max_bytes_);
  const std::size_t newline = text_.find('\n');
  if (newline != std::string::npos && newline + 1 < text_.size()) {
    text_.erase(0, newline + 1);
  }
}

} // namespace sdbench
