// Layers with the GPU kernels, which run on the host here (host_gpu.h).
#include "catch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

#include "host_gpu.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/norm.h"
#include "sdbench/engine/nn/resnet_block.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/transformer_2d.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

using Kernels = std::shared_ptr<const GpuKernels>;

Kernels on_host() {
  return std::make_shared<const GpuKernels>(std::make_shared<HostLauncher>(at::kFloat), at::kCPU,
                                            at::kFloat);
}

FormedSource weights_with(Kernels kernels) {
  WeightForm form;
  form.memory_format = at::MemoryFormat::ChannelsLast;
  form.gpu_kernels = std::move(kernels);
  return FormedSource(std::make_unique<SyntheticSource>(0, "unet", at::kFloat, at::kCPU), form);
}

double relative_difference(const at::Tensor& ours, const at::Tensor& wanted) {
  return ((ours - wanted).abs().max() / wanted.abs().max()).item<double>();
}

/// Counts calls of at::linear while it lives.
class LinearCount {
public:
  LinearCount()
      : handle_(at::addGlobalCallback(
            at::RecordFunctionCallback([](const at::RecordFunction& function)
                                           -> std::unique_ptr<at::ObserverContext> {
              count += std::string_view(function.name()) == "aten::linear" ? 1 : 0;
              return nullptr;
            }).scopes({at::RecordScope::FUNCTION}))) {
    count = 0;
  }
  LinearCount(const LinearCount&) = delete;
  LinearCount& operator=(const LinearCount&) = delete;
  ~LinearCount() { at::removeCallback(handle_); }

  static inline int count = 0;

private:
  at::CallbackHandle handle_;
};

} // namespace

TEST_CASE("self-attention with the GPU kernels is that of three layers, by one product") {
  const c10::InferenceMode inference;
  for (const Bias bias : {Bias::kNo, Bias::kYes}) {
    for (const std::int64_t heads : {1, 4}) {
      for (const Attention kernel :
           {Attention::kAuto, Attention::kMath, Attention::kSliced, Attention::kBlocked}) {
        CAPTURE(bias == Bias::kYes, heads, std::string(name_of(kernel)));
        at::manual_seed(1);
        const at::Tensor x = at::randn({2, 12, 32});
        const auto run = [&](const Kernels& kernels, int products) {
          FormedSource source = weights_with(kernels);
          const MultiHeadAttention attention(
              Weights(source),
              {.channels = 32, .heads = heads, .qkv_bias = bias, .attend = {.kernel = kernel}});
          const LinearCount count;
          at::Tensor y = attention(x);
          CHECK(LinearCount::count == products);
          return y;
        };
        CHECK(relative_difference(run(on_host(), 2), run(nullptr, 4)) < 1e-5);
      }
    }
  }
}

TEST_CASE("cross-attention keeps its layers apart, also where the text is as wide as the image") {
  const c10::InferenceMode inference;
  FormedSource source = weights_with(on_host());
  const MultiHeadAttention attention(Weights(source),
                                     {.channels = 32, .context_channels = 32, .heads = 4});
  const at::Tensor x = at::randn({2, 12, 32});
  const at::Tensor text = at::randn({2, 7, 32});
  const auto answer = [&](const AttentionContext& context) {
    return attention.added_to(at::zeros({2, 12, 32}), x, context);
  };
  CHECK(at::equal(answer(text), answer(attention.keys_and_values(text))));
}

TEST_CASE(
    "a layer adds its product to the stream in place, and tells the bias that it leaves out") {
  const c10::InferenceMode inference;
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 12, 32});
  const at::Tensor stream = at::randn({2, 12, 16});
  FormedSource with_kernels = weights_with(on_host());
  FormedSource without = weights_with(nullptr);
  const Linear in_place(Weights(with_kernels), 32, 16);
  const Linear apart(Weights(without), 32, 16);
  const at::Tensor wanted = apart.added_to(stream, x);
  CHECK(at::equal(wanted, apart(x) + stream));
  CHECK_FALSE(apart.left_out());
  const at::Tensor written = stream.clone();
  const at::Tensor sum = in_place.added_to(written, x);
  CHECK(sum.is_same(written));
  CHECK(relative_difference(sum + in_place.left_out().value(), wanted) < 1e-6);
  CHECK(at::equal(in_place(x), apart(x))); // alone, it has its bias
}

TEST_CASE("what a stream lacks is added where it is read, by norms and by a projection") {
  const c10::InferenceMode inference;
  at::manual_seed(1);
  const at::Tensor x = at::randn({2, 12, 32});
  const LackingBias lacking = at::randn({32});
  FormedSource source = weights_with(on_host());
  const LayerNorm norm(Weights(source), 32);
  LayerNorm norm_without(Weights(source), 32);
  norm_without.accept_input_without(lacking);
  CHECK(relative_difference(norm_without(x), norm(x + *lacking)) < 1e-6);
  const at::Tensor gaps = at::randn({2, 12, 64}).narrow(-1, 0, 32); // left to ATen
  CHECK(relative_difference(norm_without(gaps), norm(gaps + *lacking)) < 1e-6);
  for (const Bias bias : {Bias::kNo, Bias::kYes}) {
    const Linear linear(Weights(source), 32, 16, bias);
    Linear linear_without(Weights(source), 32, 16, bias);
    linear_without.accept_input_without(lacking);
    CHECK(relative_difference(linear_without(x), linear(x + *lacking)) < 1e-6);
  }
  CHECK(at::equal(sum_of(lacking, lacking).value(), *lacking + *lacking));
  CHECK(at::equal(sum_of(lacking, {}).value(), sum_of({}, lacking).value()));
  CHECK_FALSE(sum_of({}, {}));
}

TEST_CASE("a transformer with the GPU kernels adds in place to what a ResNet block made for it") {
  const c10::InferenceMode inference;
  at::manual_seed(1);
  const at::Tensor x = at::randn({1, 32, 6, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  for (const bool linear_projection : {false, true}) {
    for (const std::int64_t texts : {1, 2}) {
      for (const TextForm form : {TextForm::kStates, TextForm::kKeys}) {
        CAPTURE(linear_projection, texts, form == TextForm::kKeys);
        const at::Tensor states = at::randn({texts, 7, 24});
        const auto run = [&](const Kernels& kernels) {
          FormedSource source = weights_with(kernels);
          ResnetBlock maker(Weights(source) / "resnet",
                            {.in = 32, .out = 32, .time_channels = std::nullopt});
          Transformer2d transformer(Weights(source), {.channels = 32,
                                                      .context_channels = 24,
                                                      .heads = 4,
                                                      .layers = 3,
                                                      .linear_projection = linear_projection});
          const TransformerText text = transformer.text(states, form);
          CHECK(at::equal(transformer(x, text), transformer(x, text))); // x stays
          transformer.leave_bias_to(maker);
          CHECK(maker.adds_biases() == (kernels != nullptr));
          const LinearCount count;
          const at::Tensor image = maker(x);
          at::Tensor first = transformer(image, text);
          CHECK((first.data_ptr() == image.data_ptr()) == (kernels && texts == 1));
          if (kernels && form == TextForm::kKeys) { // the first projection, and three in each block
            CHECK(LinearCount::count == 1 + 3 * 3);
          }
          CHECK(at::equal(transformer(maker(x), text), first)); // nothing that stays has changed
          return first;
        };
        const at::Tensor ours = run(on_host());
        CHECK(relative_difference(ours, run(nullptr)) < 1e-5);
        CHECK(ours.is_contiguous(at::MemoryFormat::ChannelsLast));
      }
    }
  }
}
