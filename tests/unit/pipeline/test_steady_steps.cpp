#ifdef NDEBUG // else inputs() looks for a mark that the released libtorch never sets

#include "catch.h"

#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include "sdbench/nn/synthetic_source.h"
#include "sdbench/pipeline/stable_diffusion.h"

using namespace sdbench;

namespace {

/// The tuned engine's pipeline of the tiny model, as it is on any CPU.
StableDiffusion tuned(at::ScalarType dtype) {
  return {
      load_model_config_file(std::string(SDBENCH_SOURCE_DIR) + "/configs/models/tiny-sd15.json"),
      [](Component component, at::ScalarType weights, at::Device device) {
        return std::make_unique<SyntheticSource>(0, folder_name(component), weights, device);
      },
      {.dtype_text = dtype,
       .dtype_unet = dtype,
       .dtype_vae = dtype,
       .memory_format = at::MemoryFormat::ChannelsLast,
       .kv_cache = true,
       .time_cache = true,
       .shared_prefix = true}};
}

/// What `count` says after each step, less what it said after the one before.
template <typename Count>
std::vector<long> in_each_step(const StableDiffusion& pipeline, std::int64_t side,
                               const Count& count) {
  class Ear final : public PipelineObserver {
  public:
    explicit Ear(const Count& count) : count_(count) {}
    void on_step_done(std::int64_t) override { said.push_back(count_()); }
    std::vector<long> said;

  private:
    const Count& count_;
  };
  const Conditioning conditioning = pipeline.encode({"a cat"}, {}, 5.0, side, side);
  Ear ear(count);
  const at::Tensor noise = pipeline.initial_noise(0, 1, side, side);
  static_cast<void>(pipeline.denoise(noise, conditioning, {.steps = 6, .guidance = 5.0}, ear));
  std::adjacent_difference(ear.said.begin(), ear.said.end(), ear.said.begin());
  ear.said.erase(ear.said.begin());
  return ear.said;
}

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

} // namespace

TEST_CASE("in a step nothing but the latents changes its number format") {
  const CopiesSeen seen;
  const at::Tensor half = at::ones({3}, at::kBFloat16);
  const long before = converted_numbers;
  static_cast<void>(half.to(at::kFloat));
  REQUIRE(converted_numbers == before + 3); // so a conversion is seen
  constexpr long kLatents = 4 * 8 * 8;
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {
    for (const long numbers : in_each_step(tuned(dtype), 64, [] { return converted_numbers; })) {
      // The scheduler computes in fp32: there go both halves of guidance, back come the latents.
      // And up to three single numbers: sigmas.
      CHECK(numbers <= (dtype == at::kFloat ? 3 : 3 * kLatents + 3));
    }
  }
}
#endif
