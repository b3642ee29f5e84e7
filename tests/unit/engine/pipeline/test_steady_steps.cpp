#ifdef NDEBUG // else inputs() looks for a mark that the released libtorch never sets

#include "catch.h"

#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include "sdbench/engine/nn/attention_kernel.h"
#include "tiny_pipeline.h"

using namespace sdbench;
using test::options_in;
using test::tiny_pipeline;

namespace {

/// Numbers that were copied into another number format so far.
long converted_numbers = 0;

std::unique_ptr<at::ObserverContext> see_copy(const at::RecordFunction& function) {
  if (std::string_view(function.name()) == "aten::copy_") {
    const at::Tensor to = function.inputs()[0].toTensor();
    if (to.scalar_type() != function.inputs()[1].toTensor().scalar_type()) {
      converted_numbers += to.numel();
    }
  }
  return nullptr;
}

class CopiesSeen {
public:
  CopiesSeen()
      : handle_(at::addGlobalCallback(at::RecordFunctionCallback(see_copy).needsInputs(true).scopes(
            {at::RecordScope::FUNCTION}))) {}
  ~CopiesSeen() { at::removeCallback(handle_); }
  CopiesSeen(const CopiesSeen&) = delete;
  CopiesSeen& operator=(const CopiesSeen&) = delete;
  CopiesSeen(CopiesSeen&&) = delete;
  CopiesSeen& operator=(CopiesSeen&&) = delete;

private:
  at::CallbackHandle handle_;
};

/// Of the tuned engine with weights packed in this way, in each step but the first.
std::vector<long> converted_in_steps(at::ScalarType dtype, Packing packing, std::int64_t side) {
  PipelineOptions options = options_in(dtype);
  options.memory_format_unet = options.memory_format_vae = at::MemoryFormat::ChannelsLast;
  options.kv_cache = options.time_cache = options.shared_prefix = true;
  options.packing = packing;
  options.own_kernels = true;
  if (own_attention(at::kCPU, dtype)) {
    options.attention = Attention::kOwn;
  }
  const StableDiffusion pipeline = tiny_pipeline("tiny-sd15", options);
  struct Ear final : PipelineObserver {
    void on_step_done(std::int64_t) override { said.push_back(converted_numbers); }
    std::vector<long> said;
  } ear;
  const Conditioning conditioning = pipeline.encode({"a cat"}, {}, 5.0, side, side);
  const at::Tensor noise = pipeline.initial_noise(0, 1, side, side);
  static_cast<void>(pipeline.denoise(noise, conditioning, {.steps = 6, .guidance = 5.0}, ear));
  std::adjacent_difference(ear.said.begin(), ear.said.end(), ear.said.begin());
  return {ear.said.begin() + 1, ear.said.end()};
}

} // namespace

TEST_CASE("in a step nothing but the latents changes its number format") {
  const CopiesSeen seen;
  const at::Tensor half = at::ones({3}, at::kBFloat16);
  const long before = converted_numbers;
  static_cast<void>(half.to(at::kFloat));
  REQUIRE(converted_numbers == before + 3); // so a conversion is seen
  constexpr long kLatents = 4 * 8 * 8;
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
    for (const Packing packing : {Packing::kNone, Packing::kOneDnn, Packing::kWinograd}) {
      CAPTURE(dtype, static_cast<int>(packing));
      for (const long numbers : converted_in_steps(dtype, packing, 64)) {
        // The scheduler computes in fp32: there go both halves of guidance, back come the latents.
        // And up to three single numbers: sigmas.
        CHECK(numbers <= (dtype == at::kFloat ? 3 : 3 * kLatents + 3));
      }
    }
  }
}
#endif
