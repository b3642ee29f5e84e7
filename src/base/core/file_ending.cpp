#include "sdbench/base/core/file_ending.h"

#include <algorithm>

namespace sdbench {

std::string file_ending(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return ending;
}

} // namespace sdbench
