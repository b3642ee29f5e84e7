#include "split_words.h"

#include <array>

#include <utf8proc.h>

namespace sdbench {
namespace {

enum class Kind { kSpace, kLetter, kNumber, kOther };

/// Unicode's White_Space, listed here because utf8proc has no such property.
bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

Kind kind_of(char32_t c) {
  if (is_space(c)) {
    return Kind::kSpace;
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return Kind::kLetter;
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_NO:
    return Kind::kNumber;
  default:
    return Kind::kOther;
  }
}

/// The first that matches wins.
constexpr std::array<std::u32string_view, 7> kContractions{U"'s", U"'t",  U"'re", U"'ve",
                                                           U"'m", U"'ll", U"'d"};

/// Special tokens that are found here are ordinary text: those that count were cut out before. The
/// reference's first splitter still treats them as a unit, and its second cuts the unit into these
/// three.
constexpr std::array<std::array<std::u32string_view, 3>, 2> kSpecialTexts{
    {{U"<|", U"startoftext", U"|>"}, {U"<|", U"endoftext", U"|>"}}};

std::size_t contraction_length(std::u32string_view text) {
  for (const std::u32string_view contraction : kContractions) {
    if (text.starts_with(contraction)) {
      return contraction.size();
    }
  }
  return 0;
}

bool starts_with_parts(std::u32string_view text, const std::array<std::u32string_view, 3>& parts) {
  for (const std::u32string_view part : parts) {
    if (!text.starts_with(part)) {
      return false;
    }
    text.remove_prefix(part.size());
  }
  return true;
}

std::size_t run_length(std::u32string_view text, Kind kind) {
  std::size_t length = 1;
  while (length < text.size() && kind_of(text[length]) == kind) {
    ++length;
  }
  return length;
}

} // namespace

std::vector<std::u32string_view> split_words(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  const auto take = [&](std::size_t length) {
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  };
  while (!text.empty()) {
    bool is_special = false;
    for (const auto& parts : kSpecialTexts) {
      if (starts_with_parts(text, parts)) {
        is_special = true;
        for (const std::u32string_view part : parts) {
          take(part.size());
        }
        break;
      }
    }
    if (is_special) {
      continue;
    }
    if (const std::size_t length = contraction_length(text); length > 0) {
      take(length);
      continue;
    }
    switch (const Kind kind = kind_of(text.front()); kind) {
    case Kind::kSpace:
      text.remove_prefix(1);
      break;
    case Kind::kNumber:
      take(1);
      break;
    case Kind::kLetter:
    case Kind::kOther:
      take(run_length(text, kind));
      break;
    }
  }
  return words;
}

} // namespace sdbench
