#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace sdbench {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101;

inline std::uint64_t eight_at(const char* bytes) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, bytes, sizeof eight);
  return eight;
}

/// Whether `found(eight)` has the top bit of any byte set for bytes of the text, which it is given
/// by eights, filled up with blanks; most texts are short, and there are many.
template <typename Found>
bool any_of_eights(std::string_view text, const Found& found) {
  std::uint64_t all = 0;
  for (; text.size() >= sizeof all; text.remove_prefix(sizeof all)) {
    all |= found(eight_at(text.data()));
  }
  std::uint64_t rest = ' ' * kEachByte;
  for (const char byte : text) {
    rest = rest << 8U | static_cast<unsigned char>(byte);
  }
  return ((all | found(rest)) & (0x80 * kEachByte)) != 0;
}

/// The top bit of each byte that is a backslash; that of others may be set, too, where there is
/// one.
inline std::uint64_t backslashes(std::uint64_t eight) {
  const std::uint64_t zero_if_backslash = eight ^ ('\\' * kEachByte);
  return (zero_if_backslash - kEachByte) & ~zero_if_backslash;
}

} // namespace sdbench
