// Which operators a step launches on a GPU, and how many bytes they move: counted on a CPU, on
// channels-last images, with the GPU kernels on the host (host_gpu.h).
#include "catch.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

#include "host_gpu.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/kernels/kernel_launcher.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/models/unet_2d_condition.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

/// Calls of one operator or own kernel, and the bytes of all tensors that these read and write.
struct Calls {
  int launches = 0;
  std::int64_t bytes = 0;

  void add(std::int64_t more_bytes) {
    ++launches;
    bytes += more_bytes;
  }
};
using Counts = std::map<std::string, Calls>;

std::int64_t bytes_of(const c10::IValue& value) {
  if (value.isTensor()) {
    return value.toTensor().defined() ? static_cast<std::int64_t>(value.toTensor().nbytes()) : 0;
  }
  std::int64_t bytes = 0;
  if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) {
      bytes += static_cast<std::int64_t>(tensor.nbytes());
    }
  }
  return bytes;
}

/// The operators that this thread calls, without those that other operators call. A convolution
/// with a bias counts as "conv2d" and as "conv2d with bias", because its bias is a pass of its own
/// on a GPU.
class OperatorCounter {
public:
  OperatorCounter()
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(enter, leave)
                                               .needsInputs(true)
                                               .needsOutputs(true)
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
    if (depth_++ == 0) { // inputs can be asked for only now
      bytes_in_ = 0;
      for (const c10::IValue& input : function.inputs()) {
        bytes_in_ += bytes_of(input);
      }
      const std::string name = function.name();
      has_bias_ = name == "aten::conv2d" && bytes_of(function.inputs()[2]) > 0;
    }
    return nullptr;
  }
  static void leave(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
    if (--depth_ > 0) {
      return;
    }
    std::int64_t bytes_out = 0;
    for (const c10::IValue& output : function.outputs()) {
      bytes_out += bytes_of(output);
    }
    const std::string name = function.name();
    counts_[name.substr(name.find("::") + 2)].add(bytes_in_ + bytes_out);
    if (has_bias_) {
      counts_["conv2d with bias"].add(2 * bytes_out);
    }
  }

  inline static thread_local Counts counts_;
  inline static thread_local int depth_ = 0;
  inline static thread_local std::int64_t bytes_in_ = 0;
  inline static thread_local bool has_bias_ = false;
  at::CallbackHandle handle_;
};

/// Adds up what the kernels of 16-bit numbers are launched for. Runs them if `runs`; otherwise
/// their results are any numbers.
class CountingLauncher final : public KernelLauncher {
public:
  CountingLauncher(at::ScalarType dtype, bool runs) : host_(dtype), runs_(runs) {}

  void launch(const std::string& kernel, const KernelGrid& grid,
              std::span<const KernelArgument> arguments) const override {
    launched[kernel].add(moved(kernel, grid, arguments));
    if (runs_) {
      host_.launch(kernel, grid, arguments);
    }
  }
  [[nodiscard]] int multiprocessors() const override { return host_.multiprocessors(); }

  mutable Counts launched;

private:
  static std::int64_t moved(const std::string& kernel, const KernelGrid& grid,
                            std::span<const KernelArgument> arguments) {
    constexpr std::int64_t kPackBytes = 16;
    constexpr std::int64_t kBytes = 2;
    const auto from_end = [&](std::size_t place) -> std::int64_t {
      return *static_cast<const int*>(arguments[arguments.size() - place].value);
    };
    if (kernel == "group_norm_factors") { // reads the image
      return kBytes * grid.y * from_end(5) * from_end(3);
    }
    if (kernel == "group_norm_apply") { // reads and writes it
      return 2 * kBytes * grid.y * from_end(4) * from_end(3);
    }
    if (kernel == "add_bias") {
      const bool has_other = *static_cast<void* const*>(arguments[1].value) != nullptr;
      return (has_other ? 3 : 2) * kPackBytes * from_end(1);
    }
    if (kernel == "geglu") {
      return 3 * kPackBytes * from_end(1);
    }
    if (kernel == "upsample_twice") {
      return 5 * kPackBytes * from_end(1);
    }
    if (kernel.starts_with("layer_norm")) {
      return 2 * kBytes * from_end(3) * from_end(2);
    }
    throw std::logic_error("this test must know what " + kernel + " reads and writes");
  }

  HostLauncher host_;
  bool runs_;
};

