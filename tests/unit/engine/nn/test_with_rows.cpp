#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/with_rows.h"

using namespace sdbench;

TEST_CASE("rows come again in their order, and the order in memory stays") {
  const at::Tensor x =
      at::arange(2 * 3 * 4 * 5).view({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  CHECK(with_rows(x, 2).is_same(x));
  const at::Tensor more = with_rows(x, 6);
  REQUIRE(more.size(0) == 6);
  CHECK(more.is_contiguous(at::MemoryFormat::ChannelsLast));
  for (std::int64_t row = 0; row < 6; ++row) {
    CHECK(at::equal(more[row], x[row % 2]));
  }
}
