#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/results/byte_window.h"

namespace sdbench {

/// Splits a text into its JSON objects without parsing them: an array, lines, or several such texts
/// concatenated. Reports text that is not an object and continues after it, so that one broken
/// object does not spoil the others.
class JsonItems {
public:
  enum class Form {
    kDocument, ///< a broken object ends before the next line that begins with a brace
    kLines,    ///< an object is one line
  };
  enum class Found {
    kItem,
    kBroken, ///< see reason()
  };

  JsonItems(ByteWindow& window, Form form) : window_(window), form_(form) {}

  /// Moves to the first byte of the next object; false at the end.
  [[nodiscard]] bool to_next();
  /// Finds the end of the object that begins there.
  [[nodiscard]] Found look();
  /// Replaces look() if the caller knows the object's size in bytes.
  void take(std::size_t size) { used_ = size; }

  /// The line in which the object, or the broken object, begins.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// The object's text. Valid until the next call of to_next().
  [[nodiscard]] std::string_view item() const { return window_.bytes().substr(0, used_); }
  [[nodiscard]] const std::string& reason() const { return reason_; }

private:
  [[nodiscard]] Found broken(const std::string& reason, std::size_t looked_at);
  void skip_to_brace_or_line(std::size_t from);
  void skip_to_line_with_brace();

  ByteWindow& window_;
  Form form_;
  std::size_t used_ = 0; ///< bytes of the object at the window's front
  std::size_t wasted_ = 0;
  std::size_t line_ = 1;
  std::string reason_;
};

} // namespace sdbench
