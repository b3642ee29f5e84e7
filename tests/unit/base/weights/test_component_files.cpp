#include "catch.h"

#include <string>

#include "scratch_folder.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/weights/component_files.h"
#include "tiny_checkpoint.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::write_tensor;

namespace {

constexpr const char* kBase = "unet/diffusion_pytorch_model";

/// Names of the files that are read, without their folder.
std::vector<std::string> opened(const test::ScratchFolder& root, Dtype wanted = Dtype::kF32,
                                Component component = Component::kUNet) {
  std::vector<std::string> names;
  for (const SafetensorsFile& file : open_component_files(root.path(), component, wanted)) {
    names.push_back(file.path().filename().string());
  }
  return names;
}

std::string refusal(const test::ScratchFolder& root) {
  try {
    opened(root);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void write_index(const test::ScratchFolder& root, const std::string& weight_map) {
  root.write(std::string(kBase) + ".safetensors.index.json", "{\"weight_map\":" + weight_map + "}");
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("each kind of component has its file name") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/diffusion_pytorch_model.safetensors", "a");
  write_tensor(root.path() / "text_encoder_2/model.safetensors", "a");
  CHECK(opened(root) == Names{"diffusion_pytorch_model.safetensors"});
  CHECK(opened(root, Dtype::kF32, Component::kTextEncoder2) == Names{"model.safetensors"});
  CHECK(has_component_files(root.path(), Component::kUNet));
  CHECK_FALSE(has_component_files(root.path(), Component::kVae));
}

TEST_CASE("of several variants the nearest to the wanted dtype is read, whatever its name says") {
  const test::ScratchFolder root;
  const std::string base = root.path() / kBase;
  write_tensor(base + ".safetensors", "a", Dtype::kF32);
  write_tensor(base + ".fp16.safetensors", "a", Dtype::kF16);
  CHECK(opened(root, Dtype::kF32) == Names{"diffusion_pytorch_model.safetensors"});
  CHECK(opened(root, Dtype::kF16) == Names{"diffusion_pytorch_model.fp16.safetensors"});
  CHECK(opened(root, Dtype::kBF16) == Names{"diffusion_pytorch_model.safetensors"});
  // A plain file that is fp16 itself (SDXL-Turbo's text encoders) goes before its fp16 variant.
  write_tensor(base + ".safetensors", "a", Dtype::kF16);
  CHECK(opened(root, Dtype::kF16) == Names{"diffusion_pytorch_model.safetensors"});
  write_tensor(base + ".bf16.safetensors", "a", Dtype::kBF16);
  CHECK(opened(root, Dtype::kBF16) == Names{"diffusion_pytorch_model.bf16.safetensors"});
}

TEST_CASE("a variant of other values is never taken") {
  const test::ScratchFolder root;
  const std::string base = root.path() / kBase;
  write_tensor(base + ".non_ema.safetensors", "a", Dtype::kF32);
  CHECK_THAT(refusal(root), ContainsSubstring("but holds only \"diffusion_pytorch_model.non_ema"));
  write_tensor(base + ".fp16.safetensors", "a", Dtype::kF16);
  CHECK(opened(root, Dtype::kF32) == Names{"diffusion_pytorch_model.fp16.safetensors"});
}

TEST_CASE("shards are found through their index") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "a");
  write_tensor(root.path() / "unet/two.safetensors", "b");
  write_index(root, R"({"a":"one.safetensors","b":"two.safetensors"})");
  CHECK(opened(root) == Names{"one.safetensors", "two.safetensors"});
  CHECK(has_component_files(root.path(), Component::kUNet));
}

TEST_CASE("a variant's index may carry its name in either place") {
  for (const char* index : {"unet/diffusion_pytorch_model.safetensors.index.fp16.json",
                            "unet/diffusion_pytorch_model.fp16.safetensors.index.json"}) {
    const test::ScratchFolder root;
    write_tensor(root.path() / "unet/one.safetensors", "a", Dtype::kF16);
    root.write(index, R"({"weight_map":{"a":"one.safetensors"}})");
    CHECK(opened(root, Dtype::kF16) == Names{"one.safetensors"});
  }
}

TEST_CASE("a shard that is not there is named, unless another variant is whole") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "a");
  write_index(root, R"({"a":"one.safetensors","b":"two.safetensors","c":"three.safetensors"})");
  CHECK_THAT(refusal(root), ContainsSubstring("lacks \"three.safetensors\" \"two.safetensors\""));
  CHECK_FALSE(has_component_files(root.path(), Component::kUNet));
  write_tensor(root.path() / (std::string(kBase) + ".fp16.safetensors"), "a", Dtype::kF16);
  CHECK(opened(root, Dtype::kF32) == Names{"diffusion_pytorch_model.fp16.safetensors"});
}

TEST_CASE("a tensor that the index places in the wrong shard is named") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "a");
  write_index(root, R"({"a":"one.safetensors","b":"one.safetensors"})");
  CHECK_THAT(refusal(root), ContainsSubstring("tensor \"b\" must be in \"one.safetensors\""));
}

TEST_CASE("an index that points outside its folder is refused") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "secret.safetensors", "a");
  for (const char* file : {"../secret.safetensors", "/etc/x.safetensors", "sub/x.safetensors", "..",
                           "", "weights.bin", "a\\u0000.safetensors"}) {
    CAPTURE(file);
    write_index(root, std::string(R"({"a":")") + file + "\"}");
    CHECK_THAT(refusal(root), ContainsSubstring("file of the index's own folder"));
  }
  write_index(root, R"({"a":"../x.safetensors"})");
  CHECK_THAT(refusal(root), ContainsSubstring("but is \"../x.safetensors\""));
  write_index(root, R"({"a":7})");
  CHECK_THAT(refusal(root), ContainsSubstring("but is \"7\""));
}

TEST_CASE("an index that is none is refused") {
  const test::ScratchFolder root;
  for (const char* map : {"[]", "{}", "7", "null"}) {
    write_index(root, map);
    CHECK_THAT(refusal(root), ContainsSubstring("must have an object weight_map"));
  }
  root.write(std::string(kBase) + ".safetensors.index.json", "[]");
  CHECK_THAT(refusal(root), ContainsSubstring("must have an object weight_map"));
  root.write(std::string(kBase) + ".safetensors.index.json", "{");
  CHECK_THAT(refusal(root), ContainsSubstring("must be JSON"));
}

TEST_CASE("a folder without safetensors says what it has instead") {
  const test::ScratchFolder root;
  CHECK_THAT(refusal(root), ContainsSubstring("must have a folder"));
  root.write("unet/config.json", "{}");
  CHECK_THAT(refusal(root), ContainsSubstring("but holds no weights"));
  root.write("unet/diffusion_pytorch_model.bin", "");
  CHECK_THAT(refusal(root), ContainsSubstring("only \"diffusion_pytorch_model.bin\"") &&
                                ContainsSubstring("pickles are never opened"));
}
