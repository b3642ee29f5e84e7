#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "config_reader.h"
#include "sdbench/base/config/component_configs.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/component_table.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// A tokenizer's own file, which replaces the built-in vocabulary or must agree with it.
bool has_own_vocabulary(const fs::path& folder) {
  return fs::exists(folder / "merges.txt") || fs::exists(folder / "tokenizer.json") ||
         fs::exists(folder / "vocab.json");
}

/// tokenizer.json's list of added tokens, in the form of tokenizer_config.json.
Json added_tokens_decoder(const Json& document, const fs::path& file) {
  Json decoder = Json::object();
  const auto tokens = document.is_object() ? document.find("added_tokens") : document.end();
  if (tokens == document.end()) {
    return decoder;
  }
  if (!tokens->is_array()) {
    throw Error(file.string() + ": added_tokens must be a list, but is " + describe_json(*tokens));
  }
  for (Json token : *tokens) {
    const ConfigReader reader(token, file.string() + ": added_tokens");
    const std::string id = std::to_string(reader.integer("id", -1));
    check_added_token(reader.text("content", ""), id, reader.where());
    token.erase("id");
    decoder[id] = std::move(token);
  }
  return decoder;
}

/// Adds the tokens of added_tokens.json, which tokenizers before 2023 have: {"<my-token>": 49408}.
void add_old_tokens(Json& decoder, const fs::path& file) {
  const Json document = read_json_file(file);
  const ConfigReader reader(document, file.string());
  if (decoder.is_null()) { // stays empty if the file names no token
    decoder = Json::object();
  }
  for (const auto& [content, value] : document.items()) {
    const std::string id = std::to_string(reader.integer(content, -1));
    check_added_token(content, id, file.string()); // only here the name of the file is known
    if (!decoder.contains(id)) {
      decoder[id] = {{"content", content}, {"normalized", true}, {"special", false}};
    }
  }
}

/// Refuses a tokenizer.json with tokens that the settings beside it lack, which would be misread
/// silently.
void check_tokens_are_known(const Json& decoder, const Json& document, const fs::path& file) {
  constexpr std::array<std::string_view, 3> kClips{"<|startoftext|>", "<|endoftext|>", "!"};
  const Json added =
      added_tokens_decoder(document, file); // items() needs a named value, which outlives the loop
  for (const auto& [id, token] : added.items()) {
    const Json content = token.value("content", Json());
    if (std::ranges::any_of(kClips,
                            [&](std::string_view clips) { return content == Json(clips); })) {
      continue;
    }
    if (!decoder.is_object() || !decoder.contains(id)) {
      throw Error(file.string() +
                  ": added_tokens must be those of tokenizer_config.json's "
                  "added_tokens_decoder, but " +
                  describe_json(content) + " (id " + id + ") is not there");
    }
  }
}

/// Checks the ends for padding and truncation. tokenizer_config.json overrides tokenizer.json, and
/// only the right end is implemented.
void check_directions(const Json& config, const Json& document, const fs::path& file) {
  for (const auto& [part, key] :
       {std::pair{"padding", "padding_side"}, std::pair{"truncation", "truncation_side"}}) {
    const auto found = document.is_object() ? document.find(part) : document.end();
    if (found != document.end() && found->is_object() && !config.contains(key)) {
      ConfigReader(*found, file.string() + ": " + part).only("direction", {"Right"});
    }
  }
}

/// transformers' rule: with added_tokens_decoder, tokenizer_config.json has everything. Without it,
/// special_tokens_map.json overrides its keys, and tokenizer.json or added_tokens.json lists the
/// tokens.
Json read_tokenizer(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw Error(folder.string() + " must be a folder with a tokenizer, but there is none");
  }
  const fs::path config_file = folder / "tokenizer_config.json";
  const fs::path tokenizer_file = folder / "tokenizer.json";
  Json config = fs::exists(config_file) ? read_json_file(config_file) : Json::object();
  (void)ConfigReader(config, config_file.string());
  const Json tokenizer = fs::exists(tokenizer_file) ? read_json_file(tokenizer_file) : Json();
  check_directions(config, tokenizer, tokenizer_file);
  if (config.contains("added_tokens_decoder")) {
    if (fs::exists(tokenizer_file)) {
      check_tokens_are_known(config["added_tokens_decoder"], tokenizer, tokenizer_file);
    }
    return config;
  }
  if (const fs::path map_file = folder / "special_tokens_map.json"; fs::exists(map_file)) {
    Json map = read_json_file(map_file);
    (void)ConfigReader(map, map_file.string());
    for (auto& [key, token] : map.items()) {
      if (token.is_object()) {
        token["special"] = true;
      }
      config[key] = std::move(token);
    }
  }
  if (fs::exists(tokenizer_file)) {
    config["added_tokens_decoder"] = added_tokens_decoder(tokenizer, tokenizer_file);
  }
  if (const fs::path file = folder / "added_tokens.json"; fs::exists(file)) {
    add_old_tokens(config["added_tokens_decoder"], file);
  }
  return config;
}

/// Name of a snapshot in the Hugging Face cache (models--OWNER--NAME/snapshots/HASH): NAME. For
/// other folders, the folder's name.
std::string model_name(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  const fs::path last = path.has_filename() ? path : path.parent_path();
  const std::string repository = last.parent_path().parent_path().filename().string();
  if (last.parent_path().filename() == "snapshots" && repository.starts_with("models--")) {
    return repository.substr(repository.rfind("--") + 2);
  }
  return last.filename().string();
}

/// The configs of the components that have one.
Json read_components(const fs::path& folder) {
  Json document = Json::object();
  const auto read_component = [&](const char* name, const char* file) {
    // parse_model_config decides if a part may be missing, because it knows the pipeline's class.
    if (const fs::path path = folder / name / file; fs::exists(path)) {
      document[name] = read_json_file(path);
    }
  };
  read_component("scheduler", "scheduler_config.json");
  for (const ComponentRow& row : pipeline_components()) {
    read_component(row.folder, "config.json");
    if (row.tokenizer != nullptr && fs::exists(folder / row.tokenizer)) {
      document[row.tokenizer] = read_tokenizer(folder / row.tokenizer);
    }
  }
  return document;
}

ModelConfig with_own_vocabularies(ModelConfig model, const fs::path& folder) {
  for (TextEncoderConfig& encoder : model.text_encoders) {
    const fs::path own = folder / component_row(encoder.component).tokenizer;
    if (has_own_vocabulary(own)) {
      encoder.tokenizer.folder = own;
    }
  }
  return model;
}

} // namespace

Json read_diffusers_folder(const fs::path& folder) {
  const fs::path index_file = folder / "model_index.json";
  if (!fs::exists(index_file)) {
    throw Error(folder.string() +
                " must be a model in diffusers' layout, but has no model_index.json; if you know "
                "the model, name it: --model sd15 --weights " +
                folder.string());
  }
  Json document = read_components(folder);
  document["name"] = model_name(folder);
  document["pipeline"] = read_json_file(index_file);
  return document;
}

ModelConfig load_model_config_folder(const fs::path& folder) {
  return with_own_vocabularies(parse_model_config(read_diffusers_folder(folder), folder.string()),
                               folder);
}

ModelConfig load_model_config_folder(const fs::path& folder, const ModelConfig& kind) {
  const Json components = read_components(folder);
  Json document = kind.source;
  document.update(components);
  if (components.contains("scheduler")) {
    document["pipeline"].erase("scheduler"); // its own config names its class
  }
  return with_own_vocabularies(parse_model_config(document, folder.string()), folder);
}

} // namespace sdbench
