#include "sdbench/base/files/file_ending.h"

#include "sdbench/base/text/utf8.h"

namespace sdbench {

std::string file_ending(const std::filesystem::path& file) {
  return in_small_letters(file.extension().string());
}

} // namespace sdbench
