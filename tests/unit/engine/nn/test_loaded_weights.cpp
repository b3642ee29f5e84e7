#include "catch.h"

#include <string>
#include <vector>

#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/nn/loaded_weights.h"

using namespace sdbench;

TEST_CASE("the dtypes of weights are told by their bytes, over all components") {
  LoadedWeights weights;
  CHECK(dtypes_text(weights).empty());
  weights.bytes["unet"] = {{Dtype::kF8E4M3, 100}, {Dtype::kF16, 10}};
  weights.bytes["vae"] = {{Dtype::kF16, 60}, {Dtype::kF32, 80}};
  CHECK(dtypes_text(weights) == "fp8_e4m3+fp32+fp16");
}

TEST_CASE("ignored tensors are named by their prefix and number, and by their component") {
  LoadedWeights weights;
  CHECK(ignored_text(weights).empty());
  weights.outside = {"embedding_manager.a", "embedding_manager.b.c", "scale_factor"};
  weights.ignored["text_encoder"] = {"vision_model.x", "vision_model.y"};
  weights.ignored["unet"] = {};
  CHECK(ignored_text(weights) == "\"embedding_manager.\" (2), \"scale_factor\" (1), "
                                 "\"vision_model.\" (2) of text_encoder");
}

TEST_CASE("a LoRA's names are one group, and the note counts the groups that nobody would read, "
          "which the record has") {
  LoadedWeights weights;
  for (int i = 0; i < 9; ++i) {
    weights.outside.push_back("lora_unet_" + std::to_string(i) + ".up.weight");
  }
  CHECK(ignored_text(weights) == "\"lora_\" (9)");
  weights.outside = {"a", "b", "c", "d", "e.x", "e.y", "f"};
  CHECK(ignored_note(weights) == "\"a\" (1), \"b\" (1), \"c\" (1), \"d\" (1) and 2 more (3)");
  CHECK(ignored_text(weights) ==
        "\"a\" (1), \"b\" (1), \"c\" (1), \"d\" (1), \"e.\" (2), \"f\" (1)");
}
