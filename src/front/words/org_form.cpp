#include "sdbench/front/words/org_form.h"

#include <string_view>
#include <vector>

#include "markup.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

/// A byte as text, where Org would take it for its own: the end of a cell, a subscript, a time; a
/// link, which has no entity but, by its manual, a space of no width. What Org only shows in other
/// letters ("/path/", "=name=") stays as it is, for such a table is read as text, too. Entities
/// have braces behind them, so that what follows is no part of their names.
std::string org_byte(char byte) {
  switch (byte) {
  case '|':
    return "\\vert{}";
  case '_':
    return "\\under{}";
  case '[':
    return "[\u200b";
  case '<':
    return "\\lt{}";
  default:
    return {byte};
  }
}

std::string org_line(std::string_view text) {
  std::string line;
  for (const char byte : one_line(text)) {
    line += org_byte(byte);
  }
  return line;
}

/// Code, which has no entities: what cannot stand in a cell is text.
std::string org_command(std::string_view text) {
  const std::string line = message_line(text);
  return line.find_first_of("|~") == std::string::npos ? "~" + line + "~" : org_line(text);
}

std::string org_rule(const std::vector<ViewColumn>& columns) {
  std::string rule;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    rule += column == 0 ? "|---" : "+---";
  }
  return rule + "|";
}

} // namespace

std::string to_org(const View& view) {
  return markup_text(view, {"#+title: ", "* ", "*", org_line, org_command, org_rule});
}

} // namespace sdbench
