#include "catch.h"

#include <array>

#include "sdbench/core/error.h"
#include "sdbench/weights/checkpoint_keys.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A view of as many bytes as the shape needs in uint8; the bytes count up.
TensorView view(std::vector<std::int64_t> shape) {
  static const auto bytes = [] {
    std::array<std::byte, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<std::byte>(i);
    }
    return all;
  }();
  std::size_t size = 1;
  for (const std::int64_t extent : shape) {
    size *= static_cast<std::size_t>(extent);
  }
  return {Dtype::kU8, std::move(shape), std::span(bytes).first(size)};
}

std::vector<std::string> names_of(const TensorMap& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    names.push_back(name);
  }
  return names;
}

using Names = std::vector<std::string>;
using Shape = std::vector<std::int64_t>;

} // namespace

TEST_CASE("old VAE attention names become the current ones, 1x1 weights matrices") {
  const TensorMap named =
      current_names(Component::kVae,
                    {{"decoder.mid_block.attentions.0.query.weight", view({4, 4, 1, 1})},
                     {"decoder.mid_block.attentions.0.key.bias", view({4})},
                     {"decoder.mid_block.attentions.0.value.weight", view({4, 4})},
                     {"decoder.mid_block.attentions.0.proj_attn.weight", view({4, 4, 1})},
                     {"decoder.mid_block.attentions.0.group_norm.weight", view({4})},
                     {"quant_conv.weight", view({8, 8, 1, 1})}},
                    "vae");
  CHECK(names_of(named) == Names{"decoder.mid_block.attentions.0.group_norm.weight",
                                 "decoder.mid_block.attentions.0.to_k.bias",
                                 "decoder.mid_block.attentions.0.to_out.0.weight",
                                 "decoder.mid_block.attentions.0.to_q.weight",
                                 "decoder.mid_block.attentions.0.to_v.weight",
                                 "quant_conv.weight"});
  CHECK(named.at("decoder.mid_block.attentions.0.to_q.weight").shape == Shape{4, 4});
  CHECK(named.at("decoder.mid_block.attentions.0.to_out.0.weight").shape == Shape{4, 4});
  CHECK(named.at("quant_conv.weight").shape == Shape{8, 8, 1, 1});
}

TEST_CASE("text encoders of transformers 4 and 5 get the same names") {
  const TensorMap old_names =
      current_names(Component::kTextEncoder,
                    {{"text_model.embeddings.position_ids", view({1, 77})},
                     {"text_model.encoder.layers.0.mlp.fc1.bias", view({4})},
                     {"text_model.final_layer_norm.weight", view({4})}},
                    "text_encoder");
  const TensorMap new_names = current_names(
      Component::kTextEncoder,
      {{"encoder.layers.0.mlp.fc1.bias", view({4})}, {"final_layer_norm.weight", view({4})}},
      "text_encoder");
  CHECK(names_of(old_names) ==
        Names{"text_model.encoder.layers.0.mlp.fc1.bias", "text_model.final_layer_norm.weight"});
  CHECK(names_of(new_names) == names_of(old_names));
}

TEST_CASE("two tensors that become one name are refused") {
  CHECK_THROWS_WITH(current_names(Component::kVae,
                                  {{"decoder.mid_block.attentions.0.query.bias", view({4})},
                                   {"decoder.mid_block.attentions.0.to_q.bias", view({4})}},
                                  "folder/vae"),
                    ContainsSubstring("folder/vae") &&
                        ContainsSubstring("\"decoder.mid_block.attentions.0.to_q.bias\" again"));
}

TEST_CASE("the joint projection of OpenCLIP is seen as three, without a copy") {
  const TensorMap file{
      {"conditioner.embedders.1.model.transformer.resblocks.0.attn.in_proj_weight", view({12, 4})},
      {"conditioner.embedders.1.model.transformer.resblocks.0.attn.in_proj_bias", view({12})}};
  const TensorMap named =
      single_file_names(SingleFileKind::kSdxl, Component::kTextEncoder2, file, "file");
  REQUIRE(named.size() == 6);
  const std::string scope = "text_model.encoder.layers.0.self_attn.";
  const TensorView& q = named.at(scope + "q_proj.weight");
  const TensorView& k = named.at(scope + "k_proj.weight");
  const TensorView& v_bias = named.at(scope + "v_proj.bias");
  CHECK(q.shape == Shape{4, 4});
  CHECK(q.data.data() == file.begin()->second.data.data());
  CHECK(k.data[0] == std::byte{16});
  CHECK(k.data.size() == 16);
  CHECK(v_bias.shape == Shape{4});
  CHECK(v_bias.data[0] == std::byte{8});
}

