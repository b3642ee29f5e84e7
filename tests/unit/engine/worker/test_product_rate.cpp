#include "sdbench/engine/worker/product_rate.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a product's rate is one that a processor can have") {
  const double rate = product_rate(at::kFloat);
  CHECK(rate > 1e7);
  CHECK(rate < 1e15);
}
