#include "sdbench/front/bench/batch_search.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "catch.h"

using namespace sdbench;

namespace {

using Rate = std::function<std::optional<double>(std::int64_t batch)>;

struct Found {
  std::vector<std::int64_t> tried;
  std::optional<std::int64_t> best;
};

Found search(const Rate& rate, std::int64_t largest = 1024) {
  BatchSearch search(largest);
  Found found;
  while (const auto batch = search.next()) {
    REQUIRE(found.tried.size() < 50); // it ends
    found.tried.push_back(*batch);
    search.learn(*batch, rate(*batch));
  }
  found.best = search.best();
  return found;
}

using Batches = std::vector<std::int64_t>;

} // namespace

TEST_CASE("batches double until memory ends, then the gap to the failure is halved") {
  const Found found = search([](std::int64_t batch) {
    return batch <= 28 ? std::optional(static_cast<double>(batch)) : std::nullopt;
  });
  CHECK(found.tried == Batches{1, 2, 4, 8, 16, 32, 24, 28, 30});
  CHECK(found.best == 28);
}

TEST_CASE("a doubling that gains under 1 % is the last") {
  const Found found = search([](std::int64_t batch) {
    return batch <= 8 ? std::optional(10.0 * static_cast<double>(batch)) : std::optional(80.5);
  });
  CHECK(found.tried.size() >= 5);
  CHECK(found.tried[4] == 16);
  CHECK(std::ranges::max(found.tried) == 16);
  CHECK(found.best == 16);
}

TEST_CASE("a peak between two doublings is found") {
  const Found found = search([](std::int64_t batch) {
    const auto distance = static_cast<double>(batch > 12 ? batch - 12 : 12 - batch);
    return std::optional(100 - distance);
  });
  CHECK(found.best == 12);
}

TEST_CASE("the largest batch ends the search, and a first one that fails is no best") {
  const Rate endless = [](std::int64_t batch) { return std::optional(static_cast<double>(batch)); };
  CHECK(search(endless, 16).tried == Batches{1, 2, 4, 8, 16});
  CHECK(search(endless, 16).best == 16);
  const Found none = search([](std::int64_t) { return std::optional<double>(); });
  CHECK(none.tried == Batches{1});
  CHECK_FALSE(none.best);
}
