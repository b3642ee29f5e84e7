#include "catch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/component_files.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "tiny_checkpoint.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::write_tensor;

namespace {

constexpr const char* kBase = "unet/diffusion_pytorch_model";

/// Names of the files that are read, without their folder.
std::vector<std::string> opened(const test::ScratchFolder& root,
                                Component component = Component::kUNet) {
  std::vector<std::string> names;
  for (const SafetensorsFile& file : open_component_files(root.path(), component).files) {
    names.push_back(file.path().filename().string());
  }
  return names;
}

std::string note(const test::ScratchFolder& root) {
  const ComponentFiles opened = open_component_files(root.path(), Component::kUNet);
  return note_of_other_files(root.path(), Component::kUNet, opened.tensors);
}

/// A file with one tensor of these values, as numbers of that dtype.
template <typename Number>
void write_values(const std::string& path, Dtype dtype, const std::vector<Number>& values) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_safetensors(path, {{"a", dtype, {static_cast<std::int64_t>(values.size())}}},
                    [&](std::size_t, std::span<std::byte> bytes) {
                      std::ranges::copy(std::as_bytes(std::span(values)), bytes.begin());
                    });
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
  CHECK(opened(root, Component::kTextEncoder2) == Names{"model.safetensors"});
  CHECK(has_component_files(root.path(), Component::kUNet));
  CHECK_FALSE(has_component_files(root.path(), Component::kVae));
}

TEST_CASE("of plain files and variants the plain one is read, whatever dtype it holds") {
  const test::ScratchFolder root;
  const std::string base = root.path() / kBase;
  for (const char* variant : {".fp16", ".bf16", ".fp32", ""}) { // each goes before those of earlier
    const std::string name = base + variant + ".safetensors";
    write_tensor(name, "a", Dtype::kBF16);
    CHECK(opened(root) == Names{std::filesystem::path(name).filename()});
  }
}

TEST_CASE("an index goes before the file of a UNet, and behind the file of a text encoder") {
  const test::ScratchFolder root;
  for (const std::string base : {"unet/diffusion_pytorch_model", "text_encoder/model"}) {
    write_tensor(root.path() / (base + ".safetensors"), "a");
    write_tensor(root.path() / (base + "-00001-of-00001.safetensors"), "a");
    root.write(base + ".safetensors.index.json",
               R"({"weight_map":{"a":")" + std::filesystem::path(base).filename().string() +
                   R"(-00001-of-00001.safetensors"}})");
  }
  CHECK(opened(root) == Names{"diffusion_pytorch_model-00001-of-00001.safetensors"});
  CHECK(opened(root, Component::kTextEncoder) == Names{"model.safetensors"});
}

TEST_CASE("an older file does not stand in for shards that are not all there") {
  const test::ScratchFolder root;
  write_tensor(root.path() / (std::string(kBase) + ".safetensors"), "a");
  write_index(root, R"({"a":"one.safetensors"})");
  CHECK_THAT(refusal(root), ContainsSubstring("but lacks \"one.safetensors\""));
  // What transformers does not look at is not looked at.
  write_tensor(root.path() / "text_encoder/model.safetensors", "a");
  root.write("text_encoder/model.safetensors.index.json", "{");
  CHECK(opened(root, Component::kTextEncoder) == Names{"model.safetensors"});
}

TEST_CASE("a note names what lies beside the weights and holds others, but not their rounding") {
  const test::ScratchFolder root;
  const std::string base = root.path() / kBase;
  const std::vector<float> values{1.0F + 0x1p-12F, -3e-6F, 70.0F};
  write_values(base + ".safetensors", Dtype::kF32, values);
  CHECK(note(root).empty());
  write_values(base + ".fp16.safetensors", Dtype::kF16,
               std::vector<std::uint16_t>{0x3c00, 0x8032, 0x5460});
  write_values(base + ".bf16.safetensors", Dtype::kBF16,
               std::vector<std::uint16_t>{0x3f80, 0xb649, 0x428c});
  write_values(base + ".fp32.safetensors", Dtype::kF32, values);
  root.write(std::string(kBase) + ".safetensors.index.fp16.json", // a download of another variant
             R"({"weight_map":{"a":"gone.safetensors"}})");
  CHECK(note(root).empty());
  write_values(base + ".fp16.safetensors", Dtype::kF16,
               std::vector<std::uint16_t>{0x3c00, 0x8032, 0x5461});
  root.write(std::string(kBase) + ".fp32.safetensors", "half a download");
  CHECK(note(root) ==
        "the weights of unet are those of diffusion_pytorch_model.safetensors; other weights lie "
        "beside them and are not read: diffusion_pytorch_model.fp32.safetensors, "
        "diffusion_pytorch_model.fp16.safetensors");
}

