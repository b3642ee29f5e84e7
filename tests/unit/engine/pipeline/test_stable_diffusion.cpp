#include "catch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <sys/resource.h>

#include "sdbench/base/config/decoding_size.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/pipeline/pipeline_models.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "tiny_pipeline.h"

using namespace sdbench;
using test::synthetic;
using test::tiny_pipeline;

// The numbers are compared with diffusers in tests/parity; here is what surrounds them.

namespace {

class Counter final : public PipelineObserver {
public:
  [[nodiscard]] bool wants_step_tensors() const override { return true; }
  void on_step_tensors(std::int64_t, const at::Tensor& unet_output,
                       const at::Tensor& latents) override {
    unet_batch = unet_output.size(0);
    finite = finite && latents.isfinite().all().item<bool>();
  }
  void on_step_done(std::int64_t step) override { steps.push_back(step); }
  void on_denoised() override { ++denoised; }

  std::vector<std::int64_t> steps;
  std::int64_t unet_batch = 0;
  bool finite = true;
  int denoised = 0;
};

} // namespace

// A sanitizer's allocator keeps what is freed for a while.
TEST_CASE("a decode finds the memory of those before it: the kernel gives it hardly a page",
          "[not_sanitized]") {
  const StableDiffusion pipeline =
      tiny_pipeline("tiny-sd15", {.memory_format_vae = at::MemoryFormat::ChannelsLast});
  const at::Tensor latents = pipeline.initial_noise(0, 1, 512, 512);
  const auto pages_given = [] { // to this process so far
    rusage usage{};
    REQUIRE(::getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_minflt;
  };
  const auto pages_of_a_decode = [&] {
    const long before = pages_given();
    static_cast<void>(pipeline.decode(latents));
    return pages_given() - before;
  };
  set_host_allocator(HostAllocator::kCaching);
  const long first = pages_of_a_decode();
  // The second's order is not quite the first's, whose result was not there yet.
  const long later = std::min({pages_of_a_decode(), pages_of_a_decode(), pages_of_a_decode()});
  CHECK(later * 20 < first);
  set_host_allocator(HostAllocator::kSystem);
  CHECK(later * 20 < std::min(pages_of_a_decode(), pages_of_a_decode()));
}

TEST_CASE("a prompt becomes pixels, and the observer hears every step") {
  for (const char* name : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(name);
    const StableDiffusion pipeline = tiny_pipeline(name);
    const Conditioning conditioning = pipeline.encode({"a cat", "a dog"}, {}, 5.0, 104, 72);
    CHECK(conditioning.guided);
    CHECK(conditioning.context.size(0) == 4);
    CHECK(conditioning.pooled.defined() == (std::string(name) == "tiny-sdxl"));
    Counter counter;
    const at::Tensor noise = pipeline.initial_noise(0, 2, 104, 72);
    REQUIRE(noise.sizes() == at::IntArrayRef({2, 4, 9, 13}));
    const at::Tensor latents =
        pipeline.denoise(noise, conditioning, {.steps = 3, .guidance = 5.0}, counter);
    CHECK(counter.steps == std::vector<std::int64_t>{0, 1, 2});
    CHECK(counter.denoised == 1);
    CHECK(counter.unet_batch == 4);
    CHECK(counter.finite);
    const at::Tensor pixels = pipeline.decode(latents);
    CHECK(pixels.scalar_type() == at::kFloat);
    CHECK(pixels.isfinite().all().item<bool>());
    const at::Tensor bytes = StableDiffusion::to_uint8(pixels);
    CHECK(bytes.sizes() == at::IntArrayRef({2, 72, 104, 3}));
    CHECK(bytes.is_contiguous());
  }
}

TEST_CASE("without guidance there is no negative half") {
  const StableDiffusion pipeline = tiny_pipeline("tiny-sd15");
  for (const double guidance : {0.0, 1.0}) {
    const Conditioning conditioning = pipeline.encode({"a cat"}, "ugly", guidance, 64, 64);
    CHECK_FALSE(conditioning.guided);
    CHECK(conditioning.context.size(0) == 1);
    Counter counter;
    static_cast<void>(pipeline.denoise(pipeline.initial_noise(0, 1, 64, 64), conditioning,
                                       {.steps = 1, .guidance = guidance}, counter));
    CHECK(counter.unet_batch == 1);
  }
}

TEST_CASE("no negative prompt means the empty one, but zeros for SDXL") {
  const StableDiffusion sd15 = tiny_pipeline("tiny-sd15");
  CHECK(at::equal(sd15.encode({"a cat"}, {}, 2, 64, 64).context,
                  sd15.encode({"a cat"}, "", 2, 64, 64).context));
  const StableDiffusion sdxl = tiny_pipeline("tiny-sdxl");
  const Conditioning none = sdxl.encode({"a cat"}, {}, 2, 64, 64);
  const Conditioning empty = sdxl.encode({"a cat"}, "", 2, 64, 64);
  CHECK(none.context[0].eq(0).all().item<bool>());
  CHECK(none.pooled[0].eq(0).all().item<bool>());
  CHECK_FALSE(empty.context[0].eq(0).all().item<bool>());
  CHECK(at::equal(none.context[1], empty.context[1]));
  CHECK(none.time_ids.sizes() == at::IntArrayRef({2, 6}));
}

TEST_CASE("layers of the text encoder that are left out change the prompts' states alone") {
  const StableDiffusion sd15 = tiny_pipeline("tiny-sd15");
  const at::Tensor usual = sd15.encode({"a cat"}, "ugly", 2, 64, 64).context;
  const at::Tensor skipped = sd15.encode({"a cat"}, "ugly", 2, 64, 64, 1).context;
  CHECK(at::equal(usual[0], skipped[0])); // the negative prompt's, as diffusers has it
  CHECK_FALSE(at::allclose(usual[1], skipped[1], 1e-2, 1e-2));
}

TEST_CASE("each image has its own seed, whatever the batch") {
  const StableDiffusion pipeline = tiny_pipeline("tiny-sd15");
  const at::Tensor pair = pipeline.initial_noise(7, 2, 64, 64);
  CHECK(pair.scalar_type() == at::kFloat);
  CHECK(at::equal(pair[0], pipeline.initial_noise(7, 1, 64, 64)[0]));
  CHECK(at::equal(pair[1], pipeline.initial_noise(8, 1, 64, 64)[0]));
  CHECK_FALSE(at::equal(pair[0], pair[1]));
}

TEST_CASE("half of a pixel's value goes to the even neighbour") {
  const at::Tensor values = at::tensor({0.5F, 1.5F, 2.5F, 255.0F}) / 255;
  const at::Tensor bytes = StableDiffusion::to_uint8(values.view({1, 1, 1, 4}));
  CHECK(at::equal(bytes.flatten(), at::tensor({0, 2, 2, 255}, at::kByte)));
}

TEST_CASE("a pixel outside what an image shows becomes black or white") {
  const at::Tensor values = at::tensor({-0.1F, 0.0F, 1.0F, 1.1F});
  const at::Tensor bytes = StableDiffusion::to_uint8(values.view({1, 1, 1, 4}));
  CHECK(at::equal(bytes.flatten(), at::tensor({0, 0, 255, 255}, at::kByte)));
}

TEST_CASE("each part runs in its own precision") {
  const StableDiffusion pipeline = tiny_pipeline(
      "tiny-sdxl",
      {.dtype_text = at::kFloat, .dtype_unet = at::kBFloat16, .dtype_vae = at::kFloat});
  const Conditioning conditioning = pipeline.encode({"a cat"}, {}, 5.0, 64, 64);
  Counter counter;
  const at::Tensor latents = pipeline.denoise(pipeline.initial_noise(0, 1, 64, 64), conditioning,
                                              {.steps = 2, .guidance = 5.0}, counter);
  CHECK(latents.scalar_type() == at::kBFloat16);
  CHECK(counter.finite);
  CHECK(pipeline.decode(latents).scalar_type() == at::kFloat);
}

TEST_CASE("UNet calls are counted from the schedule") {
  const StableDiffusion pipeline = tiny_pipeline("tiny-sd15");
  CHECK(pipeline.unet_calls({.steps = 50}) == 50);
  CHECK(pipeline.unet_calls({.steps = 61, .timestep_spacing = TimestepSpacing::kTrailing}) == 62);
}

namespace {

/// Final latents and image of a short run.
std::pair<at::Tensor, at::Tensor> short_run(const StableDiffusion& pipeline,
                                            PipelineObserver& observer) {
  const Conditioning conditioning = pipeline.encode({"a cat"}, "ugly", 5.0, 104, 72);
  const at::Tensor latents = pipeline.denoise(pipeline.initial_noise(0, 1, 104, 72), conditioning,
                                              {.steps = 2, .guidance = 5.0}, observer);
  return {latents, pipeline.decode(latents)};
}

/// Largest difference by the largest value.
double relative_error(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).abs().max() / b.abs().max()).item<double>();
}

