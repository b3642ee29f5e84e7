#include "sdbench/base/text/shell_word.h"

#include <algorithm>

namespace sdbench {
namespace {

/// For a shell, bytes above ASCII are letters of other alphabets.
bool is_plain(char letter) {
  return static_cast<unsigned char>(letter) >= 0x80 || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         std::string_view("_-./:@%+=,").find(letter) != std::string_view::npos;
}

} // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted + "'";
}

} // namespace sdbench