TEST_CASE("of a file that is not read 32 tensors are compared at most, spread over all") {
  const test::ScratchFolder root;
  std::vector<TensorDeclaration> tensors;
  for (std::size_t i = 10; i < 50; ++i) { // names in order
    tensors.push_back({std::to_string(i), Dtype::kU8, {4}});
  }
  const auto write = [&](const char* variant, std::size_t other) {
    write_safetensors(root.path() / (std::string(kBase) + variant + ".safetensors"), tensors,
                      [&](std::size_t index, std::span<std::byte> bytes) {
                        std::ranges::fill(bytes, std::byte{index == other});
                      });
  };
  root.write("unet/config.json", "{}");
  write("", tensors.size());
  std::vector<std::size_t> seen;
  for (std::size_t other = 0; other < tensors.size(); ++other) {
    write(".fp32", other);
    if (!note(root).empty()) {
      seen.push_back(other);
    }
  }
  CHECK(seen.size() <= 32);
  REQUIRE_FALSE(seen.empty());
  CHECK(seen.front() < 4);
  CHECK(seen.back() >= tensors.size() - 4);
}

TEST_CASE("a note says of git-lfs's pointer what it is") {
  const test::ScratchFolder root;
  write_tensor(root.path() / (std::string(kBase) + ".safetensors"), "a");
  root.write(std::string(kBase) + ".fp16.safetensors",
             "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n");
  CHECK(note(root).ends_with(": diffusion_pytorch_model.fp16.safetensors "
                             "(git-lfs's pointer to a file that was not fetched)"));
}

TEST_CASE("a variant of other values is never taken") {
  const test::ScratchFolder root;
  const std::string base = root.path() / kBase;
  write_tensor(base + ".non_ema.safetensors", "a", Dtype::kF32);
  CHECK_THAT(refusal(root), ContainsSubstring("but holds only \"diffusion_pytorch_model.non_ema"));
  write_tensor(base + ".fp16.safetensors", "a", Dtype::kF16);
  CHECK(opened(root) == Names{"diffusion_pytorch_model.fp16.safetensors"});
}

TEST_CASE("a note names a variant that nobody takes unless asked, and no pickle") {
  const test::ScratchFolder root;
  const std::string base = root.path() / kBase;
  write_values(base + ".safetensors", Dtype::kF32, std::vector<float>{1, 2});
  root.write(std::string(kBase) + ".bin", "a pickle");
  root.write(std::string(kBase) + ".non_ema.bin", "a pickle");
  root.write("unet/model.non_ema.safetensors", "not the name of a UNet");
  write_values(base + ".copy.safetensors", Dtype::kF32, std::vector<float>{1, 2});
  CHECK(note(root).empty());
  write_values(base + ".non_ema.safetensors", Dtype::kF32, std::vector<float>{1, 3});
  CHECK(note(root).ends_with(" are not read: diffusion_pytorch_model.non_ema.safetensors"));
  write_values(root.path() / "unet/shard.safetensors", Dtype::kF32, std::vector<float>{1, 4});
  for (const char* index : {".safetensors.index.ema.json", ".safetensors.ema.index.json"}) {
    root.write(std::string(kBase) + index, R"({"weight_map":{"a":"shard.safetensors"}})");
  }
  CHECK(note(root).ends_with(" are not read: diffusion_pytorch_model.safetensors.index.ema.json, "
                             "diffusion_pytorch_model.safetensors.ema.index.json, "
                             "diffusion_pytorch_model.non_ema.safetensors"));
}

TEST_CASE("shards are found through their index") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "a");
  write_tensor(root.path() / "unet/two.safetensors", "b");
  write_index(root, R"({"a":"one.safetensors","b":"two.safetensors"})");
  CHECK(opened(root) == Names{"one.safetensors", "two.safetensors"});
  CHECK(has_component_files(root.path(), Component::kUNet));
}

TEST_CASE("a variant's index may carry its name in each of three places") {
  for (const char* index : {"unet/diffusion_pytorch_model.safetensors.index.fp16.json",
                            "unet/diffusion_pytorch_model.safetensors.fp16.index.json",
                            "unet/diffusion_pytorch_model.fp16.safetensors.index.json"}) {
    const test::ScratchFolder root;
    write_tensor(root.path() / "unet/one.safetensors", "a", Dtype::kF16);
    root.write(index, R"({"weight_map":{"a":"one.safetensors"}})");
    CHECK(opened(root) == Names{"one.safetensors"});
  }
}

TEST_CASE("a shard that is not there is named, unless another variant is whole") {
  const test::ScratchFolder root;
  write_tensor(root.path() / "unet/one.safetensors", "a");
  write_index(root, R"({"a":"one.safetensors","b":"two.safetensors","c":"three.safetensors"})");
  CHECK_THAT(refusal(root), ContainsSubstring("lacks \"three.safetensors\" \"two.safetensors\""));
  CHECK_FALSE(has_component_files(root.path(), Component::kUNet));
  write_tensor(root.path() / (std::string(kBase) + ".fp16.safetensors"), "a", Dtype::kF16);
  CHECK(opened(root) == Names{"diffusion_pytorch_model.fp16.safetensors"});
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