TEST_CASE("the text projection is a transposed view") {
  const TensorMap named =
      single_file_names(SingleFileKind::kSdxl, Component::kTextEncoder2,
                        {{"conditioner.embedders.1.model.text_projection", view({3, 5})}}, "file");
  const TensorView& projection = named.at("text_projection.weight");
  CHECK(projection.shape == Shape{5, 3});
  CHECK(projection.transposed);
}

TEST_CASE("SD2 leaves out OpenCLIP's last layer and projection, SDXL keeps them") {
  const std::string last = "transformer.resblocks.23.ln_1.bias";
  const TensorMap sd2 = single_file_names(SingleFileKind::kSd2, Component::kTextEncoder,
                                          {{"cond_stage_model.model." + last, view({4})},
                                           {"cond_stage_model.model.text_projection", view({2, 2})},
                                           {"cond_stage_model.model.ln_final.bias", view({4})}},
                                          "file");
  CHECK(names_of(sd2) == Names{"text_model.final_layer_norm.bias"});
  const TensorMap sdxl =
      single_file_names(SingleFileKind::kSdxl, Component::kTextEncoder2,
                        {{"conditioner.embedders.1.model." + last, view({4})}}, "file");
  CHECK(names_of(sdxl) == Names{"text_model.encoder.layers.23.layer_norm1.bias"});
}

TEST_CASE("the schedule's buffers, EMA copies and position ids are left out") {
  TensorMap file;
  for (const char* name :
       {"betas", "alphas_cumprod", "alphas_cumprod_prev", "sqrt_one_minus_alphas_cumprod",
        "log_one_minus_alphas_cumprod", "sqrt_recipm1_alphas_cumprod", "posterior_mean_coef1",
        "posterior_log_variance_clipped", "model_ema.decay", "model_ema.diffusion_modelout0bias",
        "denoiser.sigmas", "global_step", "logvar", "cond_stage_model.logit_scale",
        "cond_stage_model.transformer.text_model.embeddings.position_ids",
        "first_stage_model.loss.logvar"}) {
    file.emplace(name, view({1}));
  }
  for (const Component component : {Component::kUNet, Component::kVae, Component::kTextEncoder}) {
    CHECK(single_file_names(SingleFileKind::kSd1, component, file, "file").empty());
  }
}

TEST_CASE("a tensor that no rule knows keeps its name, so that the strict check can say it") {
  const TensorMap file{{"model.diffusion_model.out.0.bias", view({1})},
                       {"model.diffusion_model.surprise.weight", view({1})},
                       {"first_stage_model.surprise.weight", view({1})},
                       {"cond_stage_model.transformer.surprise.weight", view({1})},
                       {"lora.surprise", view({1})}};
  const auto names = [&](Component component) {
    return names_of(single_file_names(SingleFileKind::kSd1, component, file, "file"));
  };
  CHECK(names(Component::kUNet) ==
        Names{"conv_norm_out.bias", "lora.surprise", "model.diffusion_model.surprise.weight"});
  CHECK(names(Component::kVae) == Names{"first_stage_model.surprise.weight"});
  CHECK(names(Component::kTextEncoder) == Names{"surprise.weight"});
  CHECK(names(Component::kTextEncoder2).empty());
}

TEST_CASE("the block sizes of a small model are read off its keys") {
  const TensorMap file{{"model.diffusion_model.input_blocks.2.0.op.weight", view({1})},
                       {"model.diffusion_model.input_blocks.4.0.op.weight", view({1})},
                       {"model.diffusion_model.input_blocks.5.0.in_layers.0.weight", view({1})},
                       {"first_stage_model.decoder.up.0.block.0.conv1.weight", view({1})},
                       {"first_stage_model.decoder.up.1.block.0.conv1.weight", view({1})}};
  CHECK(names_of(single_file_names(SingleFileKind::kSd1, Component::kUNet, file, "file")) ==
        Names{"down_blocks.0.downsamplers.0.conv.weight",
              "down_blocks.1.downsamplers.0.conv.weight", "down_blocks.2.resnets.0.norm1.weight"});
  CHECK(names_of(single_file_names(SingleFileKind::kSd1, Component::kVae, file, "file")) ==
        Names{"decoder.up_blocks.0.resnets.0.conv1.weight",
              "decoder.up_blocks.1.resnets.0.conv1.weight"});
}
