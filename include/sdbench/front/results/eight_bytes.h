#pragma once

#include <cstdint>
#include <cstring>

// Finds bytes eight at a time, because rows consist of many short texts.
namespace sdbench {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101;
inline constexpr std::uint64_t kTopBits = 0x80 * kEachByte;

inline std::uint64_t eight_at(const char* bytes) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, bytes, sizeof eight);
  return eight;
}

// Each function sets the top bit of every matching byte of `eight`: a byte below `byte`, or a byte
// equal to it. Only the first match is reliable; top bits of later bytes may be set wrongly.
inline std::uint64_t bytes_below(std::uint64_t eight, std::uint64_t byte) {
  return (eight - byte * kEachByte) & ~eight;
}
inline std::uint64_t bytes_like(std::uint64_t eight, std::uint64_t byte) {
  const std::uint64_t zero_if_like = eight ^ (byte * kEachByte);
  return bytes_below(zero_if_like, 1);
}
inline bool has_found(std::uint64_t top_bits) {
  return (top_bits & kTopBits) != 0;
}

} // namespace sdbench
