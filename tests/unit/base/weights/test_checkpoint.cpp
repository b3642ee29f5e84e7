#include "catch.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "counting_view.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "tiny_checkpoint.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::counting_view;
using test::names_of;
using test::write_tensor;
using test::write_tensors;

namespace {

namespace fs = std::filesystem;

fs::path write_single_file(const test::ScratchFolder& folder) {
  return write_tensors(
      folder.path() / "model.safetensors",
      {{"model.diffusion_model.input_blocks.0.0.weight", Dtype::kF16, {8, 4, 3, 3}},
       {"first_stage_model.quant_conv.bias", Dtype::kF16, {8}},
       {"cond_stage_model.transformer.text_model.final_layer_norm.bias", Dtype::kF16, {8}}});
}

/// A file in the shape of the Hugging Face cache: content in blobs/, its name a link in snapshots/.
void write_cached(const fs::path& repository, const std::string& name, const std::string& blob) {
  write_tensor(repository / "blobs" / blob, "a");
  const fs::path link = repository / "snapshots" / "0123" / name;
  fs::create_directories(link.parent_path());
  fs::create_symlink(repository / "blobs" / blob, link);
}

} // namespace

TEST_CASE("a component of a folder is opened with its current names") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "vae/diffusion_pytorch_model.safetensors",
               "decoder.mid_block.attentions.0.key.bias");
  const ComponentWeights vae = open_component(root.path(), Component::kVae);
  REQUIRE(vae.tensors.size() == 1);
  CHECK(vae.tensors.begin()->first == "decoder.mid_block.attentions.0.to_k.bias");
  CHECK(vae.files ==
        std::vector<std::string>{root.path() / "vae/diffusion_pytorch_model.safetensors"});
}

TEST_CASE("views outlive the component as long as its files are kept") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/diffusion_pytorch_model.safetensors", "conv_in.bias");
  TensorView view;
  std::shared_ptr<const void> kept;
  {
    const ComponentWeights unet = open_component(root.path(), Component::kUNet);
    view = unet.tensors.at("conv_in.bias");
    kept = unet.keep_alive;
  }
  CHECK(view.data[0] == std::byte{1});
}

TEST_CASE("a tensor in two shards is refused") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "a");
  write_tensors(root.path() / "unet/two.safetensors",
                {{"a", Dtype::kF32, {2}}, {"b", Dtype::kF32, {2}}});
  root.write("unet/diffusion_pytorch_model.safetensors.index.json",
             R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})");
  CHECK_THROWS_WITH(open_component(root.path(), Component::kUNet),
                    ContainsSubstring("tensor \"a\" must be in one shard"));
}

TEST_CASE("each component of a single file is opened with diffusers' names") {
  const test::ScratchFolder folder;
  const fs::path file = write_single_file(folder);
  const auto first_name = [&](Component component) {
    return open_component(file, component).tensors.begin()->first;
  };
  CHECK(first_name(Component::kUNet) == "conv_in.weight");
  CHECK(first_name(Component::kVae) == "quant_conv.bias");
  CHECK(first_name(Component::kTextEncoder) == "text_model.final_layer_norm.bias");
  CHECK_THROWS_WITH(open_component(file, Component::kTextEncoder2),
                    ContainsSubstring("must hold the component text_encoder_2"));
}

TEST_CASE("a network's weights are all that its file holds, by their own names") {
  const test::ScratchFolder folder;
  const fs::path file =
      test::write_tensors(folder.path() / "vgg.safetensors", {{"features.0.bias", Dtype::kF32, {2}},
                                                              {"unet.weight", Dtype::kF32, {1}}});
  const ComponentWeights weights = open_component(file, Component::kNetwork);
  CHECK(weights.tensors.size() == 2);
  CHECK(weights.tensors.at("features.0.bias").shape == std::vector<std::int64_t>{2});
  CHECK(weights.files == std::vector<std::string>{file.string()});
}