/// Whether the UNet's output lies in memory channel by channel or pixel by pixel.
struct FormatObserver final : PipelineObserver {
  [[nodiscard]] bool wants_step_tensors() const override { return true; }
  void on_step_tensors(std::int64_t, const at::Tensor& output, const at::Tensor&) override {
    channels_last = output.is_contiguous(at::MemoryFormat::ChannelsLast);
  }
  bool channels_last = false;
};

} // namespace

TEST_CASE("channels-last goes through the whole UNet and changes no more than rounding") {
  for (const char* name : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(name);
    FormatObserver contiguous;
    FormatObserver channels_last;
    const auto [latents, image] = short_run(tiny_pipeline(name), contiguous);
    const auto [other_latents, other_image] =
        short_run(tiny_pipeline(name, {.memory_format_unet = at::MemoryFormat::ChannelsLast,
                                       .memory_format_vae = at::MemoryFormat::ChannelsLast}),
                  channels_last);
    CHECK_FALSE(contiguous.channels_last);
    CHECK(channels_last.channels_last);
    CHECK(relative_error(other_latents, latents) < 1e-4); // the bound of the parity tests
    CHECK(relative_error(other_image, image) < 1e-4);
  }
}

TEST_CASE("images of UNet and VAE lie each in the order that is asked for that stage") {
  const auto channels_last = at::MemoryFormat::ChannelsLast;
  const StableDiffusion contiguous = tiny_pipeline("tiny-sdxl");
  const StableDiffusion in_unet = tiny_pipeline("tiny-sdxl", {.memory_format_unet = channels_last});
  const StableDiffusion in_vae = tiny_pipeline("tiny-sdxl", {.memory_format_vae = channels_last});
  FormatObserver of_unet;
  FormatObserver of_vae;
  const at::Tensor latents = short_run(in_unet, of_unet).first;
  static_cast<void>(short_run(in_vae, of_vae));
  CHECK(of_unet.channels_last);
  CHECK_FALSE(of_vae.channels_last);
  REQUIRE(latents.is_contiguous(channels_last)); // which the VAE takes into its own order
  CHECK(in_unet.decode(latents).is_contiguous());
  CHECK(at::equal(in_unet.decode(latents), contiguous.decode(latents)));
  CHECK(in_vae.decode(latents).is_contiguous(channels_last));
}

