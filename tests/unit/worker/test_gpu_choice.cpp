#include "catch.h"

#include "sdbench/core/error.h"
#include "sdbench/worker/gpu_choice.h"

using namespace sdbench;

TEST_CASE("the tuned engine captures graphs on a GPU, unless weights move from run to run") {
  const c10::Device gpu("cuda:0");
  const DtypeChoice fp16{Dtype::kF16, Dtype::kF16, Dtype::kF16};
  const Precision mixed(Dtype::kF16, true);
  Cell cell;
  CHECK(choose_graphs(cell, gpu, fp16).used);
  CHECK(choose_graphs(cell, gpu, {mixed, Dtype::kF16, mixed}).used);
  const GpuChoice with_autocast = choose_graphs(cell, gpu, {mixed, mixed, mixed});
  CHECK_FALSE(with_autocast.used);
  CHECK_THAT(with_autocast.obstacle, Catch::Matchers::ContainsSubstring("autocast"));
  cell.offload = "stages";
  CHECK_THAT(choose_graphs(cell, gpu, fp16).obstacle,
             Catch::Matchers::ContainsSubstring("--offload"));
}

TEST_CASE("no graphs where none are asked for, without a reason") {
  const c10::Device gpu("cuda:0");
  Cell cell;
  for (const auto& [device, engine, asked] :
       {std::tuple(gpu, "plain", "auto"), std::tuple(gpu, "tuned", "off"),
        std::tuple(c10::Device(c10::kCPU), "tuned", "auto")}) {
    CAPTURE(device, engine, asked);
    cell.engine = engine;
    cell.graphs = asked;
    const GpuChoice choice = choose_graphs(cell, device, {});
    CHECK_FALSE(choice.used);
    CHECK(choice.obstacle.empty());
  }
  cell.graphs = "on";
  cell.engine = "plain";
  CHECK(choose_graphs(cell, gpu, {}).used); // the same operators, started together
  CHECK(choose_graphs(cell, c10::kCPU, {}).obstacle == "graphs are for a GPU");
  cell.graphs = "yes";
  CHECK_THROWS_AS(choose_graphs(cell, gpu, {}), UsageError);
}
