#include "catch.h"

#include "sdbench/base/weights/compvis_names.h"

using namespace sdbench;

// Whole checkpoints are compared with diffusers' own conversion in tests/parity/test_checkpoint.py;
// here stand the rules.

TEST_CASE("the ends of a UNet have names of their own") {
  CHECK(unet_name_from_compvis("time_embed.0.weight", 2) == "time_embedding.linear_1.weight");
  CHECK(unet_name_from_compvis("label_emb.0.2.bias", 2) == "add_embedding.linear_2.bias");
  CHECK(unet_name_from_compvis("input_blocks.0.0.weight", 2) == "conv_in.weight");
  CHECK(unet_name_from_compvis("out.0.bias", 2) == "conv_norm_out.bias");
  CHECK(unet_name_from_compvis("out.2.weight", 2) == "conv_out.weight");
}

TEST_CASE("UNet blocks are counted by the resnets of a block") {
  CHECK(unet_name_from_compvis("input_blocks.1.0.in_layers.0.weight", 2) ==
        "down_blocks.0.resnets.0.norm1.weight");
  CHECK(unet_name_from_compvis("input_blocks.3.0.op.weight", 2) ==
        "down_blocks.0.downsamplers.0.conv.weight");
  CHECK(unet_name_from_compvis("input_blocks.8.1.proj_in.weight", 2) ==
        "down_blocks.2.attentions.1.proj_in.weight");
  CHECK(unet_name_from_compvis("output_blocks.5.0.skip_connection.bias", 2) ==
        "up_blocks.1.resnets.2.conv_shortcut.bias");
  CHECK(unet_name_from_compvis("input_blocks.2.0.op.weight", 1) ==
        "down_blocks.0.downsamplers.0.conv.weight");
  CHECK(unet_name_from_compvis("output_blocks.3.0.emb_layers.1.bias", 1) ==
        "up_blocks.1.resnets.1.time_emb_proj.bias");
}

TEST_CASE("an upsampler may stand where an attention would or after it") {
  CHECK(unet_name_from_compvis("output_blocks.2.1.conv.weight", 2) ==
        "up_blocks.0.upsamplers.0.conv.weight");
  CHECK(unet_name_from_compvis("output_blocks.5.2.conv.bias", 2) ==
        "up_blocks.1.upsamplers.0.conv.bias");
}

TEST_CASE("the UNet's middle has two resnets around an attention") {
  CHECK(unet_name_from_compvis("middle_block.0.out_layers.3.weight", 2) ==
        "mid_block.resnets.0.conv2.weight");
  CHECK(unet_name_from_compvis("middle_block.1.norm.weight", 2) ==
        "mid_block.attentions.0.norm.weight");
  CHECK(unet_name_from_compvis("middle_block.2.in_layers.2.bias", 2) ==
        "mid_block.resnets.1.conv1.bias");
}

TEST_CASE("the VAE's up levels count the other way round") {
  CHECK(vae_name_from_compvis("encoder.down.2.block.1.nin_shortcut.weight", 4) ==
        "encoder.down_blocks.2.resnets.1.conv_shortcut.weight");
  CHECK(vae_name_from_compvis("decoder.up.3.block.2.conv1.bias", 4) ==
        "decoder.up_blocks.0.resnets.2.conv1.bias");
  CHECK(vae_name_from_compvis("decoder.up.1.upsample.conv.weight", 2) ==
        "decoder.up_blocks.0.upsamplers.0.conv.weight");
  CHECK(vae_name_from_compvis("encoder.down.0.downsample.conv.bias", 2) ==
        "encoder.down_blocks.0.downsamplers.0.conv.bias");
  CHECK(vae_name_from_compvis("decoder.mid.attn_1.proj_out.weight", 4) ==
        "decoder.mid_block.attentions.0.to_out.0.weight");
  CHECK(vae_name_from_compvis("encoder.mid.block_2.norm2.weight", 4) ==
        "encoder.mid_block.resnets.1.norm2.weight");
  CHECK(vae_name_from_compvis("decoder.norm_out.weight", 4) == "decoder.conv_norm_out.weight");
  CHECK(vae_name_from_compvis("post_quant_conv.bias", 4) == "post_quant_conv.bias");
}

TEST_CASE("OpenCLIP's layers have transformers' names") {
  CHECK(text_name_from_open_clip("positional_embedding") ==
        "text_model.embeddings.position_embedding.weight");
  CHECK(text_name_from_open_clip("transformer.resblocks.11.mlp.c_proj.bias") ==
        "text_model.encoder.layers.11.mlp.fc2.bias");
  CHECK(text_name_from_open_clip("transformer.resblocks.0.ln_2.weight") ==
        "text_model.encoder.layers.0.layer_norm2.weight");
  CHECK(text_name_from_open_clip("transformer.resblocks.0.attn.in_proj_bias") ==
        "text_model.encoder.layers.0.self_attn.in_proj_bias");
  CHECK(text_name_from_open_clip("ln_final.bias") == "text_model.final_layer_norm.bias");
}

TEST_CASE("a name that no rule knows is not guessed") {
  for (const char* name : {"", ".", "input_blocks", "input_blocks.x.0.in_layers.0.weight",
                           "input_blocks.1", "input_blocks.1.0.in_layers.7.weight",
                           "input_blocks.1.0.in_layers.01.weight", "input_blocks.-1.0.op.weight",
                           "input_blocks.99999999999.0.op.weight", "input_blocks.1.2.weight",
                           "middle_block.3.norm.weight", "out.20.weight", "time_embed.1.weight"}) {
    CAPTURE(name);
    CHECK_FALSE(unet_name_from_compvis(name, 2).has_value());
  }
  for (const char* name : {"decoder.up.4.block.0.conv1.weight", "decoder.mid.attn_2.q.weight",
                           "encoder.down.0.block.x.conv1.weight", "decoder.up.0.blocks.0.conv1",
                           "other.conv_in.weight", "decoder.conv_inner.weight"}) {
    CAPTURE(name);
    CHECK_FALSE(vae_name_from_compvis(name, 4).has_value());
  }
  for (const char* name :
       {"transformer.resblocks.x.ln_1.weight", "transformer.layers.0.ln_1.weight",
        "transformer.resblocks.0.ln_3.weight", "visual.conv1.weight"}) {
    CAPTURE(name);
    CHECK_FALSE(text_name_from_open_clip(name).has_value());
  }
}
