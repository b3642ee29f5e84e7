#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sdbench {

/// A moving window over a stream of bytes, so that a large file never has to be in memory as a
/// whole.
class ByteWindow {
public:
  /// Writes up to `count` bytes to `to` and returns their number; 0 means the end of the stream.
  using Source = std::function<std::size_t(char* to, std::size_t count)>;

  explicit ByteWindow(Source source) : source_(std::move(source)) {}

  /// The bytes that were read and are not dropped yet.
  [[nodiscard]] std::string_view bytes() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  /// Reads more bytes and invalidates views returned by bytes(). Returns false at the end of the
  /// stream.
  bool grow();
  /// Drops bytes from the front.
  void drop(std::size_t count);
  /// Drops all bytes up to the end of the window's first line, reading more if necessary. Returns
  /// false if no line end follows.
  bool drop_line();

  /// Number of the line in which the window begins, counted from 1.
  [[nodiscard]] std::size_t line() const { return line_; }

private:
  Source source_;
  std::string buffer_; ///< its size is the allocated space, of which [begin_, end_) is in use
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t line_ = 1;
};

/// A source that reads a regular file. Throws Error if the file cannot be opened, and later if it
/// cannot be read.
[[nodiscard]] ByteWindow::Source file_source(const std::filesystem::path& file);
/// A source that reads a text. The text must live as long as the source.
[[nodiscard]] ByteWindow::Source text_source(std::string_view text);

} // namespace sdbench
