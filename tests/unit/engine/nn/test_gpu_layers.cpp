// Layers with the GPU kernels, which run on the host here (host_gpu.h).
#include "catch.h"

#include <cstdint>
#include <memory>
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
#include "sdbench/engine/nn/synthetic_source.h"
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
  CHECK(at::equal(attention(x, text), attention(x, attention.keys_and_values(text))));
}
