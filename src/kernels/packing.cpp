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
  const std::int64_t panels = round_up(from.count, kColumns) / kColumns;
  const std::int64_t stride = panel_bytes(dwords_of<T>(from.width));
  std::memset(to, 0, static_cast<std::size_t>(panels * stride));
  for (std::int64_t row = 0; row < from.count; ++row) {
    const T* source = from.data + row * from.stride;
    std::byte* column = to + row / kColumns * stride + row % kColumns * kDwordBytes;
    for (std::int64_t i = 0; i < from.width; i += kPerDword<T>) {
      const std::int64_t values = std::min(kPerDword<T>, from.width - i);
      std::memcpy(column + i / kPerDword<T> * kPanelRowBytes, source + i,
                  static_cast<std::size_t>(values) * sizeof(T));
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
