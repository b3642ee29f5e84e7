#pragma once

#include <cctype>
#include <cstddef>
#include <string>

namespace sdbench::test {

/// "layer#.#.bn#.weight": the same layer of every block.
inline std::string whole_kind(const std::string& name) {
  std::string kind;
  for (const char letter : name) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
    if (!is_digit || !kind.ends_with('#')) {
      kind += is_digit ? '#' : letter;
    }
  }
  return kind;
}

/// "bn#.weight": the same layer, wherever it stands.
inline std::string kind_of_parameter(const std::string& name) {
  const std::size_t last = name.rfind('.');
  const std::size_t before = last == std::string::npos ? last : name.rfind('.', last - 1);
  return whole_kind(before == std::string::npos ? name : name.substr(before + 1));
}

} // namespace sdbench::test
