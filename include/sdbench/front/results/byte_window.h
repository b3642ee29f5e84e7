#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sdbench {

/// A moving window of bytes, so that a large file is never in memory as a whole.
class ByteWindow {
public:
  /// Writes up to `count` bytes to `to` and returns how many; 0: the end.
  using Source = std::function<std::size_t(char* to, std::size_t count)>;

  explicit ByteWindow(Source source) : source_(std::move(source)) {}

  /// The bytes that were read and not dropped yet.
  [[nodiscard]] std::string_view bytes() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  /// Reads more bytes, which invalidates views of bytes(); false at the end of the source.
  bool grow();
  /// Drops bytes from the front.
  void drop(std::size_t count);
  /// Drops the rest of the first line. False if nothing follows it.
  bool drop_line();

  /// Number of the line in which the window begins, from 1.
  [[nodiscard]] std::size_t line() const { return line_; }

private:
  Source source_;
  std::string buffer_; ///< its size is the allocated space
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t line_ = 1;
};

/// The bytes of a regular file. Throws Error, both here and while reading.
[[nodiscard]] ByteWindow::Source file_source(const std::filesystem::path& file);
/// The bytes of a text, which must live as long as the source.
[[nodiscard]] ByteWindow::Source text_source(std::string_view text);

} // namespace sdbench
