#include "catch.h"

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/pipeline/level_attention.h"

using namespace sdbench;

namespace {

std::string used(const std::string& model, Attention asked) {
  return attention_used(level_attention(find_model_config(model), {.attention = asked}, 512, 512));
}

/// A kernel that cannot compute heads so wide.
AttentionAttempt failing_at(std::int64_t head_width) {
  return [head_width](const at::Tensor& q, const at::Tensor&, const at::Tensor&,
                      const AttendOptions&) {
    TORCH_CHECK(q.size(-1) != head_width, "no plan\nand a second line");
  };
}

} // namespace

TEST_CASE("the attention kernel in use is named, and a missing one is an error") {
  CHECK(used("tiny-sdxl", Attention::kAuto) == "flash"); // libtorch's own for the CPU
  CHECK(used("tiny-sdxl", Attention::kSliced) == "sliced");
  CHECK_THROWS_AS(used("tiny-sd15", Attention::kCudnn), Error);
}

TEST_CASE("each level is told by itself, and one without attention has none") {
  const ModelConfig sdxl = find_model_config("sdxl");
  CHECK(level_attention(sdxl, {}, 1024, 1024) == std::vector<std::string>{"", "flash", "flash"});
  CHECK(attention_used({"", "cudnn", "flash", "cudnn"}) == "cudnn+flash");
}

TEST_CASE("text encoders, every level, also with the text, and the VAE are tried") {
  std::vector<std::vector<std::int64_t>> shapes; // heads, tokens, keys, width
  const auto listen = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                          const AttendOptions& options) {
    CHECK(options.causal == (shapes.size() < 2)); // sdxl has two text encoders
    CHECK(k.sizes() == v.sizes());
    shapes.push_back({q.size(1), q.size(2), k.size(2), q.size(3)});
  };
  CHECK(settle_attention(find_model_config("sdxl"), {}, 1024, 512, listen).empty());
  CHECK(shapes == std::vector<std::vector<std::int64_t>>{{12, 77, 77, 64},
                                                         {20, 77, 77, 64},
                                                         {10, 64 * 32, 64 * 32, 64},
                                                         {10, 64 * 32, 77, 64},
                                                         {20, 32 * 16, 32 * 16, 64},
                                                         {20, 32 * 16, 77, 64},
                                                         {1, 4096, 4096, 512}});
}

TEST_CASE("self-attention is tried with slices of one tensor where our kernels make them so") {
  std::vector<std::int64_t> strides; // of a token
  const auto listen = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                          const AttendOptions&) {
    CHECK(k.strides() == v.strides());
    strides.push_back(q.stride(2));
  };
  const ModelConfig sdxl = find_model_config("sdxl");
  CHECK(settle_attention(sdxl, {.own_kernels = true}, 64, 64, listen).empty());
  CHECK(strides == std::vector<std::int64_t>{768, 1280, 3 * 640, 640, 3 * 1280, 1280, 3 * 512});
}

TEST_CASE("what fails is told in one line, and attention_used is what runs instead") {
  // Of this process from here on: SD 1.5's deepest levels alone have heads of 160.
  const ModelConfig sd15 = find_model_config("sd15");
  const std::vector<std::string> lines = settle_attention(sd15, {}, 512, 512, failing_at(160));
  CHECK(lines == std::vector<std::string>{
                     "flash attention does not work for heads 160 wide: no plan; math instead"});
  CHECK(used("sd15", Attention::kAuto) == "flash+math");
  CHECK(used("sd15", Attention::kFlash) == "flash+math"); // asked for: the first level has it
  CHECK(settle_attention(sd15, {}, 512, 512, failing_at(-1)) == lines); // the next cell's, too
}

TEST_CASE("a kernel that is asked for and fails in the first level is refused with the reason") {
  ModelConfig model = find_model_config("sd15");
  unet_of(model).head_counts[0] = 1; // 320 wide
  const PipelineOptions options{.attention = Attention::kFlash};
  CHECK(settle_attention(model, options, 512, 512, failing_at(320)).front() ==
        "flash attention does not work for heads 320 wide: no plan; math instead");
  CHECK_THROWS_WITH(level_attention(model, options, 512, 512),
                    Catch::Matchers::ContainsSubstring("which fails there (no plan)"));
}
