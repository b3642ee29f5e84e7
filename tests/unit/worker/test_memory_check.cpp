#include "sdbench/worker/memory_check.h"

#include "catch.h"
#include "sdbench/plan/memory_estimate.h"

using namespace sdbench;

TEST_CASE("the weights that --dry-run counts are those that the worker loads") {
  for (const std::string& name : shipped_model_names()) {
    INFO(name);
    const ModelConfig model = find_model_config(name);
    CHECK(weight_bytes(model, PipelineOptions{}) == weight_bytes(model, Dtype::kF32));
  }
}
