#include "sdbench/base/text/small_letters.h"

#include <algorithm>

namespace sdbench {

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return text;
}

} // namespace sdbench
