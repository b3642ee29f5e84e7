#include "sdbench/base/core/html_text.h"

#include "sdbench/base/core/escape.h"

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

} // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char byte : one_line(text)) {
    html += html_byte(byte);
  }
  return html;
}

} // namespace sdbench
