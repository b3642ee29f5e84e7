#include "sdbench/engine/worker/product_rate.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a product's rate is one that a processor can have") {
  const double rate = product_rate(at::kFloat);
  CHECK(rate > 1e7);
  CHECK(rate < 1e15);
}

TEST_CASE("one look at a dtype with so many threads is enough for all estimates") {
  ProductRates rates;
  const double rate = rates.of(at::kFloat);
  CHECK(rates.of(at::kFloat) == rate);
  CHECK(rates.of(at::kFloat) == rate);
}
