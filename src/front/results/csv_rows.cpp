#include "sdbench/front/results/csv_rows.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "sdbench/front/results/eight_bytes.h"

namespace sdbench {
namespace {

bool ends_bare_field(char byte, char separator) {
  return byte == separator || byte == '\n' || byte == '\r';
}

/// Place of the byte that ends a field without quotes. All three bytes that can end it are lower
/// than those of numbers and names (a semicolon only than those of names). So this tests eight
/// bytes at once for the first one that low. find_first_of is slower for short fields.
std::size_t end_of_bare_field(std::string_view bytes, std::size_t from, char separator) {
  const auto above = static_cast<unsigned char>(std::max(separator, ',') + 1);
  constexpr std::size_t kEight = sizeof(std::uint64_t);
  while (std::endian::native == std::endian::little && from + kEight <= bytes.size()) {
    const std::uint64_t low = bytes_below(eight_at(bytes.data() + from), above) & kTopBits;
    from += low == 0 ? kEight : static_cast<std::size_t>(std::countr_zero(low)) / 8;
    if (low != 0) {
      if (ends_bare_field(bytes[from], separator)) {
        return from;
      }
      ++from;
    }
  }
  while (from < bytes.size() && !ends_bare_field(bytes[from], separator)) {
    ++from;
  }
  return from;
}

} // namespace

CsvRows::Next CsvRows::next() {
  for (;;) {
    window_.drop(used_);
    used_ = 0;
    line_ = window_.line();
    bool at_end = false;
    if (window_.bytes().empty() && !window_.grow()) {
      return Next::kEnd;
    }
    Scan found = scan(at_end);
    while (found == Scan::kNeedsMore) {
      if (window_.bytes().size() > longest_) {
        found = broken("must end, but a quote is opened and not closed", window_.bytes().size());
        break;
      }
      at_end = !window_.grow();
      found = scan(at_end);
    }
    if (found == Scan::kRow && std::memchr(window_.bytes().data(), 0, used_) != nullptr) {
      found = broken("must be text, but has a zero byte in it", used_);
    }
    if (found == Scan::kBroken) {
      skip_broken();
      return Next::kBroken;
    }
    if (fields_.size() > 1 || !fields_.front().empty()) {
      return Next::kRow;
    }
  }
}

CsvRows::Scan CsvRows::scan(bool at_end) {
  const std::string_view bytes = window_.bytes();
  const Scan at_edge = at_end ? Scan::kRow : Scan::kNeedsMore;
  fields_.clear();
  unquoted_.clear();
  std::size_t at = 0;
  for (;;) {
    if (at < bytes.size() && bytes[at] == '"') {
      const std::size_t start = at + 1;
      bool has_quotes = false;
      for (at = bytes.find('"', start);
           at != std::string_view::npos && at + 1 < bytes.size() && bytes[at + 1] == '"';
           at = bytes.find('"', at + 2)) {
        has_quotes = true;
      }
      if (at == std::string_view::npos) {
        return at_end ? broken("must have a closing quote for each opening one", bytes.size())
                      : Scan::kNeedsMore;
      }
      add_quoted(bytes.substr(start, at - start), has_quotes);
      ++at;
    } else {
      const std::size_t start = at;
      at = end_of_bare_field(bytes, at, separator_);
      fields_.push_back(bytes.substr(start, at - start));
    }
    const std::size_t line_end = at < bytes.size() && bytes[at] == '\r' ? at + 1 : at;
    if (line_end == bytes.size()) {
      used_ = line_end;
      has_end_ = false;
      return at_edge;
    }
    if (bytes[line_end] == '\n') {
      used_ = line_end + 1;
      has_end_ = true;
      return Scan::kRow;
    }
    if (bytes[at] != separator_) {
      return broken(bytes[at] == '\r'
                        ? "must have a line feed behind each carriage return"
                        : "must have a separator or a line end behind a closing quote",
                    at);
    }
    ++at;
  }
}

CsvRows::Scan CsvRows::broken(const char* reason, std::size_t looked_at) {
  reason_ = reason;
  looked_at_ = looked_at;
  used_ = 0;
  return Scan::kBroken;
}

void CsvRows::add_quoted(std::string_view text, bool has_quotes) {
  if (!has_quotes) {
    fields_.push_back(text);
    return;
  }
  std::string& unquoted = unquoted_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    unquoted += text[i];
    i += text[i] == '"' ? 1 : 0; // keeps one of two quotes
  }
  fields_.push_back(unquoted);
}

/// Drops one line. The broken row may have swallowed good rows, which are then read again. A
/// hostile file could make that slow, so beyond a limit drops all bytes read.
void CsvRows::skip_broken() {
  constexpr std::size_t kPatience = std::size_t{64} << 20;
  wasted_ += looked_at_;
  if (wasted_ > kPatience) {
    window_.drop(looked_at_);
  }
  window_.drop_line();
}

} // namespace sdbench
