#include "sdbench/front/results/plain_json.h"

#include <charconv>
#include <system_error>

namespace sdbench {
namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kLongestNumber = 32; ///< with two digits of exponent, no double overflows

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/// True if a text that from_chars accepts as a number is also a number in JSON.
bool is_number(std::string_view text) {
  text.remove_prefix(text.front() == '-' ? 1 : 0);
  const std::size_t point = text.find('.');
  const bool has_digits = point == std::string_view::npos ||
                          (point > 0 && point + 1 < text.size() && is_digit(text[point + 1]));
  const bool has_needless_zero = text.size() > 1 && text[0] == '0' && is_digit(text[1]);
  return is_digit(text[0]) && has_digits && !has_needless_zero;
}

/// Bytes of the text before its closing quote, or before a byte that needs an escape.
std::size_t plain_length(std::string_view text) {
  const auto is_plain = [](char byte) {
    return byte != '"' && byte != '\\' && static_cast<unsigned char>(byte) >= ' ';
  };
  std::size_t length = 0;
  while (text.size() - length >= sizeof(std::uint64_t) &&
         !has_found(bytes_below(eight_at(text.data() + length), ' ') |
                    bytes_like(eight_at(text.data() + length), '\\') |
                    bytes_like(eight_at(text.data() + length), '"'))) {
    length += sizeof(std::uint64_t);
  }
  while (length < text.size() && is_plain(text[length])) {
    ++length;
  }
  return length;
}

} // namespace

bool PlainJson::read_text(std::string_view& text, std::deque<std::string>& unescaped) {
  text = bytes_.substr(at_);
  text = text.substr(0, plain_length(text));
  const std::size_t end = at_ + text.size();
  if (end == bytes_.size()) {
    return stop_at_end();
  }
  if (bytes_[end] != '"') {
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
  (void)pass('-');
  bool is_valid = pass('0') ? !is_digit(next()) : pass_digits();
  if (is_valid && pass('.')) {
    is_valid = pass_digits();
  }
  if (is_valid && (pass('e') || pass('E'))) {
    (void)(pass('-') || pass('+'));
    const std::size_t exponent = at_;
    is_valid = pass_digits() && at_ - exponent <= 2;
  }
  if (at_ == bytes_.size()) { // the text may go on
    return stop_at_end();
  }
  text = bytes_.substr(begin, at_ - begin);
  return (is_valid && text.size() <= kLongestNumber) || refuse();
}

bool PlainJson::read_number(double& value) {
  const char* const begin = bytes_.data() + at_;
  const auto [end, error] = std::from_chars(begin, bytes_.data() + bytes_.size(), value);
  if (end == bytes_.data() + bytes_.size()) { // the number may go on
    return stop_at_end();
  }
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  if (error != std::errc() || !is_number(text)) {
    return refuse();
  }
  at_ += text.size();
  return true;
}

bool PlainJson::read_integer(std::int64_t& value) {
  const char* const begin = bytes_.data() + at_;
  const auto [end, error] = std::from_chars(begin, bytes_.data() + bytes_.size(), value);
  if (end == bytes_.data() + bytes_.size()) {
    return stop_at_end();
  }
  const bool is_whole = *end != '.' && *end != 'e' && *end != 'E';
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  if (error != std::errc() || !is_whole || !is_number(text)) {
    return refuse();
  }
  at_ += text.size();
  return true;
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
