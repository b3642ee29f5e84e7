#include "sdbench/words/markdown_form.h"

#include <string_view>
#include <vector>

#include "sdbench/core/escape.h"
#include "sdbench/words/markup.h"

namespace sdbench {
namespace {

/// A byte as text, where Markdown would take it for its own.
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
    return std::string("\\") + byte;
  default:
    return {byte};
  }
}

std::string markdown_line(std::string_view text) {
  std::string line;
  for (const char byte : one_line(text)) {
    line += markdown_byte(byte);
  }
  return line;
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
  return markup_text(view, {"### ", "**", markdown_line, markdown_rule});
}

} // namespace sdbench
