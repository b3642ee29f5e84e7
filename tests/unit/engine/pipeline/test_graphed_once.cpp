#include "catch.h"

#include <memory>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "replayed_work.h"
#include "sdbench/engine/pipeline/graphed_once.h"

using namespace sdbench;

namespace {

/// A result that is no tensor, but has one.
struct Doubled {
  at::Tensor tensor;
};
using GraphedDoubled = GraphedOnce<Doubled>;

Doubled doubled(const GraphedCall::Tensors& inputs) {
  return {inputs.at(0) * 2};
}

double answer(GraphedDoubled& graphed, double value, std::int64_t count = 2,
              const GraphedDoubled::Numbers& numbers = {}) {
  return graphed(numbers, {at::full({count}, value)}, doubled).tensor[0].item<double>();
}

} // namespace

TEST_CASE("what a run computes once is recorded when the first run has ended, then replayed") {
  std::string log;
  GraphedDoubled graphed(std::make_unique<ReplayedWork>(log));
  graphed.end_run(); // of a run that did not come to it
  CHECK(log.empty());
  CHECK(answer(graphed, 1) == 2);
  CHECK(log == "w");
  CHECK_FALSE(graphed.why_not_recorded().empty());
  graphed.end_run();
  CHECK(log == "wc");
  CHECK(graphed.why_not_recorded().empty());
  for (const double value : {3, 4}) {
    CHECK(answer(graphed, value) == 2 * value);
    graphed.end_run();
  }
  CHECK(log == "wcrr");
}

TEST_CASE("another shape or constant of what is computed once is recorded anew") {
  std::string log;
  GraphedDoubled graphed(std::make_unique<ReplayedWork>(log));
  CHECK(answer(graphed, 1, 2, {5}) == 2);
  graphed.end_run();
  CHECK(answer(graphed, 2, 3, {5}) == 4); // shape
  graphed.end_run();
  CHECK(answer(graphed, 3, 3, {6}) == 6); // constant
  graphed.end_run();
  CHECK(answer(graphed, 4, 3, {6}) == 8);
  CHECK(log == "wcwcwcr");
}

TEST_CASE("what is computed once and cannot be recorded is computed in each run, and says why") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log, "out of memory\nbehind it a trace");
  maker->upload_refusal = "never asked";
  GraphedDoubled graphed(std::move(maker));
  for (const double value : {1, 2, 3}) {
    CHECK(answer(graphed, value) == 2 * value);
    graphed.end_run();
    CHECK(graphed.why_not_recorded() == "out of memory");
  }
  CHECK(log == "wc"); // tried once
  CHECK(graphed.why_not_uploaded().empty());
}

TEST_CASE("a recording that fails keeps none of its tensors") {
  struct Counted {
    std::shared_ptr<int> alive;
  };
  std::weak_ptr<int> seen;
  std::string log;
  GraphedOnce<Counted> graphed(std::make_unique<ReplayedWork>(log, "no such luck"));
  const auto work = [&](const GraphedCall::Tensors&) {
    Counted made{std::make_shared<int>(1)};
    seen = made.alive;
    return made;
  };
  static_cast<void>(graphed({}, {at::ones({2})}, work));
  CHECK_FALSE(seen.expired());
  graphed.end_run();
  CHECK(seen.expired());
}
