#pragma once

#include <cstddef>
#include <cstdint>

#include "kit.h"

namespace sdbench::kernels {

/// The least multiple of `step` that is at least `n`.
[[nodiscard]] constexpr std::int64_t round_up(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
}

/// A matrix whose rows are dense. `T` is float, or std::uint16_t for the bits of a bf16.
template <typename T>
struct Rows {
  const T* data = nullptr;
  std::int64_t stride = 0; ///< values from row to row
  std::int64_t count = 0;
  std::int64_t width = 0;
};

inline constexpr std::int64_t kPanelRowBytes = kColumns * kDwordBytes;

/// Bytes of a panel with a depth of `depth` dwords.
[[nodiscard]] constexpr std::int64_t panel_bytes(std::int64_t depth) {
  return round_up(depth, kDepthStep) * kPanelRowBytes;
}

/// Packs the rows of `from` as the columns of panels, as for keys: panel n holds rows 16 n to 16 n
/// + 15. `to` has room for round_up(count, 16) / 16 panels of panel_bytes(dwords of a row). Padding
/// becomes zero.
template <typename T>
void pack_as_columns(const Rows<T>& from, std::byte* to);

/// Packs the rows of `from` along the depth of panels, as for values: panel n holds columns 16 n to
/// 16 n + 15. `to` has room for round_up(width, 16) / 16 panels of panel_bytes(dwords of a column).
/// Padding becomes zero.
template <typename T>
void pack_as_depth(const Rows<T>& from, std::byte* to);

extern template void pack_as_columns(const Rows<float>&, std::byte*);
extern template void pack_as_columns(const Rows<std::uint16_t>&, std::byte*);
extern template void pack_as_depth(const Rows<float>&, std::byte*);
extern template void pack_as_depth(const Rows<std::uint16_t>&, std::byte*);

} // namespace sdbench::kernels
