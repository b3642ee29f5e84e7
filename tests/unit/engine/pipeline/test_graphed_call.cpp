#include "catch.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "replayed_work.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/pipeline/graphed_call.h"

using namespace sdbench;

namespace {

using GraphTensors = GraphedCall::Tensors;

/// Depends on every value that goes in, and on which is which.
at::Tensor weighed_sum(const GraphTensors& kept, const GraphTensors& changing) {
  return kept.at(0) * 100 + changing.at(0) * 10 + changing.at(1);
}

at::Tensor numbers(double value, std::int64_t count = 2) {
  return at::full({count}, value, at::kFloat);
}

/// One call with these values; the answer's first number.
double answer(GraphedCall& graphed, const at::Tensor& kept, double a, double b) {
  return graphed({kept}, {numbers(a, kept.size(0)), numbers(b, kept.size(0))}, weighed_sum)[0]
      .item<double>();
}

} // namespace

TEST_CASE("a call is computed three times, then recorded, then replayed with what goes in") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  at::Tensor kept = numbers(1);
  for (int call = 0; call < 6; ++call) {
    CHECK(answer(graphed, kept, call, 7) == 100 + 10 * call + 7);
    CHECK(graphed.why_not_recorded().empty() == (call >= 3));
  }
  CHECK(log == "wwwcrrr");
  graphed.end_run(weighed_sum);
  kept = numbers(2); // the next run's
  CHECK(answer(graphed, kept, 3, 4) == 234);
  CHECK(answer(graphed, kept, 5, 6) == 256);
  CHECK(log == "wwwcrrrrr");
  CHECK(graphed.why_not_recorded().empty());
}

TEST_CASE("what is kept is copied once a run, what changes at each call") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  const at::Tensor kept = numbers(1);
  CHECK(answer(graphed, kept, 0, 0) == 100);
  kept.fill_(3); // nobody may do so within a run
  CHECK(answer(graphed, kept, 0, 0) == 100);
  graphed.end_run(weighed_sum);
  CHECK(answer(graphed, kept, 0, 0) == 300);
  kept.fill_(5); // the run was cut short: no end_run
  graphed.begin_run();
  CHECK(answer(graphed, kept, 0, 0) == 500);
}

TEST_CASE("a short run is recorded at its end, so that the next one is replayed from the start") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  CHECK(answer(graphed, numbers(1), 2, 3) == 123);
  graphed.end_run(weighed_sum);
  CHECK(log == "wwwc");
  CHECK(answer(graphed, numbers(4), 5, 6) == 456);
  graphed.end_run(weighed_sum);
  CHECK(log == "wwwcr");
}

TEST_CASE("calls that ended before one was recorded say so, until one is") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  const std::string too_few = "the run was cut short before its graph was recorded";
  CHECK(graphed.why_not_recorded() == too_few);
  for (int call = 0; call < 3; ++call) {
    static_cast<void>(answer(graphed, numbers(1), call, 7)); // what follows is cut: no end_run
    CHECK(graphed.why_not_recorded() == too_few);
  }
  static_cast<void>(answer(graphed, numbers(1), 3, 7));
  CHECK(graphed.why_not_recorded().empty());
  static_cast<void>(answer(graphed, numbers(1, 5), 3, 7)); // of another shape
  CHECK(graphed.why_not_recorded() == too_few);
}

TEST_CASE("other shapes or dtypes are recorded anew") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  static_cast<void>(answer(graphed, numbers(1), 2, 3));
  graphed.end_run(weighed_sum);
  SECTION("shape") {
    CHECK(answer(graphed, numbers(4, 5), 5, 6) == 456);
  }
  SECTION("dtype") {
    CHECK(answer(graphed, numbers(4).to(at::kDouble), 5, 6) == 456);
  }
  CHECK_FALSE(graphed.why_not_recorded().empty());
  CHECK(log == "wwwcw");
}

TEST_CASE("what cannot be recorded is computed as it is, and the reason is kept for its shapes") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log, "no such luck\nbehind it a trace");
  ReplayedWork& refusing = *maker;
  GraphedCall graphed(std::move(maker));
  for (int call = 0; call < 6; ++call) {
    CHECK(answer(graphed, numbers(1), call, 7) == 100 + 10 * call + 7);
  }
  CHECK(log == "wwwc"); // tried once
  CHECK(graphed.why_not_recorded() == "no such luck");
  CHECK(graphed.why_not_recorded() == "no such luck");
  CHECK_FALSE(graphed.why_not_recorded().empty());
  graphed.end_run(weighed_sum);
  CHECK(log == "wwwc");
  refusing.refusal.clear();
  CHECK(answer(graphed, numbers(1, 7), 2, 3) == 123); // a smaller one may do
  graphed.end_run(weighed_sum);
  CHECK(graphed.why_not_recorded().empty());
  CHECK(graphed.why_not_recorded().empty());
}

TEST_CASE("an end without a call records nothing") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log));
  graphed.end_run(weighed_sum);
  CHECK(log.empty());
}

