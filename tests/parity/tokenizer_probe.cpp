// The tokenizer for test_tokenizer.py. Each line of stdin is a JSON request, each line of stdout
// its answer:
//   {"pad_token_id": 0, "bos_normalized": false, "eos_normalized": …, "pad_normalized": …,
//   "folder": "",
//    "texts_hex": ["6361…", …]}                       (hexadecimal, so that broken UTF-8 can be
//    sent)
//   {"ids": [[…], …], "padded": [[…], …]}
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include "sdbench/core/json_io.h"
#include "sdbench/tokenizer/clip_tokenizer.h"

namespace {

using sdbench::Json;

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

Json answer(const Json& request) {
  sdbench::TokenizerConfig config;
  config.pad_token_id = request.at("pad_token_id");
  config.bos_normalized = request.at("bos_normalized");
  config.eos_normalized = request.at("eos_normalized");
  config.pad_normalized = request.at("pad_normalized");
  config.folder = request.at("folder").get<std::string>();
  const sdbench::ClipTokenizer tokenizer(config);
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
