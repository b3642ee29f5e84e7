#include "sdbench/front/words/markup_forms.h"

#include <string_view>
#include <vector>

#include "markup.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

/// Escapes a byte that has a meaning in Org: the end of a cell, a subscript, a time or a link. A
/// link has no entity; Org's manual suggests a zero-width space for it. Marks that only change the
/// font ("/path/", "=name=") stay, because the table is also read as text. Braces end each
/// entity's name, so that the following letters are not read as part of it.
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

/// The text as code, or as escaped text if it has a character that cannot stand in a cell as code.
/// Code knows no entities.
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
