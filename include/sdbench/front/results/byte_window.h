#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sdbench {

/// Bytes through a window that moves on, so that a large file never lies in memory whole.
class ByteWindow {
public:
  /// Puts up to `count` bytes at `to` and says how many; 0: there are no more.
  using Source = std::function<std::size_t(char* to, std::size_t count)>;

  explicit ByteWindow(Source source) : source_(std::move(source)) {}

  /// What has come and is not dropped yet.
  [[nodiscard]] std::string_view bytes() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  /// Lets more come behind it, which moves it in memory; false at the end of the source.
  bool grow();
  /// Takes bytes off its front.
  void drop(std::size_t count);
  /// Drops what is left of the line at its front. False if nothing comes behind it.
  bool drop_line();

  /// Number of the line that the window begins in, from 1.
  [[nodiscard]] std::size_t line() const { return line_; }

private:
  Source source_;
  std::string buffer_; ///< its size is what is set aside
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t line_ = 1;
};

/// The bytes of a regular file. Throws Error, at once and while it is read.
[[nodiscard]] ByteWindow::Source file_source(const std::filesystem::path& file);
/// The bytes of a text, which must live as long as the source.
[[nodiscard]] ByteWindow::Source text_source(std::string_view text);

} // namespace sdbench
