#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Cuts a stream of bytes into lines. Holds one unfinished line, of bounded length.
class LineBuffer {
public:
  explicit LineBuffer(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  void append(std::string_view bytes) { text_ += bytes; }
  /// The next whole line without its newline. Throws Error once a line is longer than the bound.
  [[nodiscard]] std::optional<std::string> next();

private:
  std::size_t max_line_bytes_;
  std::string text_;
  std::size_t searched_ = 0; ///< leading bytes of text_ without a newline
};

/// The last bytes of a stream, from the start of a line where possible.
class TailBuffer {
public:
  explicit TailBuffer(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  void append(std::string_view bytes);
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  std::size_t max_bytes_;
  std::string text_;
};

} // namespace sdbench
