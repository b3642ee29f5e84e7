#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace sdbench {

/// Goes through the bytes of a JSON text value by value, makes nothing of them and allocates next
/// to nothing. It knows plain JSON alone, but refuses the rest for certain: what it passes is valid
/// but for texts that are not UTF-8, and holds no number that a double or a reader could overflow
/// on.
class PlainJson {
public:
  enum class Stop {
    kNone,
    kNeedsMore, ///< the bytes end too early
    kNotPlain,  ///< broken, or rare: \u, numbers of many digits, deep nesting
  };

  explicit PlainJson(std::string_view bytes) : bytes_(bytes) {}

  // Each is false where it stopped; from there on nothing can be read.

  /// To the next byte that is no blank; false at the end of the bytes.
  bool skip_blanks();
  /// Passes these bytes if they come next; false, and nothing is passed, if others do.
  bool pass(std::string_view expected);
  /// Passes this byte, which must come next.
  bool need(char expected);
  /// A text behind its first quote, without its quotes and escapes. It lives as long as the bytes,
  /// or as long as `unescaped`.
  bool read_text(std::string_view& text, std::deque<std::string>& unescaped);
  /// The number as it is written.
  bool read_number(std::string_view& text);
  bool read_null() { return read_word("null"); }
  /// Any value.
  bool skip_value(int depth = 0);
  /// The object or the list that begins here, blanks between its parts included: calls `read(name)`
  /// at each member's value, or `read()` at each item.
  template <typename Read>
  bool read_members(const Read& read);
  template <typename Read>
  bool read_items(const Read& read);

  /// The byte that comes next; '\0' at the end, as for a byte that is none of JSON's.
  [[nodiscard]] char next() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
  [[nodiscard]] std::size_t used() const { return at_; }
  [[nodiscard]] Stop why() const { return why_; }
  bool refuse();

private:
  [[nodiscard]] std::string_view rest() const { return bytes_.substr(at_); }
  bool stop_at_end();
  bool read_word(std::string_view word);
  bool unescape(std::string_view& text, std::deque<std::string>& unescaped);
  bool pass_digits();

  std::string_view bytes_;
  std::size_t at_ = 0;
  Stop why_ = Stop::kNone;
  std::deque<std::string> skipped_; ///< unescaped names and texts that nobody asked for
};

template <typename Read>
bool PlainJson::read_members(const Read& read) {
  std::string_view name;
  if (!need('{') || !skip_blanks()) {
    return false;
  }
  if (pass("}")) {
    return true;
  }
  for (;;) {
    const bool is_read = skip_blanks() && need('"') && read_text(name, skipped_) && skip_blanks() &&
                         need(':') && skip_blanks() && read(name) && skip_blanks();
    if (!is_read) {
      return false;
    }
    if (!pass(",")) {
      return need('}');
    }
  }
}

template <typename Read>
bool PlainJson::read_items(const Read& read) {
  if (!need('[') || !skip_blanks()) {
    return false;
  }
  if (pass("]")) {
    return true;
  }
  for (;;) {
    if (!skip_blanks() || !read() || !skip_blanks()) {
      return false;
    }
    if (!pass(",")) {
      return need(']');
    }
  }
}

} // namespace sdbench
