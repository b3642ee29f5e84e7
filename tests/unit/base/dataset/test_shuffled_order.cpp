#include "catch.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sdbench/base/dataset/shuffled_order.h"

using namespace sdbench;

namespace {

using Order = std::vector<std::int64_t>;

} // namespace

TEST_CASE("an order has each number once") {
  for (const std::int64_t count : {0, 1, 2, 1000, 50000}) {
    Order order = shuffled_order(count, 3, 4);
    Order all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    CHECK((count < 1000 || order != all));
    std::ranges::sort(order);
    CHECK(order == all);
  }
}

TEST_CASE("seed and epoch decide the order, and nothing else") {
  CHECK(shuffled_order(1000, 1, 2) == shuffled_order(1000, 1, 2));
  CHECK(shuffled_order(1000, 1, 2) != shuffled_order(1000, 1, 3));
  CHECK(shuffled_order(1000, 1, 2) != shuffled_order(1000, 2, 2));
}

TEST_CASE("an order is the same on every machine") {
  CHECK(shuffled_order(10, 0, 0) == Order{9, 7, 1, 4, 2, 6, 5, 0, 8, 3});
}

TEST_CASE("every place is as likely for a number") {
  constexpr int kOrders = 6000;
  std::vector<int> places(6, 0);
  for (int epoch = 0; epoch < kOrders; ++epoch) {
    const Order order = shuffled_order(6, 9, static_cast<std::uint64_t>(epoch));
    ++places[static_cast<std::size_t>(std::ranges::find(order, 0) - order.begin())];
  }
  double chi_square = 0;
  for (const int count : places) {
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  CHECK(chi_square < 20.5); // 5 degrees of freedom: 999 of 1000 fair shuffles are below
}
