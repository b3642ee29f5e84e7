// Which operators a step launches on a GPU: counted on a CPU, on channels-last images, with the GPU
// kernels on the host (host_gpu.h).
#include "catch.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

#include "host_gpu.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

using Counts = std::map<std::string, int>;

/// The operators that this thread calls, without those that other operators call. A convolution
/// with a bias counts as "conv2d" and as "conv2d with bias", because its bias is a pass of its own
/// on a GPU.
class OperatorCounter {
public:
  OperatorCounter()
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(enter, leave)
                                               .needsInputs(true)
                                               .scopes({at::RecordScope::FUNCTION}))) {
    counts_.clear();
    depth_ = 0;
  }
  ~OperatorCounter() { at::removeCallback(handle_); }
  OperatorCounter(const OperatorCounter&) = delete;
  OperatorCounter& operator=(const OperatorCounter&) = delete;

  [[nodiscard]] Counts counts() const { return counts_; }

private:
  static std::unique_ptr<at::ObserverContext> enter(const at::RecordFunction& function) {
    if (depth_++ == 0) {
      std::string name = function.name();
      name = name.substr(name.find("::") + 2);
      ++counts_[name];
      if (name == "conv2d" && function.inputs()[2].isTensor() &&
          function.inputs()[2].toTensor().defined()) {
        ++counts_["conv2d with bias"];
      }
    }
    return nullptr;
  }
  static void leave(const at::RecordFunction& /*function*/, at::ObserverContext* /*context*/) {
    --depth_;
  }

  inline static thread_local Counts counts_;
  inline static thread_local int depth_ = 0;
  at::CallbackHandle handle_;
};

FormedSource weights_of(const char* component, at::ScalarType dtype,
                        std::shared_ptr<const GpuKernels> kernels) {
  WeightForm form;
  form.memory_format = at::MemoryFormat::ChannelsLast;
  form.gpu_kernels = std::move(kernels);
  return FormedSource(std::make_unique<SyntheticSource>(0, component, dtype, at::kCPU), form);
}

/// Operators and own kernels of one evaluation of the UNet as `tuned` calls it with guidance: what
/// is made once a prompt is there, and halves share the first layers where they can.
Counts step_of(const std::string& model, at::ScalarType dtype) {
  const c10::InferenceMode inference;
  const UNetConfig config = unet_of(find_model_config(model));
  const bool shares_prefix = !config.projection_class_embeddings_input_dim;
  const std::int64_t images = shares_prefix ? 1 : 2;
  const at::Tensor sample = at::randn({images, config.in_channels, 16, 16})
                                .to(dtype)
                                .contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor states = at::randn({2, 77, config.cross_attention_dims[0]}).to(dtype);
  std::optional<AddedConditioning> added;
  if (!shares_prefix) {
    const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
    added = AddedConditioning{
        at::randn({2, *config.projection_class_embeddings_input_dim - sizes}).to(dtype),
        at::full({2, 6}, 64.0)};
  }
  const auto launcher = std::make_shared<HostLauncher>(dtype);
  FormedSource source =
      weights_of("unet", dtype, std::make_shared<const GpuKernels>(launcher, at::kCPU, dtype));
  const UNet2dCondition unet(Weights(source), config, Attention::kAuto);
  const auto text = unet.text(states, TextForm::kKeys);
  const auto time = unet.times(at::full({1}, 500.0), images, added).front();
  launcher->launched.clear();
  const OperatorCounter counter;
  static_cast<void>(unet(sample, time, text));
  Counts counts = counter.counts();
  for (const auto& [kernel, times] : launcher->launched) {
    counts[kernel] += times;
  }
  return counts;
}

Counts decode_of(const std::string& model, at::ScalarType dtype) {
  const c10::InferenceMode inference;
  const VaeConfig config = find_model_config(model).vae;
  const at::Tensor latents = at::randn({1, config.latent_channels, 6, 5})
                                 .to(dtype)
                                 .contiguous(at::MemoryFormat::ChannelsLast);
  const auto launcher = std::make_shared<HostLauncher>(dtype);
  FormedSource source =
      weights_of("vae", dtype, std::make_shared<const GpuKernels>(launcher, at::kCPU, dtype));
  const AutoencoderKl vae(Weights(source), config);
  const OperatorCounter counter;
  static_cast<void>(vae.decode(latents));
  Counts counts = counter.counts();
  for (const auto& [kernel, times] : launcher->launched) {
    counts[kernel] += times;
  }
  return counts;
}

void print(const std::string& title, const Counts& counts) {
  std::printf("%s\n", title.c_str());
  for (const auto& [name, times] : counts) {
    std::printf("  %5d %s\n", times, name.c_str());
  }
}

} // namespace

TEST_CASE("operators of a step and of a decoding, for docs/performance.md", "[.counts]") {
  for (const char* model : {"sd15", "sdxl"}) {
    print(std::string(model) + ", UNet", step_of(model, at::kBFloat16));
    print(std::string(model) + ", VAE", decode_of(model, at::kBFloat16));
  }
}

TEST_CASE("no pass over an image is left on a GPU for a convolution's bias or a residual sum") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(model);
    const Counts step = step_of(model, at::kFloat);
    CHECK(step.count("conv2d with bias") == 0);
    CHECK(step.count("add_") == 0);
    CHECK(step.at("addmm_") == 3 * step.at("geglu")); // both attentions and the feed-forward
    CHECK(decode_of(model, at::kFloat).count("conv2d with bias") == 0);
  }
}
