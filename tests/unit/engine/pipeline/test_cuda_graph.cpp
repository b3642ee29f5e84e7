// What only a GPU can show is hidden: the tests "gpu: engine_tests…" run it.
#include "sdbench/engine/pipeline/cuda_graph.h"

#include <cstdint>
#include <stdexcept>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "catch.h"
#include "sdbench/engine/worker/cuda_facts.h"

using namespace sdbench;

TEST_CASE("a capture that fails leaves the device as it was, and the next one succeeds", "[.gpu]") {
  if (cuda_devices().empty()) {
    WARN("skipped: there is no GPU"); // ctest knows it by these words
    return;
  }
  const c10::InferenceMode inference;
  const c10::Device gpu("cuda:0");
  const std::unique_ptr<GraphMaker> maker = make_graph_maker(gpu, GraphKind::kSteps);
  const at::Tensor input = at::ones({8 << 20}, at::device(gpu));
  at::Tensor output;
  const auto work = [&] { output = input * 2; };
  maker->warm_up(work);
  output.reset();
  empty_cuda_cache();
  const std::int64_t held = cuda_memory_held_bytes(gpu.index());
  const auto check_that_nothing_is_left = [&] {
    output.reset();
    empty_cuda_cache();
    CHECK(cuda_memory_held_bytes(gpu.index()) == held);
  };

  const auto ends = [&] {
    work();
    throw std::runtime_error("the work's own");
  };
  CHECK_THROWS_AS(maker->capture(ends), std::runtime_error);
  check_that_nothing_is_left();

  const auto synchronises = [&] { // which invalidates a capture
    work();
    static_cast<void>(output.sum().item<float>());
  };
  CHECK_THROWS_AS(maker->capture(synchronises), c10::Error);
  check_that_nothing_is_left();

  std::unique_ptr<WorkGraph> graph = maker->capture(work);
  CHECK_NOTHROW(graph->upload());
  for (const int value : {3, 5}) { // an upload computes nothing and changes nothing
    input.fill_(value);
    graph->replay();
    CHECK((output == 2 * value).all().item<bool>());
  }
  graph.reset();
  check_that_nothing_is_left();
}

TEST_CASE("graphs are for a GPU that libtorch has CUDA for") {
  CHECK_THROWS_WITH(make_graph_maker(c10::kCPU, GraphKind::kText),
                    Catch::Matchers::ContainsSubstring("cpu"));
}