TEST_CASE("what PyTorch's wrappers put into names is taken off, and said") {
  const test::ScratchFolder folder;
  const TensorDeclaration none{"", Dtype::kF32, {2}};
  const auto names_of = [&](const std::vector<std::string>& names) {
    std::vector<TensorDeclaration> tensors(names.size(), none);
    for (std::size_t i = 0; i < names.size(); ++i) {
      tensors[i].name = names[i];
    }
    const ComponentWeights weights = open_component(
        write_tensors(folder.path() / "a.safetensors", tensors), Component::kNetwork);
    std::string text;
    for (const auto& [name, view] : weights.tensors) {
      text += name + " ";
    }
    for (const std::string& note : weights.notes) {
      text += note.substr(note.find("safetensors") + 12);
    }
    return text;
  };
  CHECK(names_of({"module.fc.bias", "module.fc.weight"}) ==
        "fc.bias fc.weight have \"module.\", which a wrapper of PyTorch added; sdbench removes it");
  CHECK(names_of({"_orig_mod.module.fc.bias"}) ==
        "fc.bias have \"module.\" and \"_orig_mod.\", which a wrapper of PyTorch added; sdbench "
        "removes it");
  CHECK(names_of({"model.diffusion_model._orig_mod.out.bias", "a"}) ==
        "a model.diffusion_model.out.bias have \"_orig_mod.\", which a wrapper of PyTorch added; "
        "sdbench removes it");
  CHECK(names_of({"module.fc.bias", "fc.weight"}) ==
        "fc.weight module.fc.bias "); // a name of theirs
  CHECK_THROWS_WITH(names_of({"fc.bias", "_orig_mod.fc.bias"}),
                    ContainsSubstring("\"fc.bias\" is there twice, once as "));
}

TEST_CASE("shards whose names have a wrapper's are found through their index") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "module.a");
  write_tensor(root.path() / "unet/two.safetensors", "module.b");
  root.write("unet/diffusion_pytorch_model.safetensors.index.json",
             R"({"weight_map":{"module.a":"one.safetensors","module.b":"two.safetensors"}})");
  const ComponentWeights unet = open_component(root.path(), Component::kUNet);
  CHECK(unet.tensors.contains("a"));
  CHECK(unet.tensors.contains("b"));
  CHECK(unet.notes.size() == 2);
}

TEST_CASE("pickles are refused by name, and the safetensors file beside one is offered") {
  const test::ScratchFolder folder;
  for (const char* extension : {".ckpt", ".bin", ".pt", ".pth"}) {
    const fs::path file = folder.write(std::string("model") + extension, "x");
    CHECK_THROWS_WITH(open_component(file, Component::kUNet),
                      ContainsSubstring("is a pickle") &&
                          ContainsSubstring("such as model.safetensors"));
  }
  const fs::path beside = write_single_file(folder);
  CHECK_THROWS_WITH(weights_identity(folder.path() / "model.ckpt"),
                    ContainsSubstring("use " + beside.string()));
}

TEST_CASE("a checkpoint that is not there is named") {
  CHECK_THROWS_WITH(open_component("/nowhere/x.safetensors", Component::kUNet),
                    ContainsSubstring("/nowhere/x.safetensors: No such file"));
}

TEST_CASE("a file of the Hugging Face cache is known by its blob") {
  const test::ScratchFolder cache;
  const fs::path repository = cache.path() / "models--o--n";
  write_cached(repository, "unet/diffusion_pytorch_model.safetensors", "aaaa");
  const fs::path snapshot = repository / "snapshots" / "0123";
  CHECK(weights_identity(snapshot / "unet/diffusion_pytorch_model.safetensors") == "blob:aaaa");
  const std::string one = weights_identity(snapshot);
  CHECK(one.starts_with("blobs:"));
  write_cached(repository, "vae/diffusion_pytorch_model.safetensors", "bbbb");
  CHECK(weights_identity(snapshot) != one);
}

TEST_CASE("any other file is known by header, size and time, and marked as such") {
  const test::ScratchFolder folder;
  const fs::path file = write_single_file(folder);
  const std::string before = weights_identity(file);
  CHECK(before.starts_with("meta:"));
  CHECK(weights_identity(file) == before);
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
  CHECK(weights_identity(file) != before);
}

TEST_CASE("a folder of files is known by all of them") {
  const test::ScratchFolder root;
  CHECK_THROWS_WITH(weights_identity(root.path()), ContainsSubstring("but holds none"));
  write_tensor(root.path() / "unet/diffusion_pytorch_model.safetensors", "a");
  const std::string one = weights_identity(root.path());
  CHECK(one.starts_with("meta:"));
  write_tensor(root.path() / "vae/diffusion_pytorch_model.safetensors", "a");
  CHECK(weights_identity(root.path()) != one);
}

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
          ContainsSubstring("\"decoder.mid_block.attentions.0.to_q.bias\" is there twice"));
}
