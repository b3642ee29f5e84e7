#include "sdbench/core/in_quotes.h"

#include "sdbench/core/utf8.h"

namespace sdbench {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMaxShown = 60;
  std::string shown = "\"";
  for (const char32_t c : decode_utf8(text.substr(0, kMaxShown))) {
    const bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
    append_utf8(shown, is_control ? U'?' : c);
  }
  return shown + (text.size() > kMaxShown ? "…\"" : "\"");
}

} // namespace sdbench
