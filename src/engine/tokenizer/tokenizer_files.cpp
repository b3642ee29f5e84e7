#include "sdbench/engine/tokenizer/tokenizer_files.h"

#include <string>

#include "sdbench/base/config/merge_list.h"
#include "sdbench/base/config/vocabulary.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

/// The four special tokens, as special_tokens_map.json gives them.
Json special_tokens(const Json& settings) {
  Json tokens = Json::object();
  for (const char* key : {"bos_token", "eos_token", "pad_token", "unk_token"}) {
    if (const auto found = settings.find(key); found != settings.end() && !found->is_null()) {
      tokens[key] = *found;
      if (found->is_object()) {
        tokens[key].erase("__type"); // only tokenizer_config.json marks the class
      }
    }
  }
  return tokens;
}

std::string merges_text(const MergeList& list) {
  std::string text = "#version: 0.2\n";
  for (const Merge& merge : list.merges) {
    text.append(merge.left).append(1, ' ').append(merge.right).append(1, '\n');
  }
  return text;
}

} // namespace

void write_tokenizer_files(const std::filesystem::path& folder, const TokenizerConfig& config,
                           const Json& settings) {
  const MergeList list = find_merge_list(config.folder);
  write_file_atomically(folder / "merges.txt", merges_text(list));
  write_file_atomically(folder / "vocab.json", Json(clip_vocabulary(list)).dump());
  write_file_atomically(folder / "tokenizer_config.json", json_text(settings, 2) + "\n");
  write_file_atomically(folder / "special_tokens_map.json",
                        json_text(special_tokens(settings), 2) + "\n");
}

} // namespace sdbench
