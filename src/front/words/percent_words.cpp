#include "sdbench/front/words/percent_words.h"

#include "sdbench/base/numbers/number_text.h"

namespace sdbench {

std::string percent_words(double fraction) {
  constexpr int kDigits = 6; // the rounding error of the division by 100 lies far behind these
  std::string text = significant_text(100 * fraction, kDigits);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text + " %";
}

} // namespace sdbench
