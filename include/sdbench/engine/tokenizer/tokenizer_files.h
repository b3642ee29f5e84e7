#pragma once

#include <filesystem>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// Fills an existing folder with the files that transformers' CLIPTokenizer loads: vocab.json,
/// merges.txt, tokenizer_config.json (a copy of `settings`) and special_tokens_map.json. The merges
/// are those of `config`. Throws Error.
void write_tokenizer_files(const std::filesystem::path& folder, const TokenizerConfig& config,
                           const Json& settings);

} // namespace sdbench