TEST_CASE("a call that nobody wants the result of yet is recorded all the same") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log), /*warm_ups=*/1);
  const GraphTensors changing{numbers(2), numbers(3)};
  CHECK_FALSE(graphed.replays({numbers(1)}, changing));
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  CHECK(log == "wc");
  CHECK(graphed.replays({numbers(1)}, changing));
  CHECK_FALSE(graphed.replays({numbers(1, 5)}, changing));
  graphed.prepare({numbers(1)}, changing, weighed_sum); // is there
  CHECK(answer(graphed, numbers(4), 5, 6) == 456);
  CHECK(log == "wcr");
}

TEST_CASE("what was recorded with other values is forgotten, an obstacle too") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log, "no such luck");
  ReplayedWork& refusing = *maker;
  GraphedCall graphed(std::move(maker), /*warm_ups=*/1);
  const GraphTensors changing{numbers(2), numbers(3)};
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  CHECK(graphed.why_not_recorded() == "no such luck");
  CHECK(log == "wc"); // tried once
  refusing.refusal.clear();
  graphed.forget();
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  CHECK(graphed.why_not_recorded().empty());
  graphed.forget();
  CHECK_FALSE(graphed.replays({numbers(1)}, changing));
}

TEST_CASE("graphs are for a GPU") {
  CHECK_THROWS_AS(make_graph_maker(at::kCPU, GraphKind::kSteps), Error);
}

TEST_CASE("a warm-up that no run needs may fail, and is the reason that nothing is recorded") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log), /*warm_ups=*/1);
  const GraphedCall::Work fails = [](const auto&, const auto&) -> at::Tensor {
    throw std::runtime_error("out of memory\nand a trace");
  };
  graphed.prepare({numbers(1)}, {numbers(2), numbers(3)}, fails);
  CHECK(graphed.why_not_recorded() == "out of memory");
}

TEST_CASE("what inputs of other kinds had recorded goes as soon as others are expected") {
  std::string log;
  GraphedCall graphed(std::make_unique<ReplayedWork>(log), /*warm_ups=*/1);
  const GraphTensors changing{numbers(2), numbers(3)};
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  graphed.expect({numbers(1)}, changing);
  CHECK(graphed.why_not_recorded().empty());
  graphed.expect({numbers(1, 5)}, changing);
  CHECK_FALSE(graphed.why_not_recorded().empty());
}

TEST_CASE("a recording is uploaded once, when it is made, so that no replay has to") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log);
  const std::shared_ptr<int> uploads = maker->uploads;
  GraphedCall graphed(std::move(maker), /*warm_ups=*/1);
  graphed.prepare({numbers(1)}, {numbers(2), numbers(3)}, weighed_sum);
  CHECK(log == "wc");
  CHECK(*uploads == 1);
  CHECK(answer(graphed, numbers(4), 5, 6) == 456);
  CHECK(answer(graphed, numbers(7), 8, 9) == 789);
  CHECK(*uploads == 1);
  CHECK(graphed.why_not_uploaded().empty());
  static_cast<void>(answer(graphed, numbers(1, 5), 2, 3)); // of another shape
  graphed.end_run(weighed_sum);
  CHECK(*uploads == 2);
}

TEST_CASE("a recording that cannot be uploaded is replayed all the same, and the reason is told") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log);
  maker->upload_refusal = "CUDA error: out of memory\nbehind it a trace";
  ReplayedWork& refusing = *maker;
  GraphedCall graphed(std::move(maker), /*warm_ups=*/1);
  const GraphTensors changing{numbers(2), numbers(3)};
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  CHECK(graphed.why_not_uploaded() == "CUDA error: out of memory");
  CHECK(graphed.why_not_recorded().empty());
  CHECK(answer(graphed, numbers(4), 5, 6) == 456);
  CHECK(log == "wcr");
  CHECK(*refusing.uploads == 1); // tried once
  refusing.upload_refusal.clear();
  graphed.forget();
  CHECK(graphed.why_not_uploaded().empty());
  graphed.prepare({numbers(1)}, changing, weighed_sum);
  CHECK(graphed.why_not_uploaded().empty());
}

TEST_CASE("an upload by a replay leaves the inputs of the call that records") {
  const auto work = [](const GraphTensors& kept, const GraphTensors& changing) {
    return changing.at(0).mul_(2) + kept.at(0); // writes into an input
  };
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log);
  maker->upload_replays = true;
  GraphedCall graphed(std::move(maker), /*warm_ups=*/1);
  static_cast<void>(graphed({numbers(1)}, {numbers(2)}, work));
  CHECK(graphed({numbers(1)}, {numbers(3)}, work)[0].item<double>() == 7);
  CHECK(graphed({numbers(1)}, {numbers(4)}, work)[0].item<double>() == 9);
  CHECK(log == "wcrrr");
}

TEST_CASE("what was not recorded is not uploaded") {
  std::string log;
  auto maker = std::make_unique<ReplayedWork>(log, "no such luck");
  maker->upload_refusal = "nor any for an upload";
  const std::shared_ptr<int> uploads = maker->uploads;
  GraphedCall graphed(std::move(maker), /*warm_ups=*/1);
  graphed.prepare({numbers(1)}, {numbers(2), numbers(3)}, weighed_sum);
  CHECK(*uploads == 0);
  CHECK(graphed.why_not_uploaded().empty());
}
