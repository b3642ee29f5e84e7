#include "sdbench/front/words/terminal_text.h"

#include <algorithm>
#include <array>

#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

using Range = std::pair<char32_t, char32_t>;

// The classes W and F of Unicode's EastAsianWidth.txt, with neighbouring ranges joined.
constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x23E9, 0x23EC},
    Range{0x25FD, 0x25FE},   Range{0x2614, 0x2615},   Range{0x2648, 0x2653},
    Range{0x26AA, 0x26AB},   Range{0x2705, 0x2705},   Range{0x270A, 0x270B},
    Range{0x2728, 0x2728},   Range{0x274C, 0x274C},   Range{0x2753, 0x2755},
    Range{0x2795, 0x2797},   Range{0x2B1B, 0x2B1C},   Range{0x2B50, 0x2B50},
    Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},
    Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x16FE0, 0x18AFF}, Range{0x1B000, 0x1B2FF},
    Range{0x1F004, 0x1F004}, Range{0x1F0CF, 0x1F0CF}, Range{0x1F18E, 0x1F19A},
    Range{0x1F200, 0x1F320}, Range{0x1F32D, 0x1F64F}, Range{0x1F680, 0x1F6FC},
    Range{0x1F7E0, 0x1F7EB}, Range{0x1F90C, 0x1F9FF}, Range{0x1FA70, 0x1FAFF},
    Range{0x20000, 0x3FFFD}};
// Marks that combine with the character before.
constexpr std::array kCombining = {
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x064B, 0x065F},
    Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
    Range{0x3099, 0x309A}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};

template <std::size_t kCount>
bool is_in(const std::array<Range, kCount>& ranges, char32_t character) {
  return std::ranges::any_of(ranges, [&](const Range& range) {
    return character >= range.first && character <= range.second;
  });
}

std::size_t columns_of_character(char32_t character) {
  return character < 0x300 ? 1 : is_in(kCombining, character) ? 0 : is_in(kWide, character) ? 2 : 1;
}

/// Calls `visit(character, columns)` for each character until it returns false. Colour codes take
/// no columns.
template <typename Visit>
void visit_characters(std::string_view text, const Visit& visit) {
  bool in_code = false;
  for (const char32_t character : decode_utf8(text)) {
    in_code = in_code || character == U'\x1b';
    if (!visit(character, in_code ? 0 : columns_of_character(character))) {
      return;
    }
    in_code = in_code && character != U'm';
  }
}

std::string_view ascii_form(char32_t character) {
  switch (character) {
  case U'…':
    return "...";
  case U'±':
    return "+-";
  case U'█':
    return "#";
  case U'×':
    return "x";
  case U'°':
    return "deg";
  case U'–':
  case U'—':
  case U'−':
    return "-";
  case U'²':
    return "2";
  case U'³':
    return "3";
  case U'Δ':
    return "change";
  case U'µ':
  case U'μ':
    return "u";
  case U'≤':
    return "<=";
  case U'≥':
    return ">=";
  default:
    return "?";
  }
}

} // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t sum = 0;
  visit_characters(text, [&](char32_t, std::size_t columns) {
    sum += columns;
    return true;
  });
  return sum;
}

std::size_t place_behind(std::string_view text, std::size_t columns) {
  std::string before;
  std::size_t used = 0;
  visit_characters(text, [&](char32_t character, std::size_t its) {
    used += its;
    if (used <= columns) {
      append_utf8(before, character);
    }
    return used <= columns;
  });
  return std::min(before.size(), text.size());
}

std::string cut_to(const std::string& text, std::size_t columns) {
  if (columns_of(text) <= columns) {
    return text;
  }
  return columns == 0 ? "" : text.substr(0, place_behind(text, columns - 1)) + "…";
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  const std::string margin(indent < width ? indent : 0, ' ');
  std::string lines;
  std::string line;
  const auto end_line = [&] {
    lines += line + "\n";
    line = margin;
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
    std::string word = text.substr(begin, end - begin); // with the blank before it
    begin = end;
    if (width > 0 && !line.empty() && columns_of(line) + columns_of(word) > width) {
      if (line != margin) {
        end_line();
      }
      word.erase(0, word.find_first_not_of(' '));
    }
    while (width > 0 && columns_of(line) + columns_of(word) > width) {
      const std::size_t room = width - columns_of(line);
      const std::size_t some = std::max<std::size_t>(place_behind(word, room), 1);
      line += word.substr(0, some);
      word.erase(0, some);
      end_line();
    }
    line += word;
  }
  return lines + line + "\n";
}

std::string wrapped_lines(const std::string& text, std::size_t width) {
  constexpr std::size_t kMore = 4;
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
    const bool fits = width == 0 || columns_of(line) <= width;
    lines += fits ? line + (end < text.size() ? "\n" : "")
                  : wrapped(line, width, own + kMore <= width / 2 ? own + kMore : 1);
    begin = end + 1;
  }
  return lines;
}

std::string block_text(const std::string& title,
                       const std::vector<std::pair<std::string, std::string>>& values) {
  std::size_t widest = 0;
  for (const auto& [name, value] : values) {
    widest = value.empty() ? widest : std::max(widest, columns_of(name));
  }
  std::string text = title + "\n";
  for (const auto& [name, value] : values) {
    if (!value.empty()) {
      text += "  " + name + std::string(widest - columns_of(name) + 2, ' ') + value + "\n";
    }
  }
  return text;
}

std::string in_ascii(std::string_view text) {
  std::string ascii;
  for (const char32_t character : decode_utf8(text)) {
    if (character < 0x80) {
      ascii += static_cast<char>(character);
    } else {
      ascii += ascii_form(character);
    }
  }
  return ascii;
}

} // namespace sdbench
