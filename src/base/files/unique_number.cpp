#include "unique_number.h"

#include <random>

namespace sdbench {

std::string unique_number() {
  constexpr int kDigits = 19;
  std::random_device device;
  std::uniform_int_distribution<int> digit('0', '9');
  std::string number(kDigits, '0');
  for (char& each : number) {
    each = static_cast<char>(digit(device));
  }
  return number;
}

} // namespace sdbench
