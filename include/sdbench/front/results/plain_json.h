#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "sdbench/front/results/eight_bytes.h"

namespace sdbench {

/// Scans a JSON text value by value, without building a document and almost without allocation.
/// Refuses invalid JSON and the rare JSON named at kNotPlain, but accepts texts that are invalid
/// UTF-8. No number that it accepts overflows the type into which it is read.
class PlainJson {
public:
  enum class Stop {
    kNone,
    kNeedsMore, ///< the bytes end before the value ends
    kNotPlain,  ///< broken, or rare JSON: \u, numbers of many digits, deep nesting
  };

  explicit PlainJson(std::string_view bytes) : bytes_(bytes) {}

  // Each function returns false if it had to stop (see why()); nothing can be read after that.

  /// Moves to the next byte that is not white space; false at the end of the bytes.
  bool skip_blanks();
  /// Moves past the byte `expected`; stops if another byte comes next.
  bool need(char expected);
  // These move past the expected text if it comes next; otherwise they return false without
  // stopping.
  bool pass(char expected);
  bool pass(std::string_view expected);
  /// Reads a text whose opening quote has already been passed. Returns it without quotes and
  /// escapes. A text that had escapes is stored in `unescaped`; otherwise the view points into the
  /// bytes.
  bool read_text(std::string_view& text, std::deque<std::string>& unescaped);
  /// Reads a number without converting it.
  bool read_number(std::string_view& text);
  bool read_number(double& value);
  bool read_integer(std::int64_t& value);
  bool read_null();
  /// Skips any value.
  bool skip_value(int depth = 0);
  /// These read an object or a list that begins at the next byte. White space may separate its
  /// parts. They call `read(name)` at each member's value, or `read()` at each item.
  template <typename Read>
  bool read_members(const Read& read);
  template <typename Read>
  bool read_items(const Read& read);

  /// The next byte; '\0' at the end, because valid JSON contains no such byte.
  [[nodiscard]] char next() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
  [[nodiscard]] std::size_t used() const { return at_; }
  [[nodiscard]] Stop why() const { return why_; }
  bool refuse();

private:
  bool stop_at_end();
  bool read_word(std::string_view word);
  bool unescape(std::string_view& text, std::deque<std::string>& unescaped);
  bool pass_digits();

  std::string_view bytes_;
  std::size_t at_ = 0;
  Stop why_ = Stop::kNone;
  std::deque<std::string> skipped_; ///< storage for unescaped member names and skipped texts
};

// Inline, because they run several times per value, and function calls would take half of the time.

inline bool PlainJson::stop_at_end() {
  why_ = why_ == Stop::kNone ? Stop::kNeedsMore : why_;
  return false;
}

inline bool PlainJson::refuse() {
  why_ = why_ == Stop::kNone ? Stop::kNotPlain : why_;
  return false;
}

inline bool PlainJson::skip_blanks() {
  while (at_ < bytes_.size()) {
    const char byte = bytes_[at_];
    if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') {
      return true;
    }
    ++at_;
  }
  return stop_at_end();
}

inline bool PlainJson::need(char expected) {
  return pass(expected) || (at_ == bytes_.size() ? stop_at_end() : refuse());
}

inline bool PlainJson::pass(char expected) {
  const bool comes = at_ < bytes_.size() && bytes_[at_] == expected;
  at_ += comes ? 1 : 0;
  return comes;
}

inline bool PlainJson::pass(std::string_view expected) {
  const std::size_t size = expected.size();
  if (bytes_.size() - at_ < size) {
    return false;
  }
  const char* const here = bytes_.data() + at_;
  bool comes = true;
  if (size < sizeof(std::uint64_t)) {
    comes = std::equal(expected.begin(), expected.end(), here);
  } else { // eight at once, the last ones maybe twice
    const std::size_t last = size - sizeof(std::uint64_t);
    for (std::size_t i = 0; i < last && comes; i += sizeof(std::uint64_t)) {
      comes = eight_at(here + i) == eight_at(expected.data() + i);
    }
    comes = comes && eight_at(here + last) == eight_at(expected.data() + last);
  }
  at_ += comes ? size : 0;
  return comes;
}

inline bool PlainJson::read_null() {
  return read_word("null");
}

inline bool PlainJson::read_word(std::string_view word) {
  return pass(word) || (bytes_.size() - at_ < word.size() ? stop_at_end() : refuse());
}

template <typename Read>
bool PlainJson::read_members(const Read& read) {
  std::string_view name;
  if (!need('{') || !skip_blanks()) {
    return false;
  }
  if (pass('}')) {
    return true;
  }
  for (;;) {
    const bool is_read = skip_blanks() && need('"') && read_text(name, skipped_) && skip_blanks() &&
                         need(':') && skip_blanks() && read(name) && skip_blanks();
    if (!is_read) {
      return false;
    }
    if (!pass(',')) {
      return need('}');
    }
  }
}

template <typename Read>
bool PlainJson::read_items(const Read& read) {
  if (!need('[') || !skip_blanks()) {
    return false;
  }
  if (pass(']')) {
    return true;
  }
  for (;;) {
    if (!skip_blanks() || !read() || !skip_blanks()) {
      return false;
    }
    if (!pass(',')) {
      return need(']');
    }
  }
}

} // namespace sdbench
