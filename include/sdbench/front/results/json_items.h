#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/results/byte_window.h"

namespace sdbench {

/// Splits a text into its JSON objects without parsing them. The text may be an array, JSON Lines,
/// or several such texts concatenated. Text that is not an object is returned as kBroken, and
/// reading continues after it, so that one broken object does not spoil the others.
class JsonItems {
public:
  enum class Form {
    kDocument, ///< after a broken object, the next line with a leading brace begins a new object
    kLines,    ///< each line is one object
  };
  enum class Found {
    kItem,
    kBroken, ///< see reason()
  };

  JsonItems(ByteWindow& window, Form form) : window_(window), form_(form) {}

  /// Moves to the first byte of the next object; false at the end.
  [[nodiscard]] bool to_next();
  /// Finds the end of the object to which to_next() moved.
  [[nodiscard]] Found look();
  /// Call this instead of look() if the object's size in bytes is already known.
  void take(std::size_t size) { used_ = size; }

  /// Number of the line in which the object begins, counted from 1; also for a broken object.
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
  std::size_t used_ = 0; ///< size in bytes of the object at the window's front
  std::size_t wasted_ = 0;
  std::size_t line_ = 1;
  std::string reason_;
};

} // namespace sdbench