TEST_CASE("a batch that is decoded in parts has the pixels of each part alone, and of the whole",
          "[not_sanitized]") {
  for (const bool tiling : {false, true}) {
    const StableDiffusion at_once = tiny_pipeline("tiny-sd15", {.vae_tiling = tiling});
    const at::Tensor latents = at_once.initial_noise(0, 5, 136, 72);
    const std::int64_t of_one = decoded_elements(at_once.config().vae, tiling ? 128 : 136, 72);
    for (const std::int64_t images : {1, 2, 3, 5}) {
      CAPTURE(tiling, images);
      std::vector<at::Tensor> parts;
      for (const at::Tensor& part : latents.split(images)) {
        parts.push_back(at_once.decode(part));
      }
      const StableDiffusion in_parts =
          tiny_pipeline("tiny-sd15", {.vae_tiling = tiling, .most_decoded = images * of_one});
      const at::Tensor pixels = in_parts.decode(latents);
      // Of the tiles at the edge, which are smaller, more are decoded at once.
      CHECK((tiling || pixels.equal(at::cat(parts))));
      // ATen's products of another size add in another order.
      CHECK(relative_error(pixels, at_once.decode(latents)) < 1e-4); // the parity tests' bound
    }
  }
}

TEST_CASE("offload changes no bit, in whatever order the stages are asked for") {
  for (const char* name : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(name);
    PipelineObserver nobody;
    const auto [latents, image] = short_run(tiny_pipeline(name), nobody);
    const StableDiffusion pipeline = tiny_pipeline(name, {.offload = Offload::kStages});
    for (int run = 0; run < 2; ++run) {
      const auto [other_latents, other_image] = short_run(pipeline, nobody);
      CHECK(at::equal(other_latents, latents));
      CHECK(at::equal(other_image, image));
    }
    pipeline.bring(Stage::kUNet);
    CHECK(at::equal(pipeline.decode(latents), image));
  }
}

