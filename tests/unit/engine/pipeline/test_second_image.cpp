#include "catch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "tiny_pipeline.h"

using namespace sdbench;

namespace {

/// Operators called since operators_until_prepared() began to listen.
std::vector<std::string> operators_heard;
bool is_listening = false;

std::unique_ptr<at::ObserverContext> hear_operator(const at::RecordFunction& function) {
  if (is_listening) {
    operators_heard.emplace_back(function.name());
  }
  return nullptr;
}

class Listener {
public:
  Listener()
      : handle_(at::addGlobalCallback(
            at::RecordFunctionCallback(hear_operator).scopes({at::RecordScope::FUNCTION}))) {}
  ~Listener() { at::removeCallback(handle_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener(Listener&&) = delete;
  Listener& operator=(Listener&&) = delete;

private:
  at::CallbackHandle handle_;
};

/// Answers with its input. Nobody is operators_heard after its preparation.
struct Echo final : Denoiser {
  struct Run final : DenoiserRun {
    Tensors kept() const override { return {}; }
    Tensors moment(std::int64_t) const override { return {}; }
    at::Tensor call(const at::Tensor& sample, const Tensors&, const Tensors&) const override {
      return sample.clone();
    }
  };
  std::shared_ptr<const DenoiserRun> prepare(const Conditioning&, const at::Tensor&,
                                             at::IntArrayRef,
                                             const DenoisingOptions&) const override {
    is_listening = false;
    return std::make_shared<Run>();
  }
};

StableDiffusion echoing_pipeline() {
  const auto weights = [](Component component, at::ScalarType dtype, at::Device device) {
    return test::synthetic(component, dtype, device);
  };
  const auto denoiser = [](const auto&, const Weights&, Attention) {
    return std::make_unique<Echo>();
  };
  return {find_model_config("tiny-sd15"), weights, {}, {.denoiser = denoiser}};
}

struct Image {
  at::Tensor latents;
  std::vector<std::string> before_prepared; ///< operators of the denoising until then
};

Image image_of(const StableDiffusion& pipeline, const DenoiseOptions& options) {
  const at::Tensor noise = pipeline.bring_noise(pipeline.initial_noise(1, 1, 64, 64));
  PipelineObserver nobody;
  operators_heard.clear();
  is_listening = true;
  return {pipeline.denoise(noise, {}, options, nobody), operators_heard};
}

} // namespace

TEST_CASE("a second image of a cell makes no tensor before its denoiser but its first latents") {
  const Listener listener;
  const StableDiffusion pipeline = echoing_pipeline();
  const DenoiseOptions options{.steps = 4, .guidance = 1};
  const std::size_t first = image_of(pipeline, options).before_prepared.size();
  CHECK(first > 40);                                                          // the schedule's
  const std::vector<std::string> scaled{"aten::to", "aten::to", "aten::mul"}; // `to`: as it is
  CHECK(image_of(pipeline, options).before_prepared == scaled);
}

TEST_CASE("another number of steps, spacing or curve has a schedule of its own") {
  const StableDiffusion pipeline = echoing_pipeline();
  for (const DenoiseOptions& options :
       {DenoiseOptions{.steps = 4, .guidance = 1}, DenoiseOptions{.steps = 5, .guidance = 1},
        DenoiseOptions{.steps = 5, .guidance = 1, .timestep_spacing = TimestepSpacing::kTrailing},
        DenoiseOptions{.steps = 5, .guidance = 1, .karras = true}}) {
    CAPTURE(options.steps, options.karras);
    CHECK(at::equal(image_of(pipeline, options).latents,
                    image_of(echoing_pipeline(), options).latents));
  }
}