FormedSource weights_of(const char* component, at::ScalarType dtype,
                        std::shared_ptr<const GpuKernels> kernels) {
  WeightForm form;
  form.memory_format = at::MemoryFormat::ChannelsLast;
  form.gpu_kernels = std::move(kernels);
  return FormedSource(std::make_unique<SyntheticSource>(0, component, dtype, at::kCPU), form);
}

/// Counts what `compute` calls and what `launcher` launches for it.
template <class Compute>
Counts counted(const CountingLauncher& launcher, const Compute& compute) {
  launcher.launched.clear();
  const OperatorCounter counter;
  compute();
  Counts counts = counter.counts();
  counts.insert(launcher.launched.begin(), launcher.launched.end());
  return counts;
}

/// Operators and own kernels of one guided evaluation of the UNet as `tuned` calls it, without the
/// shared prefix: what is made once a prompt is there. `side`: of the latents.
Counts step_of(const std::string& model, at::ScalarType dtype, std::int64_t side, bool runs) {
  const c10::InferenceMode inference;
  const UNetConfig config = unet_of(find_model_config(model));
  const at::Tensor sample = at::randn({2, config.in_channels, side, side})
                                .to(dtype)
                                .contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor states = at::randn({2, 77, config.cross_attention_dims[0]}).to(dtype);
  std::optional<AddedConditioning> added;
  if (config.projection_class_embeddings_input_dim) {
    const std::int64_t sizes = 6 * config.addition_time_embed_dim.value();
    added = AddedConditioning{
        at::randn({2, *config.projection_class_embeddings_input_dim - sizes}).to(dtype),
        at::full({2, 6}, 64.0)};
  }
  const auto launcher = std::make_shared<CountingLauncher>(dtype, runs);
  FormedSource source =
      weights_of("unet", dtype, std::make_shared<const GpuKernels>(launcher, at::kCPU, dtype));
  const UNet2dCondition unet(Weights(source), config, Attention::kAuto);
  const auto text = unet.text(states, TextForm::kKeys);
  const auto time = unet.times(at::full({1}, 500.0), 2, added).front();
  return counted(*launcher, [&] { static_cast<void>(unet(sample, time, text)); });
}

Counts decode_of(const std::string& model, at::ScalarType dtype, std::int64_t side, bool runs) {
  const c10::InferenceMode inference;
  const VaeConfig config = find_model_config(model).vae;
  const at::Tensor latents = at::randn({1, config.latent_channels, side, side})
                                 .to(dtype)
                                 .contiguous(at::MemoryFormat::ChannelsLast);
  const auto launcher = std::make_shared<CountingLauncher>(dtype, runs);
  FormedSource source =
      weights_of("vae", dtype, std::make_shared<const GpuKernels>(launcher, at::kCPU, dtype));
  const AutoencoderKl vae(Weights(source), config);
  return counted(*launcher, [&] { static_cast<void>(vae.decode(latents)); });
}

void print(const std::string& work, const Counts& counts) {
  for (const auto& [name, calls] : counts) {
    std::printf("{\"work\": \"%s\", \"operator\": \"%s\", \"launches\": %d, \"bytes\": %lld}\n",
                work.c_str(), name.c_str(), calls.launches, static_cast<long long>(calls.bytes));
  }
}

} // namespace

TEST_CASE("launches and bytes of a step and of a decoding, as records", "[.counts]") {
  for (const auto& [model, side] :
       std::map<std::string, std::int64_t>{{"sd15", 64}, {"sdxl", 128}}) {
    print(model + " UNet", step_of(model, at::kBFloat16, side, false));
    print(model + " VAE", decode_of(model, at::kBFloat16, side, false));
  }
}

TEST_CASE("no pass over an image is left on a GPU for a convolution's bias or a residual sum") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    CAPTURE(model);
    const Counts step = step_of(model, at::kFloat, 16, true);
    CHECK(step.count("conv2d with bias") == 0);
    CHECK(step.count("add") + step.count("add_") == 0);
    // Both attentions and the feed-forward of each block, and each transformer's last layer:
    CHECK(step.at("addmm_").launches > 3 * step.at("geglu").launches);
    const Counts decoding = decode_of(model, at::kFloat, 6, true);
    CHECK(decoding.count("conv2d with bias") == 0);
    CHECK(decoding.count("add") == 0);
    CHECK(decoding.at("add_").launches == 1); // the last convolution's bias: 3 channels
  }
}
