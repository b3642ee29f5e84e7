#include "catch.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "counting_view.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/single_file_names.h"
#include "sdbench/base/weights/tensor_view.h"

using namespace sdbench;

using test::counting_view;
using test::names_of;

namespace {

using Names = std::vector<std::string>;
using Shape = std::vector<std::int64_t>;

} // namespace

TEST_CASE("the joint projection of OpenCLIP is seen as three, without a copy") {
  const TensorMap file{{"conditioner.embedders.1.model.transformer.resblocks.0.attn.in_proj_weight",
                        counting_view({12, 4})},
                       {"conditioner.embedders.1.model.transformer.resblocks.0.attn.in_proj_bias",
                        counting_view({12})}};
  const TensorMap named = single_file_names(Component::kTextEncoder2, file, "file");
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
  const TensorMap named = single_file_names(
      Component::kTextEncoder2,
      {{"conditioner.embedders.1.model.text_projection", counting_view({3, 5})}}, "file");
  const TensorView& projection = named.at("text_projection.weight");
  CHECK(projection.shape == Shape{5, 3});
  CHECK(projection.transposed);
}

TEST_CASE("SD2 leaves out OpenCLIP's last layer and projection, SDXL keeps them") {
  const std::string last = "transformer.resblocks.23.ln_1.bias";
  const TensorMap sd2 =
      single_file_names(Component::kTextEncoder,
                        {{"cond_stage_model.model." + last, counting_view({4})},
                         {"cond_stage_model.model.text_projection", counting_view({2, 2})},
                         {"cond_stage_model.model.ln_final.bias", counting_view({4})}},
                        "file");
  CHECK(names_of(sd2) == Names{"text_model.final_layer_norm.bias"});
  const TensorMap sdxl =
      single_file_names(Component::kTextEncoder2,
                        {{"conditioner.embedders.1.model." + last, counting_view({4})}}, "file");
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
    file.emplace(name, counting_view({1}));
  }
  for (const Component component : {Component::kUNet, Component::kVae, Component::kTextEncoder}) {
    CHECK(single_file_names(component, file, "file").empty());
  }
  CHECK(tensors_of_no_component(file).empty());
}

TEST_CASE("a tensor that no rule knows keeps its name, so that the strict check can say it") {
  const TensorMap file{{"model.diffusion_model.out.0.bias", counting_view({1})},
                       {"model.diffusion_model.surprise.weight", counting_view({1})},
                       {"first_stage_model.surprise.weight", counting_view({1})},
                       {"cond_stage_model.transformer.surprise.weight", counting_view({1})},
                       {"lora.surprise", counting_view({1})}};
  const auto names = [&](Component component) {
    return names_of(single_file_names(component, file, "file"));
  };
  CHECK(names(Component::kUNet) ==
        Names{"conv_norm_out.bias", "model.diffusion_model.surprise.weight"});
  CHECK(names(Component::kVae) == Names{"first_stage_model.surprise.weight"});
  CHECK(names(Component::kTextEncoder) == Names{"surprise.weight"});
  CHECK(names(Component::kTextEncoder2).empty());
  CHECK(tensors_of_no_component(file) == Names{"lora.surprise"});
}

TEST_CASE("a text encoder may have OpenCLIP's names or transformers', at any of its places") {
  const Names expected{"text_model.embeddings.position_embedding.weight",
                       "text_model.encoder.layers.0.mlp.fc1.bias"};
  for (const char* place :
       {"cond_stage_model.transformer.", "cond_stage_model.model.",
        "conditioner.embedders.0.transformer.", "conditioner.embedders.0.model."}) {
    for (const auto& [position, bias] :
         {std::pair{"positional_embedding", "transformer.resblocks.0.mlp.c_fc.bias"},
          std::pair{"text_model.embeddings.position_embedding.weight",
                    "text_model.encoder.layers.0.mlp.fc1.bias"},
          std::pair{"embeddings.position_embedding.weight", "encoder.layers.0.mlp.fc1.bias"}}) {
      const TensorMap file{{std::string(place) + position, counting_view({2, 2})},
                           {std::string(place) + bias, counting_view({2})}};
      CHECK(names_of(single_file_names(Component::kTextEncoder, file, "file")) == expected);
    }
  }
}

TEST_CASE("a text projection with .weight after its name is not transposed") {
  for (const char* place :
       {"conditioner.embedders.1.model.", "conditioner.embedders.1.transformer."}) {
    const TensorMap named = single_file_names(
        Component::kTextEncoder2,
        {{std::string(place) + "text_projection.weight", counting_view({3, 5})}}, "file");
    CHECK(named.at("text_projection.weight").shape == Shape{3, 5});
    CHECK_FALSE(named.at("text_projection.weight").transposed);
  }
}

