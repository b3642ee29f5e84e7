#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/results/byte_window.h"

namespace sdbench {

/// The JSON objects of a text, one after the other, uninterpreted: those of an array, of lines, or
/// of several such texts behind each other. What is none is told, and reading goes on behind it, so
/// that one broken object does not spoil the others.
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

  /// To the first byte of what should be the next object; false at the end.
  [[nodiscard]] bool to_next();
  /// What begins there.
  [[nodiscard]] Found look();
  /// Instead of look(), for those who know the object when they see its bytes: it is so many bytes
  /// of the window.
  void take(std::size_t size) { used_ = size; }

  /// Of the object, or of the broken one, where it begins.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// The object's text. It lives until the next call of to_next().
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
