#include "catch.h"

#include <cstdint>
#include <vector>

#include "counting_view.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/checkpoint_keys.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

using test::counting_view;
using test::names_of;

namespace {

using Names = std::vector<std::string>;
using Shape = std::vector<std::int64_t>;

} // namespace

TEST_CASE("old VAE attention names become the current ones, 1x1 weights matrices") {
  const TensorMap named =
      current_names(Component::kVae,
                    {{"decoder.mid_block.attentions.0.query.weight", counting_view({4, 4, 1, 1})},
                     {"decoder.mid_block.attentions.0.key.bias", counting_view({4})},
                     {"decoder.mid_block.attentions.0.value.weight", counting_view({4, 4})},
                     {"decoder.mid_block.attentions.0.proj_attn.weight", counting_view({4, 4, 1})},
                     {"decoder.mid_block.attentions.0.group_norm.weight", counting_view({4})},
                     {"quant_conv.weight", counting_view({8, 8, 1, 1})}},
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
                    {{"text_model.embeddings.position_ids", counting_view({1, 77})},
                     {"text_model.encoder.layers.0.mlp.fc1.bias", counting_view({4})},
                     {"text_model.final_layer_norm.weight", counting_view({4})}},
                    "text_encoder");
  const TensorMap new_names = current_names(Component::kTextEncoder,
                                            {{"encoder.layers.0.mlp.fc1.bias", counting_view({4})},
                                             {"final_layer_norm.weight", counting_view({4})}},
                                            "text_encoder");
  CHECK(names_of(old_names) ==
        Names{"text_model.encoder.layers.0.mlp.fc1.bias", "text_model.final_layer_norm.weight"});
  CHECK(names_of(new_names) == names_of(old_names));
}

TEST_CASE("two tensors that become one name are refused") {
  CHECK_THROWS_WITH(
      current_names(Component::kVae,
                    {{"decoder.mid_block.attentions.0.query.bias", counting_view({4})},
                     {"decoder.mid_block.attentions.0.to_q.bias", counting_view({4})}},
                    "folder/vae"),
      ContainsSubstring("folder/vae") &&
          ContainsSubstring("\"decoder.mid_block.attentions.0.to_q.bias\" again"));
}
