#include "packing.h"

#include <algorithm>
#include <cstring>

namespace sdbench::kernels {
namespace {

template <typename T>
constexpr std::int64_t kPerDword = kDwordBytes / static_cast<std::int64_t>(sizeof(T));

template <typename T>
constexpr std::int64_t dwords_of(std::int64_t values) {
  return (values + kPerDword<T> - 1) / kPerDword<T>;
}

} // namespace

template <typename T>
void pack_as_columns(const Rows<T>& from, std::byte* to) {
  // Each row writes a sixteenth of each cache line of its panel; one piece of the lines stays in
  // the cache.
  constexpr std::int64_t kPiece = 64;
  const std::int64_t whole = from.width / kPerDword<T>;
  const std::int64_t stride = panel_bytes(dwords_of<T>(from.width));
  const std::int64_t depth = stride / kPanelRowBytes;
  for (std::int64_t first = 0; first < from.count; first += kColumns) {
    std::byte* const panel = to + first / kColumns * stride;
    const std::int64_t rows = std::min(kColumns, from.count - first);
    for (std::int64_t begin = 0; begin < depth; begin += kPiece) {
      const std::int64_t end = std::min(begin + kPiece, depth);
      std::memset(panel + begin * kPanelRowBytes, 0,
                  static_cast<std::size_t>((end - begin) * kPanelRowBytes));
      for (std::int64_t row = 0; row < rows; ++row) {
        const T* const source = from.data + (first + row) * from.stride;
        std::byte* const column = panel + row * kDwordBytes;
        for (std::int64_t at = begin; at < std::min(end, whole); ++at) {
          std::memcpy(column + at * kPanelRowBytes, source + at * kPerDword<T>, kDwordBytes);
        }
      }
    }
    if (whole * kPerDword<T> < from.width) { // half a dword remains of each row
      for (std::int64_t row = 0; row < rows; ++row) {
        std::memcpy(panel + whole * kPanelRowBytes + row * kDwordBytes,
                    from.data + (first + row) * from.stride + whole * kPerDword<T>, sizeof(T));
      }
    }
  }
}

template <typename T>
void pack_as_depth(const Rows<T>& from, std::byte* to) {
  const std::int64_t panels = round_up(from.width, kColumns) / kColumns;
  const std::int64_t stride = panel_bytes(dwords_of<T>(from.count));
  std::memset(to, 0, static_cast<std::size_t>(panels * stride));
  for (std::int64_t row = 0; row < from.count; ++row) {
    const T* source = from.data + row * from.stride;
    const std::int64_t in_dword = row % kPerDword<T>;
    std::byte* depth = to + row / kPerDword<T> * kPanelRowBytes;
    for (std::int64_t begin = 0; begin < from.width; begin += kColumns) {
      auto* target = reinterpret_cast<T*>(depth + begin / kColumns * stride) + in_dword; // NOLINT
      const std::int64_t columns = std::min(kColumns, from.width - begin);
      for (std::int64_t i = 0; i < columns; ++i) {
        target[i * kPerDword<T>] = source[begin + i];
      }
    }
  }
}

template void pack_as_columns(const Rows<float>&, std::byte*);
template void pack_as_columns(const Rows<std::uint16_t>&, std::byte*);
template void pack_as_depth(const Rows<float>&, std::byte*);
template void pack_as_depth(const Rows<std::uint16_t>&, std::byte*);

} // namespace sdbench::kernels
