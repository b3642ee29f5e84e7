#include "catch.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "model_documents.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using sdbench::test::error_of;
using sdbench::test::ScratchFolder;
using sdbench::test::shipped;

namespace {

/// A model in diffusers' layout, without weights, from a shipped document.
void write_folder(const ScratchFolder& scratch, const Json& document, const std::string& at) {
  scratch.write(at + "/model_index.json", document["pipeline"].dump());
  scratch.write(at + "/scheduler/scheduler_config.json", document["scheduler"].dump());
  for (const char* part : {"unet", "vae", "text_encoder", "text_encoder_2"}) {
    if (document.contains(part)) {
      scratch.write(at + "/" + part + "/config.json", document[part].dump());
    }
  }
  for (const char* part : {"tokenizer", "tokenizer_2"}) {
    if (document.contains(part)) {
      scratch.write(at + "/" + part + "/tokenizer_config.json", document[part].dump());
    }
  }
}

Blame blame_of(const std::string& name) {
  try {
    (void)find_model_config(name);
  } catch (const Error& error) {
    return error.blame();
  }
  throw std::logic_error("no error");
}

} // namespace

TEST_CASE("the shipped models are found by name") {
  const std::vector<std::string> names{
      "cnn10",     "densenet161", "resnet152", "sd-turbo",      "sd15",        "sd21",
      "sdxl",      "sdxl-turbo",  "tiny-cnn",  "tiny-densenet", "tiny-resnet", "tiny-sd15",
      "tiny-sdxl", "tiny-vgg",    "tiny-wrn",  "vgg16",         "wrn28-10"};
  CHECK(shipped_model_names() == names);
  for (const std::string& name : names) {
    CHECK(find_model_config(name).name == name);
  }
}