TEST_CASE("with offload one stage's weights are read at a time, and anew for each run") {
  std::vector<std::string> read;
  const auto noting = [&](Component component, at::ScalarType dtype, at::Device device) {
    if (!device.is_meta()) { // the check at construction
      read.emplace_back(folder_name(component));
    }
    return synthetic(component, dtype, device);
  };
  const StableDiffusion pipeline(find_model_config("tiny-sdxl"), noting,
                                 {.offload = Offload::kStages});
  CHECK(read.empty());
  PipelineObserver nobody;
  static_cast<void>(short_run(pipeline, nobody));
  const std::vector<std::string> one_run{"text_encoder", "text_encoder_2", "unet", "vae"};
  CHECK(read == one_run);
  static_cast<void>(pipeline.decode(pipeline.initial_noise(0, 1, 64, 64))); // is still there
  CHECK(read == one_run);
}

TEST_CASE("under autocast the UNet and the VAE give the lower precision, near to the exact one") {
  const StageDtype autocast(Precision(Dtype::kBF16, true));
  const StableDiffusion pipeline = tiny_pipeline(
      "tiny-sdxl", {.dtype_text = autocast, .dtype_unet = autocast, .dtype_vae = autocast});
  PipelineObserver nobody;
  const auto [exact_latents, exact_image] = short_run(tiny_pipeline("tiny-sdxl"), nobody);
  const auto [latents, image] = short_run(pipeline, nobody);
  CHECK(latents.scalar_type() == at::kBFloat16);
  CHECK(image.scalar_type() == at::kFloat);
  const double difference = (latents.to(at::kFloat) - exact_latents).abs().max().item<double>();
  CHECK(difference > 0);
  CHECK(difference < 0.1 * exact_latents.abs().max().item<double>());
  const Conditioning conditioning = pipeline.encode({"a cat"}, {}, 5.0, 1001, 64);
  CHECK(conditioning.time_ids.max().item<double>() == 1001); // bf16 has no 1001
  CHECK(conditioning.time_ids.scalar_type() == at::kFloat);
}

TEST_CASE("tiles are counted, and refused where the VAE's sample size cannot be cut") {
  const StableDiffusion pipeline = tiny_pipeline("tiny-sd15", {.vae_tiling = true});
  CHECK(pipeline.vae_tile_count(128, 128) == 1);
  CHECK(pipeline.vae_tile_count(136, 128) == 4);
  CHECK(tiny_pipeline("tiny-sd15").vae_tile_count(1024, 1024) == 1);
  ModelConfig odd = find_model_config("tiny-sd15");
  odd.vae.sample_size = 100;
  CHECK_THROWS_WITH(StableDiffusion(odd, synthetic, {.vae_tiling = true}),
                    Catch::Matchers::ContainsSubstring("--vae-tiling"));
}

TEST_CASE("wrong weights end the construction with the source's error") {
  struct Refusing final : LayerSource {
    at::Tensor take(const std::string&, at::IntArrayRef shape) override { return at::zeros(shape); }
    void finish() override { throw Error("these are not the weights"); }
  };
  const auto refuse_vae = [](Component component, at::ScalarType dtype, at::Device device) {
    return component == Component::kVae ? std::make_unique<Refusing>()
                                        : synthetic(component, dtype, device);
  };
  const double packing_before_s = packing_seconds();
  for (const Offload offload : {Offload::kNone, Offload::kStages}) {
    for (const Packing packing : {Packing::kNone, Packing::kOneDnn, Packing::kWinograd}) {
      CHECK_THROWS_WITH(StableDiffusion(find_model_config("tiny-sd15"), refuse_vae,
                                        {.offload = offload, .packing = packing}),
                        "these are not the weights");
    }
  }
  CHECK(packing_seconds() == packing_before_s); // the text encoder's and the UNet's neither
}
