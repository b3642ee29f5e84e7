#include "catch.h"

#include <optional>
#include <string>
#include <string_view>

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/nn/autocast_scope.h"
#include "sdbench/engine/nn/weight_form.h"

using namespace sdbench;

namespace {

struct Ones final : LayerSource {
  at::Tensor take(const std::string&, at::IntArrayRef shape) override { return at::ones(shape); }
  void finish() override { throw Error("asked"); }
};

FormedSource formed(const WeightForm& form) {
  return FormedSource(std::make_unique<Ones>(), form);
}

int conversions = 0;

/// Counts conversions of dtype while it lives.
struct ConversionCount {
  ConversionCount() {
    conversions = 0;
    handle = at::addGlobalCallback(
        at::RecordFunctionCallback([](const at::RecordFunction& function)
                                       -> std::unique_ptr<at::ObserverContext> {
          conversions += std::string_view(function.name()) == "aten::_to_copy" ? 1 : 0;
          return nullptr;
        }).scopes({at::RecordScope::FUNCTION}));
  }
  ~ConversionCount() { at::removeCallback(handle); }
  at::CallbackHandle handle;
};

/// How often something is converted when a layer is called three times with a bf16 input.
int conversions_of_three_calls(bool for_autocast) {
  const c10::InferenceMode inference;
  FormedSource source = formed({.for_autocast = for_autocast});
  const at::Tensor weight = source.take("weight", {8, 8});
  const at::Tensor x = at::ones({2, 8}, at::kBFloat16);
  const AutocastScope autocast(at::kCPU, at::kBFloat16);
  const ConversionCount count;
  for (int call = 0; call < 3; ++call) {
    CHECK(at::linear(x, weight).scalar_type() == at::kBFloat16);
  }
  return conversions;
}

} // namespace

TEST_CASE("convolutions are put into the wanted order, other weights are left alone") {
  const c10::InferenceMode inference;
  FormedSource source = formed({.memory_format = at::MemoryFormat::ChannelsLast});
  CHECK(source.take("conv", {4, 8, 3, 3}).is_contiguous(at::MemoryFormat::ChannelsLast));
  CHECK(source.take("linear", {4, 8}).is_contiguous());
  CHECK(formed({}).take("conv", {4, 8, 3, 3}).is_contiguous());
  CHECK_THROWS_AS(source.finish(), Error); // the other source's check is made
}

TEST_CASE("autocast converts a weight once and keeps the copy to the scope's end") {
  CHECK(conversions_of_three_calls(true) == 1);
  CHECK(conversions_of_three_calls(false) == 3);
  CHECK(conversions_of_three_calls(true) == 1);
}

TEST_CASE("autocast ends with its scope, and without a dtype there is none") {
  const c10::InferenceMode inference;
  const at::Tensor x = at::ones({2, 8});
  const at::Tensor weight = at::ones({8, 8});
  const auto dtype = [&] { return at::linear(x, weight).scalar_type(); };
  {
    const AutocastScope outer(at::kCPU, at::kBFloat16);
    CHECK(dtype() == at::kBFloat16);
    {
      const AutocastScope inner(at::kCPU, at::kHalf);
      CHECK(dtype() == at::kHalf);
    }
    const AutocastScope none(at::kCPU, std::nullopt);
    CHECK(dtype() == at::kBFloat16);
  }
  CHECK(dtype() == at::kFloat);
}
