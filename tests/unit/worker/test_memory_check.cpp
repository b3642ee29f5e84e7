#include "sdbench/worker/memory_check.h"

#include "catch.h"

#include "sdbench/worker/cell_failure.h"

using namespace sdbench;

namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

std::int64_t unet_bytes(Attention attention, at::ScalarType dtype, const WorkShape& work) {
  return unet_working_bytes(find_model_config("sd15"),
                            {.dtype_unet = dtype, .attention = attention}, work);
}

} // namespace

TEST_CASE("attention that keeps its scores needs memory with the square of the pixels") {
  const WorkShape native{512, 512, 1, 1, true};
  const WorkShape twice{1024, 1024, 1, 1, true};
  // 2 rows x 8 heads x 4096^2 scores, before and after the softmax, in fp32: 2 GiB.
  CHECK(unet_bytes(Attention::kMath, at::kFloat, native) > 2 * kGib);
  CHECK(unet_bytes(Attention::kMath, at::kFloat, native) < 3 * kGib);
  CHECK(unet_bytes(Attention::kMath, at::kHalf, native) > 2 * kGib); // computed in fp32 too
  CHECK(unet_bytes(Attention::kMath, at::kFloat, twice) > 32 * kGib);
  CHECK(unet_bytes(Attention::kSliced, at::kFloat, twice) < 10 * kGib); // a slice of 4 heads
  CHECK(unet_bytes(Attention::kAuto, at::kFloat, twice) < 2 * kGib);
}

TEST_CASE("guidance, batch and dtype scale what the UNet needs") {
  const auto bytes = [](std::int64_t batch, bool guided, at::ScalarType dtype) {
    return unet_bytes(Attention::kAuto, dtype, {512, 512, batch, batch, guided});
  };
  CHECK(bytes(1, true, at::kFloat) == 2 * bytes(1, false, at::kFloat));
  CHECK(bytes(4, true, at::kFloat) == 4 * bytes(1, true, at::kFloat));
  CHECK(bytes(1, true, at::kFloat) == 2 * bytes(1, true, at::kHalf));
}

TEST_CASE("work that does not fit is refused with both figures") {
  const ModelConfig model = find_model_config("tiny-sd15");
  const PipelineOptions options{.attention = Attention::kMath};
  CHECK_NOTHROW(require_memory_for(model, options, {64, 64, 1, 1, true}));
  const auto refused = [&](const WorkShape& work, const PipelineOptions& how) {
    try {
      require_memory_for(model, how, work);
    } catch (const CellFailure& failure) {
      const std::string message = failure.what();
      return failure.status() == Status::kOomHost && message.find("GiB") != message.rfind("GiB");
    }
    return false;
  };
  CHECK(refused({16384, 16384, 1, 1, true}, options));
  CHECK(refused({512, 512, 1, 100'000'000, true}, {}));
}