TEST_CASE("an unknown model is the command's fault, and the nearest names come first") {
  const std::string message = error_of([] { return find_model_config("sdxl-tubro"); });
  CHECK(message.find("--model must be one of sdxl-turbo, ") == 0);
  CHECK(message.find("but is \"sdxl-tubro\"") != std::string::npos);
  CHECK(blame_of("sdxl-tubro") == Blame::kCommand);
  CHECK(blame_of("") == Blame::kCommand);
  CHECK(blame_of("../sd15") == Blame::kCommand);
  CHECK(blame_of(std::string(100'000, 'x')) == Blame::kCommand);
}

TEST_CASE("an architecture file is read, and called by its name where it has none") {
  const ScratchFolder scratch;
  Json document = shipped("tiny-sd15");
  document.erase("name");
  const auto file = scratch.write("mine.json", document.dump());
  CHECK(find_model_config(file.string()).name == "mine");
  const auto broken = scratch.write("broken.json", "{\"name\": ");
  CHECK(blame_of(broken.string()) == Blame::kEnvironment);
  const auto weights = scratch.write("model.safetensors", "");
  CHECK(error_of([&] { return find_model_config(weights.string()); }).find("--weights") !=
        std::string::npos);
}

TEST_CASE("a diffusers folder is read by its own configs") {
  const ScratchFolder scratch;
  Json document = shipped("tiny-sdxl");
  document["scheduler"]["_class_name"] = "DDIMScheduler";
  document["pipeline"]["scheduler"][1] = "DDIMScheduler";
  write_folder(scratch, document, "my-model");
  const ModelConfig model = find_model_config((scratch.path() / "my-model/").string());
  CHECK(model.name == "my-model");
  CHECK(model.scheduler.source_class == "DDIMScheduler");
  CHECK(model.source["unet"] == document["unet"]);
  CHECK(model.defaults.steps == 50); // diffusers' own: a folder says nothing of them
  CHECK(model.defaults.width == 128);
  CHECK(model.text_encoders[0].tokenizer.folder.empty());
  scratch.write("my-model/tokenizer_2/merges.txt", "#version: 0.2\n");
  const ModelConfig own = load_model_config_folder(scratch.path() / "my-model");
  CHECK(own.text_encoders[0].tokenizer.folder.empty());
  CHECK(own.text_encoders[1].tokenizer.folder == scratch.path() / "my-model" / "tokenizer_2");
}

TEST_CASE("a snapshot in the Hugging Face cache is called by its repository's name") {
  const ScratchFolder scratch;
  const std::string snapshot = "models--some-one--my-model/snapshots/0123abcd";
  write_folder(scratch, shipped("tiny-sd15"), snapshot);
  CHECK(load_model_config_folder(scratch.path() / snapshot).name == "my-model");
}

TEST_CASE("a folder without its parts is refused by what is missing") {
  const ScratchFolder scratch;
  CHECK(error_of([&] {
          return find_model_config(scratch.path().string());
        }).find("model_index.json") != std::string::npos);
  write_folder(scratch, shipped("tiny-sdxl"), "m");
  std::filesystem::remove_all(scratch.path() / "m/tokenizer_2");
  CHECK(error_of([&] {
          return load_model_config_folder(scratch.path() / "m");
        }).find("tokenizer_2 must be there") != std::string::npos);
  std::filesystem::remove_all(scratch.path() / "m/unet");
  CHECK(error_of([&] {
          return load_model_config_folder(scratch.path() / "m");
        }).find("unet must be there") != std::string::npos);
}

TEST_CASE("an added token's impossible id is laid to the file that says it") {
  const ScratchFolder scratch;
  write_folder(scratch, shipped("tiny-sd15"), "m");
  const auto folder = scratch.path() / "m";
  const auto refusal = [&] { return error_of([&] { return load_model_config_folder(folder); }); };
  scratch.write("m/tokenizer/tokenizer_config.json", "{}");
  for (const char* id : {"-1", "320"}) {
    scratch.write("m/tokenizer/added_tokens.json", R"({"<cat>": )" + std::string(id) + "}");
    CHECK_THAT(refusal(), ContainsSubstring("added_tokens.json must hold") &&
                              ContainsSubstring("\"<cat>\" with id \"" + std::string(id)) &&
                              !ContainsSubstring("added_tokens_decoder"));
  }
  scratch.write("m/tokenizer/added_tokens.json", R"({"<cat>": 99999})");
  CHECK_THAT(refusal(), ContainsSubstring("the id of the added token \"<cat>\" must be below"));
  scratch.write("m/tokenizer/added_tokens.json", R"({})");
  scratch.write("m/tokenizer/tokenizer.json",
                R"({"added_tokens": [{"id": -1, "content": "<cat>"}]})");
  CHECK_THAT(refusal(), ContainsSubstring("tokenizer.json: added_tokens must hold"));
}

TEST_CASE("an added_tokens.json without tokens adds none") {
  const ScratchFolder scratch;
  write_folder(scratch, shipped("tiny-sd15"), "m");
  scratch.write("m/tokenizer/tokenizer_config.json", "{}");
  scratch.write("m/tokenizer/added_tokens.json", "{}");
  CHECK(load_model_config_folder(scratch.path() / "m")
            .text_encoders[0]
            .tokenizer.added_tokens.empty());
}

TEST_CASE("a tokenizer.json that pads or cuts at the left is refused, where nothing overrules it") {
  const ScratchFolder scratch;
  write_folder(scratch, shipped("tiny-sd15"), "m");
  const auto refusal = [&] {
    return error_of([&] { return load_model_config_folder(scratch.path() / "m"); });
  };
  for (const std::string part : {"padding", "truncation"}) {
    scratch.write("m/tokenizer/tokenizer.json", R"({")" + part + R"(": {"direction": "Left"}})");
    scratch.write("m/tokenizer/tokenizer_config.json", "{}");
    CHECK_THAT(refusal(),
               ContainsSubstring("tokenizer.json: " + part + ": direction must be \"Right\""));
    scratch.write("m/tokenizer/tokenizer_config.json", R"({")" + part + R"(_side": "right"})");
    CHECK(refusal().empty());
  }
  scratch.write("m/tokenizer/tokenizer.json", R"({"padding": null})");
  CHECK(refusal().empty());
}

TEST_CASE("a network's folder, as export-weights writes it, is read by its architecture file") {
  const ScratchFolder scratch;
  scratch.write("net/architecture.json", shipped("cnn10").dump());
  CHECK(find_model_config(scratch.path() / "net").name == "cnn10");
}

TEST_CASE("special_tokens_map.json and tokenizer.json say what tokenizer_config.json does not") {
  const ScratchFolder scratch;
  write_folder(scratch, shipped("tiny-sd15"), "m");
  const auto folder = scratch.path() / "m";
  scratch.write("m/tokenizer/tokenizer_config.json", R"({"model_max_length": 77})");
  CHECK(load_model_config_folder(folder).text_encoders[0].tokenizer.pad_token_id == 49407);
  scratch.write("m/tokenizer/special_tokens_map.json",
                R"({"pad_token": "!", "eos_token": {"content": "<|endoftext|>"},
                    "unk_token": {"content": "<|endoftext|>", "normalized": true}})");
  const TokenizerConfig mapped = load_model_config_folder(folder).text_encoders[0].tokenizer;
  CHECK(mapped.pad_token_id == 0);
  CHECK(mapped.eos_normalized);
  CHECK_FALSE(mapped.bos_normalized);
  scratch.write("m/tokenizer/tokenizer.json", R"({"added_tokens": [
      {"id": 49406, "content": "<|startoftext|>", "normalized": true, "special": true},
      {"id": 49407, "content": "<|endoftext|>", "normalized": false, "special": true}]})");
  const TokenizerConfig listed = load_model_config_folder(folder).text_encoders[0].tokenizer;
  CHECK(listed.bos_normalized);
  CHECK_FALSE(listed.eos_normalized);
  CHECK(listed.folder == folder / "tokenizer");
  scratch.write("m/tokenizer/tokenizer.json", R"({"added_tokens": 5})");
  CHECK(error_of([&] { return load_model_config_folder(folder); }).find("added_tokens") !=
        std::string::npos);
}
