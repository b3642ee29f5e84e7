#include "sdbench/front/words/html_text.h"

#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

std::string html_byte(char byte) {
  switch (byte) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return {byte};
  }
}

std::string html_line(const std::string& line) {
  std::string html;
  for (const char byte : line) {
    html += html_byte(byte);
  }
  return html;
}

} // namespace

std::string html_text(std::string_view text) {
  return html_line(one_line(text));
}

std::string html_command(std::string_view command) {
  return html_line(message_line(command));
}

} // namespace sdbench
