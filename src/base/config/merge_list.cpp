#include "sdbench/base/config/merge_list.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/vocabulary.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/git_lfs.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/plain_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::string_view kRemedy =
    "; download the file again, or remove it to use the built-in CLIP vocabulary";

/// Exactly one space, with text on both sides.
std::optional<Merge> parse_pair(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == text.size() ||
      text.find(' ', space + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  return Merge{std::string(text.substr(0, space)), std::string(text.substr(space + 1))};
}

std::optional<Merge> parse_json_pair(const Json& entry) {
  if (entry.is_string()) {
    return parse_pair(entry.get_ref<const std::string&>());
  }
  if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string()) {
    return Merge{entry[0].get<std::string>(), entry[1].get<std::string>()};
  }
  return std::nullopt;
}

/// `found`: the text in place of the merge, for the error.
void add_merge(MergeList& list, std::optional<Merge> merge, std::string_view found) {
  if (!merge) {
    throw Error(list.place(list.merges.size()) +
                " must be two tokens with a space between, but is " + in_quotes(found) +
                std::string(kRemedy));
  }
  list.merges.push_back(std::move(*merge));
}

void check_count(const MergeList& list) {
  if (list.merges.size() != kClipMergeCount) {
    throw Error(list.place(list.merges.size()) + ": the file must hold " +
                std::to_string(kClipMergeCount) + " merges, but holds " +
                std::to_string(list.merges.size()) + std::string(kRemedy));
  }
}

const Json& list_of_merges(const Json& document, const std::filesystem::path& file) {
  const Json::json_pointer where("/model/merges");
  if (!document.is_object() || !document.contains(where) || !document[where].is_array()) {
    throw Error(file.string() + " must hold a list model.merges, but has none" +
                std::string(kRemedy));
  }
  return document[where];
}

/// Our ids follow from the order of the merges, so a file that numbers its tokens differently would
/// be misread silently. `place`: the file of the vocabulary, for the error.
void check_vocabulary(const Json& vocabulary, const MergeList& list, const std::string& place) {
  std::optional<std::pair<std::uint32_t, std::string>> wrong;
  for (const auto& [token, id] : clip_vocabulary(list)) {
    const auto found = vocabulary.is_object() ? vocabulary.find(token) : vocabulary.end();
    if (found == vocabulary.end() && id >= kFirstMergedId + kClipMergeCount) {
      continue; // start and end may be only among the added tokens
    }
    if ((found == vocabulary.end() || *found != id) && (!wrong || id < wrong->first)) {
      wrong = {id, token};
    }
  }
  if (wrong) {
    throw Error(place + " must give " + in_quotes(wrong->second) + " the id " +
                std::to_string(wrong->first) + ", as CLIP's does, but does not" +
                std::string(kRemedy));
  }
}

} // namespace

std::string MergeList::place(std::size_t index) const {
  return first_line > 0 ? file.string() + ":" + std::to_string(first_line + index)
                        : file.string() + ": model.merges[" + std::to_string(index) + "]";
}

MergeList read_merges_txt(const std::filesystem::path& file) {
  const std::string text = to_plain_text(read_text_file(file), file.string());
  refuse_git_lfs_pointer(text, file);
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) { // behind the last line's end
    lines.pop_back();
  }
  MergeList list{{}, file, text.starts_with("#version") ? std::size_t{2} : 1};
  list.merges.reserve(kClipMergeCount);
  for (std::string_view line : std::span(lines).subspan(list.first_line - 1)) {
    if (line.ends_with('\r')) { // a checkout made on Windows
      line.remove_suffix(1);
    }
    add_merge(list, parse_pair(line), line);
  }
  check_count(list);
  return list;
}

MergeList read_tokenizer_json(const std::filesystem::path& file) {
  const Json document = read_json_file(file);
  const Json& merges = list_of_merges(document, file);
  MergeList list{{}, file, 0};
  list.merges.reserve(kClipMergeCount);
  for (const Json& entry : merges) {
    add_merge(list, parse_json_pair(entry),
              entry.is_string() ? entry.get_ref<const std::string&>() : entry.type_name());
  }
  check_count(list);
  const Json& model = document.at("model");
  if (const auto vocabulary = model.find("vocab"); vocabulary != model.end()) {
    check_vocabulary(*vocabulary, list, file.string() + ": model.vocab");
  }
  return list;
}

MergeList find_merge_list(const std::filesystem::path& folder) {
  if (!folder.empty()) {
    // tokenizer.json first, like in transformers.
    if (const auto file = folder / "tokenizer.json"; std::filesystem::exists(file)) {
      return read_tokenizer_json(file);
    }
  }
  const auto own = folder / "merges.txt";
  MergeList list = read_merges_txt(!folder.empty() && std::filesystem::exists(own)
                                       ? own
                                       : share_folder() / "tokenizer" / "merges.txt");
  if (const auto file = folder / "vocab.json"; !folder.empty() && std::filesystem::exists(file)) {
    check_vocabulary(read_json_file(file), list, file.string());
  }
  return list;
}

} // namespace sdbench