TEST_CASE(
    "the second encoder's projection may lie beside it, and there twice if the shapes agree") {
  const std::string beside = "conditioner.embedders.1.text_projection.weight";
  const std::string bias = "conditioner.embedders.1.transformer.text_model.final_layer_norm.bias";
  TensorMap file{{bias, counting_view({5})}, {beside, counting_view({3, 5})}};
  const auto read = [&] { return single_file_names(Component::kTextEncoder2, file, "file"); };
  CHECK(read().at("text_projection.weight").shape == Shape{3, 5});
  CHECK(tensors_of_no_component(file).empty());
  file.emplace("conditioner.embedders.1.transformer.text_projection.weight", counting_view({3, 5}));
  CHECK(names_of(read()) == Names{"text_model.final_layer_norm.bias", "text_projection.weight"});
  file.at(beside) = counting_view({4, 5});
  CHECK_THROWS_WITH(read(), "file: every tensor must be there once, but \"text_projection.weight\" "
                            "is there twice, once as \"" +
                                beside + "\"");
}

TEST_CASE("a projection without the encoder beside it is a tensor of no component") {
  const TensorMap file{{"conditioner.embedders.1.text_projection.weight", counting_view({3, 5})}};
  CHECK(single_file_names(Component::kTextEncoder2, file, "file").empty());
  CHECK(tensors_of_no_component(file) == Names{"conditioner.embedders.1.text_projection.weight"});
}

TEST_CASE("the projection that no first text encoder uses is left out in each of its spellings") {
  for (const char* name :
       {"conditioner.embedders.0.transformer.text_projection.weight",
        "conditioner.embedders.0.text_projection.weight", "conditioner.embedders.0.text_projection",
        "conditioner.embedders.0.transformer.text_model.text_projection.weight",
        "cond_stage_model.transformer.text_projection.weight",
        "cond_stage_model.text_projection.weight", "cond_stage_model.model.text_projection"}) {
    const TensorMap file{{name, counting_view({2, 2})}};
    CHECK(single_file_names(Component::kTextEncoder, file, "file").empty());
    CHECK(tensors_of_no_component(file).empty());
  }
}

TEST_CASE("the VAE's attention may have the names of its converter's time") {
  for (const auto& [norm, query, out] :
       {std::tuple{"norm", "q", "proj_out"}, std::tuple{"group_norm", "query", "proj_attn"},
        std::tuple{"group_norm", "to_q", "to_out.0"}}) {
    const std::string scope = "first_stage_model.decoder.mid.attn_1.";
    const TensorMap file{{scope + norm + ".weight", counting_view({2})},
                         {scope + query + ".weight", counting_view({2, 2, 1, 1})},
                         {scope + out + ".weight", counting_view({2, 2})}};
    const TensorMap named = single_file_names(Component::kVae, file, "file");
    CHECK(names_of(named) == Names{"decoder.mid_block.attentions.0.group_norm.weight",
                                   "decoder.mid_block.attentions.0.to_out.0.weight",
                                   "decoder.mid_block.attentions.0.to_q.weight"});
    CHECK(named.at("decoder.mid_block.attentions.0.to_q.weight").shape == Shape{2, 2});
  }
}

TEST_CASE("the block sizes of a small model are read off its keys") {
  const TensorMap file{
      {"model.diffusion_model.input_blocks.2.0.op.weight", counting_view({1})},
      {"model.diffusion_model.input_blocks.4.0.op.weight", counting_view({1})},
      {"model.diffusion_model.input_blocks.5.0.in_layers.0.weight", counting_view({1})},
      {"first_stage_model.decoder.up.0.block.0.conv1.weight", counting_view({1})},
      {"first_stage_model.decoder.up.1.block.0.conv1.weight", counting_view({1})}};
  CHECK(names_of(single_file_names(Component::kUNet, file, "file")) ==
        Names{"down_blocks.0.downsamplers.0.conv.weight",
              "down_blocks.1.downsamplers.0.conv.weight", "down_blocks.2.resnets.0.norm1.weight"});
  CHECK(names_of(single_file_names(Component::kVae, file, "file")) ==
        Names{"decoder.up_blocks.0.resnets.0.conv1.weight",
              "decoder.up_blocks.1.resnets.0.conv1.weight"});
}
