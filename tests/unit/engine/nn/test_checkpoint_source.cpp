#include "catch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"
#include "sdbench/engine/nn/checkpoint_source.h"
#include "sdbench/engine/nn/loaded_weights.h"

using namespace sdbench;

namespace {

/// Two floats [2, 3] and a conv [1], as a mapped file would hold them.
struct Stored {
  std::shared_ptr<std::vector<float>> floats =
      std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4, 5, 6});

  [[nodiscard]] TensorView view(std::vector<std::int64_t> shape, bool transposed = false) const {
    return {Dtype::kF32, std::move(shape), std::as_bytes(std::span(*floats)), transposed};
  }
  [[nodiscard]] ComponentWeights weights(std::map<std::string, TensorView> tensors) const {
    return {std::move(tensors), {"model.safetensors"}, {}, floats};
  }
};

std::string error_of(CheckpointSource& source) {
  try {
    source.finish();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Of a mapped file, what is in this process's memory (proc_pid_smaps(5)).
std::size_t resident_bytes(const std::filesystem::path& file) {
  std::ifstream mappings("/proc/self/smaps");
  std::size_t kib = 0;
  bool is_file = false;
  for (std::string line; std::getline(mappings, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("Rss:") && is_file) {
      kib += std::stoul(line.substr(colon + 1));
    } else if (colon == std::string::npos || line.find('-') < colon) { // a mapping's first line
      is_file = line.ends_with(file.string());
    }
  }
  return kib * 1024;
}

} // namespace

TEST_CASE("a checkpoint in the wanted dtype on the CPU is shared, not copied, and kept alive") {
  Stored stored;
  const void* const data = stored.floats->data();
  at::Tensor taken;
  {
    CheckpointSource source(stored.weights({{"a.weight", stored.view({2, 3})}}), "unet", at::kFloat,
                            at::kCPU);
    taken = source.take("a.weight", {2, 3});
    CHECK_NOTHROW(source.finish());
  }
  CHECK(taken.data_ptr() == data);
  const std::weak_ptr<std::vector<float>> mapping = stored.floats;
  stored.floats.reset();
  CHECK_FALSE(mapping.expired());
  CHECK(taken.sum().item<float>() == 21);
  taken.reset();
  CHECK(mapping.expired());
}

TEST_CASE("a checkpoint in another dtype is converted") {
  const Stored stored;
  CheckpointSource source(stored.weights({{"a.weight", stored.view({6})}}), "unet", at::kHalf,
                          at::kCPU);
  const at::Tensor taken = source.take("a.weight", {6});
  CHECK(taken.scalar_type() == at::kHalf);
  CHECK(taken.data_ptr() != stored.floats->data());
  CHECK(taken[5].item<float>() == 6);
}

TEST_CASE("transposed data come out in their logical shape") {
  const Stored stored;
  CheckpointSource source(stored.weights({{"p.weight", stored.view({3, 2}, true)}}), "unet",
                          at::kFloat, at::kCPU);
  const at::Tensor taken = source.take("p.weight", {3, 2});
  CHECK(taken.sizes() == at::IntArrayRef({3, 2}));
  CHECK(taken[0][1].item<float>() == 4);
  CHECK(taken[2][0].item<float>() == 3);
}

TEST_CASE("data at an odd address are copied to an aligned one") {
  const auto bytes = std::make_shared<std::vector<std::byte>>(9);
  const float value = 2.5F;
  std::memcpy(bytes->data() + 1, &value, sizeof value);
  const TensorView view{Dtype::kF32, {1}, std::span(*bytes).subspan(1, 4), false};
  CheckpointSource source({{{"a", view}}, {}, {}, bytes}, "unet", at::kFloat, at::kCPU);
  const at::Tensor taken = source.take("a", {1});
  CHECK(reinterpret_cast<std::uintptr_t>(taken.data_ptr()) % 4 == 0);
  CHECK(taken.item<float>() == 2.5F);
}

TEST_CASE("one error names every missing, unexpected, wrong-shape and wrong-dtype tensor") {
  const Stored stored;
  TensorView whole_numbers = stored.view({6});
  whole_numbers.dtype = Dtype::kI32;
  CheckpointSource source(stored.weights({{"a", stored.view({2, 3})},
                                          {"b", stored.view({6})},
                                          {"c", whole_numbers},
                                          {"extra\n\x1b[2J", stored.view({6})}}),
                          "unet", at::kFloat, at::kCPU);
  CHECK(source.take("a", {3, 2}).sizes() == at::IntArrayRef({3, 2}));
  static_cast<void>(source.take("b", {6}));
  static_cast<void>(source.take("c", {6}));
  CHECK(source.take("gone", {4, 4}).sizes() == at::IntArrayRef({4, 4}));
  static_cast<void>(source.take("away", {1}));
  const std::string error = error_of(source);
  CHECK(contains(error, "2 missing: gone, away;"));
  CHECK(contains(error, "1 unexpected: \"extra\\n\\u001b[2J\";"));
  CHECK(contains(error, "a must be [3, 2], but is [2, 3]"));
  CHECK(contains(error, "c must be of a floating-point dtype, but is int32"));
  CHECK(contains(error, "unet (model.safetensors)"));
  CHECK_FALSE(contains(error, "\n"));
}

TEST_CASE("a very long list of wrong tensors is cut with a count") {
  CheckpointSource source({}, "unet", at::kFloat, at::kCPU);
  for (int i = 0; i < 137; ++i) {
    static_cast<void>(source.take(std::string("t").append(std::to_string(i)), {1}));
  }
  const std::string error = error_of(source);
  CHECK(contains(error, "137 missing: t0, t1, t2 and 134 more"));
  CHECK(contains(error, "-v lists all names"));
  CHECK(error.size() < 300);
}

TEST_CASE("the VAE's encoder and position_ids are not unexpected, but only where they belong") {
  const Stored stored;
  const TensorView any = stored.view({6});
  CheckpointSource vae(stored.weights({{"encoder.conv_in.weight", any}, {"quant_conv.bias", any}}),
                       "vae", at::kFloat, at::kCPU);
  CHECK_NOTHROW(vae.finish());
  CheckpointSource text(stored.weights({{"text_model.embeddings.position_ids", any}}),
                        "text_encoder", at::kFloat, at::kCPU);
  CHECK_NOTHROW(text.finish());
  CheckpointSource unet(stored.weights({{"encoder.conv_in.weight", any}}), "unet", at::kFloat,
                        at::kCPU);
  CHECK_THROWS_AS(unet.finish(), Error);
}

TEST_CASE("transposed data at an odd address come out in their logical shape, too") {
  const auto bytes = std::make_shared<std::vector<std::byte>>(1 + 6 * sizeof(float));
  const Stored stored;
  std::memcpy(bytes->data() + 1, stored.floats->data(), 6 * sizeof(float));
  const TensorView view{Dtype::kF32, {3, 2}, std::span(*bytes).subspan(1), true};
  CheckpointSource source({{{"p.weight", view}}, {}, {}, bytes}, "text_encoder_2", at::kFloat,
                          at::kCPU);
  const at::Tensor taken = source.take("p.weight", {3, 2});
  CHECK(taken[0][1].item<float>() == 4);
  CHECK(taken[2][0].item<float>() == 3);
}

TEST_CASE("what lies around a pipeline's model is ignored, and told by name and dtype") {
  const Stored stored;
  const TensorView any = stored.view({6});
  TensorView unread = any;
  unread.dtype = Dtype::kOther;
  const auto found = std::make_shared<LoadedWeights>();
  CheckpointSource text(stored.weights({{"a", any},
                                        {"vision_model.x", unread},
                                        {"visual.class_embedding", any}, // as OpenCLIP names it
                                        {"visual_projection.weight", any},
                                        {"text_projection.weight", any},
                                        {"logit_scale", any}}),
                        "text_encoder", at::kFloat, at::kCPU, found);
  static_cast<void>(text.take("a", {6}));
  CHECK_NOTHROW(text.finish());
  CheckpointSource vae(stored.weights({{"post_quant_conv.bias", any}}), "vae", at::kFloat, at::kCPU,
                       found);
  CHECK_NOTHROW(vae.finish());
  CHECK(found->ignored["text_encoder"].size() == 5);
  CHECK(found->ignored["vae"] == std::vector<std::string>{"post_quant_conv.bias"});
  CHECK(found->bytes["text_encoder"].size() == 1);
  CHECK(found->bytes["text_encoder"][Dtype::kF32] == 24);
  CheckpointSource unet(stored.weights({{"vision_model.x", any}}), "unet", at::kFloat, at::kCPU);
  CHECK_THROWS_AS(unet.finish(), Error);
}

TEST_CASE("what training left beside whole weights is ignored, and told") {
  const Stored stored;
  const TensorView any = stored.view({6});
  const auto found = std::make_shared<LoadedWeights>();
  CheckpointSource unet(stored.weights({{"attn1.to_q.weight", any},
                                        {"attn1.to_q.lora_layer.up.weight", any},
                                        {"attn1.processor.to_q_lora.down.weight", any}}),
                        "unet", at::kFloat, at::kCPU, found);
  static_cast<void>(unet.take("attn1.to_q.weight", {6}));
  CHECK_NOTHROW(unet.finish());
  CHECK(found->ignored["unet"].size() == 2);
}

TEST_CASE("what PEFT left beside whole weights is ignored, but not what it has in their place") {
  const Stored stored;
  const TensorView any = stored.view({6});
  const std::string query = "attn1.to_q.";
  const auto found = std::make_shared<LoadedWeights>();
  CheckpointSource unet(stored.weights({{query + "weight", any},
                                        {query + "lora_A.default.weight", any},
                                        {query + "lora_B.default.weight", any},
                                        {query + "lora_A.weight", any},
                                        {query + "lora_embedding_A.default", any},
                                        {query + "lora_embedding_B.default", any},
                                        {query + "lora_magnitude_vector.default.weight", any}}),
                        "unet", at::kFloat, at::kCPU, found);
  static_cast<void>(unet.take(query + "weight", {6}));
  CHECK_NOTHROW(unet.finish());
  CHECK(found->ignored["unet"].size() == 6);
  CheckpointSource wrapped(stored.weights({{query + "base_layer.weight", any},
                                           {query + "lora_A.default.weight", any},
                                           {query + "lora_B.default.weight", any}}),
                           "unet", at::kFloat, at::kCPU);
  static_cast<void>(wrapped.take(query + "weight", {6}));
  const std::string error = error_of(wrapped);
  CHECK(contains(error, "1 missing"));
  CHECK(contains(error, "1 unexpected"));
}

TEST_CASE("layers of a text encoder behind those that are used are ignored, and told") {
  const Stored stored;
  const TensorView any = stored.view({6});
  const std::string layer = "text_model.encoder.layers.";
  const auto found = std::make_shared<LoadedWeights>();
  CheckpointSource text(stored.weights({{layer + "1.a", any}, {layer + "10.a", any}}),
                        "text_encoder", at::kFloat, at::kCPU, found);
  static_cast<void>(text.take(layer + "1.a", {6}));
  CHECK_NOTHROW(text.finish());
  CHECK(found->ignored["text_encoder"] == std::vector<std::string>{layer + "10.a"});
  CheckpointSource other(stored.weights({{layer + "1.a", any}, {layer + "1.b", any}}),
                         "text_encoder", at::kFloat, at::kCPU);
  static_cast<void>(other.take(layer + "1.a", {6}));
  CHECK(contains(error_of(other), "1 unexpected"));
}

TEST_CASE("fp8 weights are widened as ATen widens them, and multiplied by the scale beside them") {
  const auto codes = std::make_shared<std::vector<std::uint8_t>>(256);
  for (int i = 0; i < 256; ++i) {
    (*codes)[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
  }
  const TensorView e4m3{Dtype::kF8E4M3, {256}, std::as_bytes(std::span(*codes))};
  const TensorView e5m2{Dtype::kF8E5M2, {256}, std::as_bytes(std::span(*codes))};
  const Stored stored;
  const TensorView scale{Dtype::kF32, {1}, std::as_bytes(std::span(*stored.floats).subspan(2, 1))};
  CheckpointSource source({{{"a.weight", e4m3},
                            {"b.weight", e5m2},
                            {"c.weight", e4m3},
                            {"c.scale_weight", scale},
                            {"c.scale_input", scale},
                            {"d.weight", e4m3},
                            {"d.weight_scale", scale},
                            {"d.comfy_quant", e5m2},
                            {"scaled_fp8", e4m3}},
                           {},
                           {},
                           codes},
                          "unet", at::kFloat, at::kCPU);
  const at::Tensor plain = source.take("a.weight", {256});
  CHECK(plain[0x38].item<float>() == 1);
  CHECK(plain[0x7e].item<float>() == 448);
  CHECK(plain[0x81].item<float>() == -0.001953125F);
  CHECK(source.take("b.weight", {256})[0x7b].item<float>() == 57344);
  for (const char* scaled : {"c.weight", "d.weight"}) {
    CHECK(source.take(scaled, {256})[0x38].item<float>() == 3);
  }
  CHECK_NOTHROW(source.finish());
}

TEST_CASE("scales of parts of a weight are refused with what helps") {
  const Stored stored;
  CheckpointSource source(
      stored.weights({{"a.weight", stored.view({6})}, {"a.scale_weight", stored.view({2, 3})}}),
      "unet", at::kFloat, at::kCPU);
  CHECK_THROWS_WITH(
      source.take("a.weight", {6}),
      "a.scale_weight of unet must be one number for the whole weight, but is fp32 [2, 3]: sdbench "
      "does not read scales for parts of a weight; use a file of fp16 or bf16 weights");
}

TEST_CASE("scales of F8_E8M0, one for each block, are refused by their dtype") {
  const Stored stored;
  TensorView scale = stored.view({2, 3});
  scale.dtype = Dtype::kF8E8M0;
  scale.data = scale.data.first(6);
  CheckpointSource source(
      stored.weights({{"a.weight", stored.view({6})}, {"a.weight_scale", scale}}), "unet",
      at::kFloat, at::kCPU);
  CHECK_THROWS_WITH(source.take("a.weight", {6}),
                    Catch::Matchers::StartsWith(
                        "a.weight_scale of unet must be one number for the "
                        "whole weight, but is fp8_e8m0 [2, 3]: sdbench does not read scales"));
}

TEST_CASE("a scale without a number is an error") {
  const Stored stored;
  CheckpointSource source(
      stored.weights({{"a.weight", stored.view({6})}, {"a.scale_weight", stored.view({0})}}),
      "unet", at::kFloat, at::kCPU);
  static_cast<void>(source.take("a.weight", {6}));
  CHECK(contains(error_of(source),
                 "a.scale_weight must be one floating-point number, but is fp32 [0]"));
}

TEST_CASE("what was converted leaves the process's memory, what is shared stays") {
  constexpr std::int64_t kCount = 1 << 18;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  const test::ScratchFolder folder;
  const auto file = folder.path() / "unet" / "diffusion_pytorch_model.safetensors";
  std::filesystem::create_directories(file.parent_path());
  write_safetensors(
      file, {{"a.weight", Dtype::kF32, {kCount}}},
      [](std::size_t, std::span<std::byte> bytes) { std::ranges::fill(bytes, std::byte{0x3f}); });
  const ComponentWeights weights = open_component(folder.path(), Component::kUNet);
  const auto take = [&](at::ScalarType dtype) {
    return CheckpointSource(weights, "unet", dtype, at::kCPU).take("a.weight", {kCount});
  };
  at::Tensor shared = take(at::kFloat);
  const float sum = shared.sum().item<float>();
  CHECK(resident_bytes(file) >= kBytes);
  shared.reset(); // as a layer does that packed it
  CHECK(resident_bytes(file) < kBytes / 10);
  const at::Tensor converted = take(at::kBFloat16);
  CHECK(resident_bytes(file) < kBytes / 10);
  CHECK(converted.to(at::kFloat).sum().item<float>() == Approx(sum).epsilon(0.01));
  CHECK(take(at::kFloat).sum().item<float>() == sum); // read again
}
