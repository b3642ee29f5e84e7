#include "catch.h"

#include <tuple>
#include <utility>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/worker/kernels_and_graphs_choice.h"

using namespace sdbench;

TEST_CASE("the tuned engine captures graphs on a GPU, unless weights move from run to run") {
  const c10::Device gpu("cuda:0");
  const DtypeChoice fp16{Dtype::kF16, Dtype::kF16, Dtype::kF16};
  const Precision mixed(Dtype::kF16, true);
  for (const auto& [asked, wanted] :
       {std::pair("auto", Graphs::kStep), std::pair("loop", Graphs::kLoop)}) {
    CAPTURE(asked);
    Cell cell;
    cell.graphs = asked;
    CHECK(choose_graphs(cell, gpu, fp16).used == wanted);
    CHECK(choose_graphs(cell, gpu, fp16).obstacle.empty());
    CHECK(choose_graphs(cell, gpu, {mixed, Dtype::kF16, mixed}).used == wanted);
    const GraphsChoice with_autocast = choose_graphs(cell, gpu, {mixed, mixed, mixed});
    CHECK(with_autocast.used == Graphs::kNone);
    CHECK_THAT(with_autocast.obstacle, Catch::Matchers::ContainsSubstring("autocast"));
    cell.offload = "stages";
    CHECK(choose_graphs(cell, gpu, fp16).used == Graphs::kNone);
    CHECK_THAT(choose_graphs(cell, gpu, fp16).obstacle,
               Catch::Matchers::ContainsSubstring("--offload"));
  }
}

TEST_CASE("a dump of each step's latents has the UNet's calls as graphs, not the loop") {
  const c10::Device gpu("cuda:0");
  Cell cell;
  cell.graphs = "loop";
  cell.dump_run = "study/run.safetensors";
  CHECK(choose_graphs(cell, gpu, {}).used == Graphs::kStep);
  CHECK_THAT(choose_graphs(cell, gpu, {}).obstacle, Catch::Matchers::ContainsSubstring("latents"));
  cell.graphs = "on";
  CHECK(choose_graphs(cell, gpu, {}).used == Graphs::kStep);
  CHECK(choose_graphs(cell, gpu, {}).obstacle.empty());
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
    const GraphsChoice choice = choose_graphs(cell, device, {});
    CHECK(choice.used == Graphs::kNone);
    CHECK(choice.obstacle.empty());
  }
  cell.graphs = "on";
  cell.engine = "plain";
  CHECK(choose_graphs(cell, gpu, {}).used == Graphs::kStep); // the same operators, together
  CHECK(choose_graphs(cell, c10::kCPU, {}).obstacle == "graphs are for a GPU");
  cell.graphs = "loop";
  CHECK(choose_graphs(cell, c10::kCPU, {}).obstacle == "graphs are for a GPU");
}

TEST_CASE("graphs are named in records as in the option") {
  CHECK(name_of(Graphs::kNone) == "off");
  CHECK(name_of(Graphs::kStep) == "on");
  CHECK(name_of(Graphs::kLoop) == "loop");
}

TEST_CASE("the tuned engine has kernels of its own on a GPU that they can be made for") {
  const c10::Device gpu("cuda:0");
  const DtypeChoice dtypes{Dtype::kF16, Dtype::kF16, Dtype::kBF16};
  std::vector<c10::ScalarType> made;
  const KernelProbe ready = [&](c10::Device device, c10::ScalarType dtype) {
    CHECK(device == gpu);
    made.push_back(dtype);
  };
  Cell cell;
  CHECK(choose_kernels(cell, gpu, dtypes, ready).used);
  CHECK(made == std::vector{c10::kHalf, c10::kBFloat16});
  const KernelProbe refuses = [](c10::Device, c10::ScalarType) {
    throw Error("compute capability 7.0\nand a second line");
  };
  for (const char* asked : {"auto", "own"}) {
    cell.kernels = asked;
    const KernelsChoice refused = choose_kernels(cell, gpu, dtypes, refuses);
    CHECK_FALSE(refused.used);
    CHECK(refused.obstacle == "compute capability 7.0");
  }
  const Precision mixed(Dtype::kF16, true);
  CHECK_THAT(choose_kernels(cell, gpu, {mixed, mixed, mixed}, ready).obstacle,
             Catch::Matchers::ContainsSubstring("autocast"));
  made.clear();
  CHECK(choose_kernels(cell, gpu, {mixed, Dtype::kF16, mixed}, ready).used);
  CHECK(made == std::vector{c10::kHalf});
}

TEST_CASE("ATen's kernels where none of our own are asked for") {
  const c10::Device gpu("cuda:0");
  const KernelProbe unexpected = [](c10::Device, c10::ScalarType) { FAIL("asked for kernels"); };
  Cell cell;
  cell.kernels = "aten";
  CHECK(choose_kernels(cell, gpu, {}, unexpected).obstacle.empty());
  cell.kernels = "auto";
  cell.engine = "plain";
  const KernelsChoice plain = choose_kernels(cell, gpu, {}, unexpected);
  CHECK_FALSE(plain.used);
  CHECK(plain.obstacle.empty());
}

TEST_CASE("a CPU has kernels of our own for the dtypes that it has instructions for") {
  for (const Dtype dtype : {Dtype::kF32, Dtype::kBF16, Dtype::kF16}) {
    const bool has = cpu_instructions(to_scalar_type(dtype)).has_value();
    const KernelsChoice choice = choose_kernels(Cell{}, c10::kCPU, {dtype, dtype, dtype});
    CHECK(choice.used == has);
    CHECK(choice.obstacle == (has ? "" : no_instructions_text(to_scalar_type(dtype))));
  }
}

TEST_CASE("that a CPU has no kernels of our own is said with the dtype") {
  CHECK(no_instructions_text(c10::kHalf) == // for which there are none
        "this processor has none of the instructions with which sdbench's kernels compute in fp16");
  CHECK_THAT(no_instructions_text(c10::kFloat),
             Catch::Matchers::EndsWith("in fp32 (avx2, avx512)"));
}
