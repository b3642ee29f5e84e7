#include "sdbench/front/words/markup_forms.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

#include "markup.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

/// Escapes a byte that has a meaning in Markdown.
std::string markdown_byte(char byte) {
  switch (byte) {
  case '<':
    return "&lt;";
  case '&':
    return "&amp;";
  case '|':
  case '*':
  case '_':
  case '`':
  case '[':
  case ']':
  case '#':
  case '~':
  case '$':
    return std::string("\\") + byte;
  default:
    return {byte};
  }
}

bool is_of_word(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

/// True for a place within a word. An underscore there ("oom_device") does not emphasise, so it
/// needs no escape.
bool is_within_word(std::string_view text, std::size_t place) {
  return text[place] == '_' && place > 0 && place + 1 < text.size() &&
         is_of_word(text[place - 1]) && is_of_word(text[place + 1]);
}

std::string markdown_line(std::string_view text) {
  const std::string plain = one_line(text);
  std::string line;
  for (std::size_t place = 0; place < plain.size(); ++place) {
    line += is_within_word(plain, place) ? "_" : markdown_byte(plain[place]);
  }
  return line;
}

/// The text as code. Only a table's bar needs a backslash there. The backticks around it are one
/// more than the longest run of backticks inside.
std::string markdown_command(std::string_view text) {
  std::string code;
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char byte : message_line(text)) {
    run = byte == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    code += byte == '|' ? "\\|" : std::string(1, byte);
  }
  const std::string marks(longest + 1, '`');
  const std::string gap(longest > 0 ? 1 : 0, ' ');
  return marks + gap + code + gap + marks;
}

std::string markdown_rule(const std::vector<ViewColumn>& columns) {
  std::string rule = "|";
  for (const ViewColumn& column : columns) {
    rule += column.is_number ? "---:|" : "---|";
  }
  return rule;
}

} // namespace

std::string to_markdown(const View& view) {
  return markup_text(view, {"## ", "### ", "**", markdown_line, markdown_command, markdown_rule});
}

} // namespace sdbench
