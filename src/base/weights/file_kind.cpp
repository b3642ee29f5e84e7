#include "file_kind.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <ios>
#include <system_error>

namespace sdbench {

bool looks_like_safetensors(const std::filesystem::path& file) {
  constexpr std::size_t kLengthBytes = 8;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    return false;
  }
  std::array<char, kLengthBytes + 1> begin{};
  std::ifstream in(file, std::ios::binary);
  if (!in.read(begin.data(), begin.size())) {
    return false;
  }
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(begin[i]);
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return !error && begin.back() == '{' && length <= size - kLengthBytes;
}

} // namespace sdbench
