#include "kit.h"

#include <cstdint>

#if defined(__x86_64__)

#include <immintrin.h>

// GCC 12 warns of what its own headers leave undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace sdbench::kernels {
namespace {

/// What _tile_loadconfig reads (Intel 64 and IA-32 Architectures Software Developer's Manual,
/// volume 1, chapter 18).
struct TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};                                 // NOLINT
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64}; // NOLINT
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};       // NOLINT
};
static_assert(sizeof(TileShapes) == 64);
/// Not a local variable: GCC 12 believes that _tile_loadconfig reads only eight bytes of it, and
/// does not write the rest.
constexpr TileShapes kTileShapes;

__attribute__((target("amx-tile"))) void begin_tiles() {
  _tile_loadconfig(&kTileShapes);
}

__attribute__((target("amx-tile"))) void end_tiles() {
  _tile_release();
}

/// Multiplies one panel or two. Tiles 0 to 3 hold sums, 4 and 5 rows of a, 6 and 7 columns of b.
/// Tiles 1, 3 and 7 belong to the second panel.
template <int kPanels>
__attribute__((target("amx-tile,amx-bf16"))) void multiply_panels(const Product& p,
                                                                  std::int64_t panel) {
  constexpr bool kTwo = kPanels == 2;
  const std::byte* b = p.b + panel * p.panel_stride;
  float* c = p.c + panel * kColumns;
  float* c_below = c + kColumns * p.c_stride;
  const std::int64_t c_stride = p.c_stride * static_cast<std::int64_t>(sizeof(float));
  if (p.accumulate) {
    _tile_loadd(0, c, c_stride);
    _tile_loadd(2, c_below, c_stride);
    if constexpr (kTwo) {
      _tile_loadd(1, c + kColumns, c_stride);
      _tile_loadd(3, c_below + kColumns, c_stride);
    }
  } else {
    _tile_zero(0);
    _tile_zero(2);
    if constexpr (kTwo) {
      _tile_zero(1);
      _tile_zero(3);
    }
  }
  for (std::int64_t k = 0; k < p.depth; k += kDepthStep) {
    const std::byte* rows = p.a + k * 4;
    _tile_loadd(6, b + k * 64, 64);
    _tile_loadd(4, rows, p.a_stride);
    if constexpr (kTwo) {
      _tile_loadd(7, b + p.panel_stride + k * 64, 64);
    }
    _tile_loadd(5, rows + kColumns * p.a_stride, p.a_stride);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kTwo) {
      _tile_dpbf16ps(1, 4, 7);
    }
    _tile_dpbf16ps(2, 5, 6);
    if constexpr (kTwo) {
      _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, c, c_stride);
  _tile_stored(2, c_below, c_stride);
  if constexpr (kTwo) {
    _tile_stored(1, c + kColumns, c_stride);
    _tile_stored(3, c_below + kColumns, c_stride);
  }
}

void multiply_bf16(const Product& p) {
  std::int64_t panel = 0;
  for (; panel + 1 < p.panels; panel += 2) {
    multiply_panels<2>(p, panel);
  }
  if (panel < p.panels) {
    multiply_panels<1>(p, panel); // the last of an odd number
  }
}

} // namespace

const Kit kAmxKit{.values_per_dword = 2,
                  .panels_at_once = 2,
                  .begin = begin_tiles,
                  .end = end_tiles,
                  .multiply = multiply_bf16,
                  .weigh = avx512::weigh_bf16,
                  .add_up = avx512::add_up_bf16,
                  .scale = avx512::scale_bf16,
                  .gate = avx512::gate_bf16};

} // namespace sdbench::kernels

#pragma GCC diagnostic pop

#endif
