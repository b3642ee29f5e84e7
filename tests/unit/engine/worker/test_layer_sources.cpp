#include "sdbench/engine/worker/layer_sources.h"

#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "tiny_pipeline.h"

using namespace sdbench;

TEST_CASE("each component that is loaded is told of once it is there, and none that is wrong") {
  struct Refusing final : LayerSource {
    at::Tensor take(const std::string&, at::IntArrayRef shape) override { return at::zeros(shape); }
    void finish() override { throw Error("these are not the weights"); }
  };
  std::vector<std::string> done;
  std::string asked; // the component that was asked for last
  bool refuses_vae = false;
  const LayerSourceFactory weights = after_each_component(
      [&](Component component, at::ScalarType dtype,
          at::Device device) -> std::unique_ptr<LayerSource> {
        asked = folder_name(component);
        if (component == Component::kVae && refuses_vae) {
          return std::make_unique<Refusing>();
        }
        return test::synthetic(component, dtype, device);
      },
      [&](c10::Device device) { done.push_back(asked + " on " + device.str()); });
  const StableDiffusion pipeline(find_model_config("tiny-sdxl"), weights, {});
  CHECK(done == std::vector<std::string>{"text_encoder on cpu", "text_encoder_2 on cpu",
                                         "unet on cpu", "vae on cpu"});
  done.clear();
  refuses_vae = true;
  CHECK_THROWS_WITH(StableDiffusion(find_model_config("tiny-sd15"), weights, {}),
                    "these are not the weights");
  CHECK(done == std::vector<std::string>{"text_encoder on cpu", "unet on cpu"});
}
