#include "sdbench/results/plain_json.h"

#include <algorithm>
#include <cstdint>

namespace sdbench {
namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kLongestNumber = 32; ///< with an exponent of two digits no double overflows

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/// Whether none of the bytes is a control character or a backslash: eight of them at once.
bool is_as_written(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  constexpr std::uint64_t kTop = 0x80 * kEach;
  std::uint64_t found = 0;
  while (!text.empty()) {
    std::uint64_t word = ' ' * kEach;
    text.remove_prefix(text.copy(reinterpret_cast<char*>(&word), sizeof word));
    const std::uint64_t zero_if_backslash = word ^ ('\\' * kEach);
    found |= (word - ' ' * kEach) & ~word; // a borrow can only come from a byte that is found, too
    found |= (zero_if_backslash - kEach) & ~zero_if_backslash;
  }
  return (found & kTop) == 0;
}

} // namespace

bool PlainJson::refuse() {
  why_ = why_ == Stop::kNone ? Stop::kNotPlain : why_;
  return false;
}

bool PlainJson::stop_at_end() {
  why_ = why_ == Stop::kNone ? Stop::kNeedsMore : why_;
  return false;
}

bool PlainJson::skip_blanks() {
  while (at_ < bytes_.size()) {
    const char byte = bytes_[at_];
    if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') {
      return true;
    }
    ++at_;
  }
  return stop_at_end();
}

bool PlainJson::pass(std::string_view expected) {
  const bool comes = rest().starts_with(expected);
  at_ += comes ? expected.size() : 0;
  return comes;
}

bool PlainJson::need(char expected) {
  if (at_ >= bytes_.size()) {
    return stop_at_end();
  }
  if (bytes_[at_] != expected) {
    return refuse();
  }
  ++at_;
  return true;
}

bool PlainJson::read_text(std::string_view& text, std::deque<std::string>& unescaped) {
  const std::size_t end = bytes_.find('"', at_);
  if (end == std::string_view::npos) {
    return stop_at_end();
  }
  text = bytes_.substr(at_, end - at_);
  if (!is_as_written(text)) {
    return unescape(text, unescaped);
  }
  at_ = end + 1;
  return true;
}

bool PlainJson::unescape(std::string_view& text, std::deque<std::string>& unescaped) {
  constexpr std::string_view kEscapes = R"("\/bfnrt)";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  std::string& to = unescaped.emplace_back();
  for (; at_ < bytes_.size(); ++at_) {
    char byte = bytes_[at_];
    if (byte == '"') {
      ++at_;
      text = to;
      return true;
    }
    if (byte == '\\') {
      if (++at_ == bytes_.size()) {
        break;
      }
      const std::size_t escape = kEscapes.find(bytes_[at_]);
      if (escape == std::string_view::npos) {
        return refuse();
      }
      byte = kMeanings[escape];
    } else if (static_cast<unsigned char>(byte) < ' ') {
      return refuse();
    }
    to += byte;
  }
  return stop_at_end();
}

bool PlainJson::pass_digits() {
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && is_digit(bytes_[at_])) {
    ++at_;
  }
  return at_ > begin;
}

bool PlainJson::read_number(std::string_view& text) {
  const std::size_t begin = at_;
  (void)pass("-");
  bool is_valid = pass("0") ? !is_digit(next()) : pass_digits();
  if (is_valid && pass(".")) {
    is_valid = pass_digits();
  }
  if (is_valid && (pass("e") || pass("E"))) {
    (void)(pass("-") || pass("+"));
    const std::size_t exponent = at_;
    is_valid = pass_digits() && at_ - exponent <= 2;
  }
  if (at_ == bytes_.size()) { // more of it may come
    return stop_at_end();
  }
  text = bytes_.substr(begin, at_ - begin);
  return (is_valid && text.size() <= kLongestNumber) || refuse();
}

bool PlainJson::read_word(std::string_view word) {
  if (pass(word)) {
    return true;
  }
  return rest().size() < word.size() ? stop_at_end() : refuse();
}

bool PlainJson::skip_value(int depth) {
  if (depth > kDeepest) {
    return refuse();
  }
  std::string_view text;
  switch (next()) {
  case '"':
    skipped_.clear();
    return need('"') && read_text(text, skipped_);
  case '{':
    return read_members([&](std::string_view) { return skip_value(depth + 1); });
  case '[':
    return read_items([&] { return skip_value(depth + 1); });
  case 't':
    return read_word("true");
  case 'f':
    return read_word("false");
  case 'n':
    return read_null();
  default:
    return read_number(text);
  }
}

} // namespace sdbench
