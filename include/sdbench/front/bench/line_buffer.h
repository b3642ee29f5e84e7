#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Splits a stream of bytes into lines of at most `max_line_bytes`.
class LineBuffer {
public:
  explicit LineBuffer(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  void append(std::string_view bytes) { text_ += bytes; }
  /// The next complete line without its newline, or nullopt if the next line is not complete yet.
  /// Throws Error if a line is longer than `max_line_bytes`.
  [[nodiscard]] std::optional<std::string> next();

private:
  std::size_t max_line_bytes_;
  std::string text_;
  std::size_t searched_ = 0; ///< number of leading bytes of text_ that hold no newline
};

/// Keeps the last `max_bytes` of a stream, beginning at the start of a line where possible.
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
