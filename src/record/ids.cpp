#include "sdbench/record/ids.h"

#include "sdbench/core/escape.h"
#include "sdbench/core/sha256.h"

namespace sdbench {

std::string stable_id(std::span<const NamedValue> values) {
  std::string lines;
  for (const auto& [name, value] : values) {
    // one_line keeps a line end inside a value from looking like the next value.
    lines += std::string(name) + "=" + one_line(value) + "\n";
  }
  constexpr std::size_t kDigits = 16;
  return sha256_hex(lines).substr(0, kDigits);
}

} // namespace sdbench
