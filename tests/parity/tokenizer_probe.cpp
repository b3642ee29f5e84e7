// The tokenizer for test_tokenizer.py. Each line of stdin is a JSON request, each line of stdout
// its answer, {"ids": [[…], …], "padded": [[…], …]}. A request names a shipped architecture's
// tokenizer,
//   {"model": "sdxl", "tokenizer": "tokenizer_2", "texts_hex": […]}
// or says what it is:
//   {"pad_token_id": 0, "bos_normalized": false, "eos_normalized": …, "pad_normalized": …,
//    "folder": "", "texts_hex": ["6361…", …]}
// Texts are hexadecimal, so that broken UTF-8 can be sent.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

namespace {

using sdbench::Json;

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

sdbench::TokenizerConfig requested_config(const Json& request) {
  if (request.contains("model")) {
    const auto model = sdbench::find_model_config(request.at("model"));
    return model.text_encoders.at(request.at("tokenizer") == "tokenizer" ? 0 : 1).tokenizer;
  }
  sdbench::TokenizerConfig config;
  config.pad_token_id = request.at("pad_token_id");
  config.bos_normalized = request.at("bos_normalized");
  config.eos_normalized = request.at("eos_normalized");
  config.pad_normalized = request.at("pad_normalized");
  config.folder = request.at("folder").get<std::string>();
  return config;
}

Json answer(const Json& request) {
  const sdbench::ClipTokenizer tokenizer(requested_config(request));
  Json ids = Json::array();
  Json padded = Json::array();
  for (const std::string hex : request.at("texts_hex")) {
    const std::string text = from_hex(hex);
    ids.push_back(tokenizer.encode(text));
    padded.push_back(tokenizer.encode_padded(text));
  }
  return Json{{"ids", ids}, {"padded", padded}};
}

} // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << answer(Json::parse(line)).dump() << std::endl;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tokenizer_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}
