#include "catch.h"

#include <string>

#include "sdbench/engine/nn/layer_source.h"

using namespace sdbench;

TEST_CASE("a scope of weights joins names with dots") {
  struct Recorder final : LayerSource {
    std::string asked;
    at::Tensor take(const std::string& name, at::IntArrayRef) override {
      asked = name;
      return {};
    }
  } recorder;
  static_cast<void>((Weights(recorder) / "down_blocks" / 0 / "norm1").take("weight", {4}));
  CHECK(recorder.asked == "down_blocks.0.norm1.weight");
}
