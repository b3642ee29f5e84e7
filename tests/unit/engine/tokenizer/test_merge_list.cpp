#include "catch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string_view>

#include <unistd.h>

#include "scratch_folder.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/merge_list.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/engine/tokenizer/byte_pair_encoder.h"
#include "sdbench/engine/tokenizer/tokenizer_files.h"

using namespace sdbench;
namespace fs = std::filesystem;

namespace {

/// A tokenizer folder for one test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("sdbench-merges-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path / name, std::ios::binary) << content;
  }
};

std::string builtin_text() {
  return read_text_file(share_folder() / "tokenizer" / "merges.txt");
}

Json tokenizer_json(bool as_pairs) {
  Json merges = Json::array();
  for (const Merge& merge : find_merge_list({}).merges) {
    merges.push_back(as_pairs ? Json{merge.left, merge.right}
                              : Json(merge.left + " " + merge.right));
  }
  return Json{{"model", {{"type", "BPE"}, {"merges", merges}}}};
}

Json clips_vocabulary() {
  const test::ScratchFolder folder;
  write_tokenizer_files(folder.path(), {}, Json::object());
  return read_json_file(folder.path() / "vocab.json");
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string load_error(const Folder& folder) {
  try {
    const BytePairEncoder encoder(find_merge_list(folder.path));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool same(const MergeList& a, const MergeList& b) {
  return std::ranges::equal(a.merges, b.merges, [](const Merge& x, const Merge& y) {
    return x.left == y.left && x.right == y.right;
  });
}

} // namespace

TEST_CASE("the built-in merges are CLIP's") {
  const MergeList list = find_merge_list({});
  CHECK(list.merges.size() == kClipMergeCount);
  CHECK(list.merges.front().left == "i");
  CHECK(list.merges.front().right == "n");
  CHECK(list.merges.back().left == "jeky");
  CHECK(list.merges.back().right == "ll</w>");
}

TEST_CASE("a byte order mark before the merges is passed over") {
  const Folder folder;
  folder.write("merges.txt", "\xef\xbb\xbf" + builtin_text());
  CHECK(same(find_merge_list(folder.path), find_merge_list({})));
}

TEST_CASE("merges that Windows saved as UTF-16 are read") {
  const Folder folder;
  const std::string text = builtin_text();
  std::string wide = "\xff\xfe";
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned unit = static_cast<unsigned char>(text[at]);
    if (unit >= 0x80) { // of two bytes: CLIP's names of bytes are all below U+0800
      unit = (unit & 0x1fU) << 6U | (static_cast<unsigned char>(text[++at]) & 0x3fU);
    }
    wide += static_cast<char>(unit & 0xffU);
    wide += static_cast<char>(unit >> 8U);
  }
  folder.write("merges.txt", wide);
  CHECK(same(find_merge_list(folder.path), find_merge_list({})));
}

TEST_CASE("a folder without a vocabulary gets the built-in one") {
  const Folder folder;
  CHECK(same(find_merge_list(folder.path), find_merge_list({})));
  CHECK(same(find_merge_list(folder.path / "absent"), find_merge_list({})));
}

TEST_CASE("merges.txt and both forms of tokenizer.json give the same merges") {
  const MergeList builtin = find_merge_list({});
  std::string text = builtin_text();
  SECTION("merges.txt") {
    const Folder folder;
    folder.write("merges.txt", text);
    CHECK(find_merge_list(folder.path).file == folder.path / "merges.txt");
    CHECK(same(find_merge_list(folder.path), builtin));
  }
  SECTION("merges.txt without a version line, with Windows line ends") {
    const Folder folder;
    std::string windows;
    for (const char c : text.substr(text.find('\n') + 1)) {
      windows += c == '\n' ? "\r\n" : std::string(1, c);
    }
    folder.write("merges.txt", windows);
    CHECK(same(find_merge_list(folder.path), builtin));
  }
  SECTION("tokenizer.json, which comes before merges.txt") {
    const Folder folder;
    folder.write("merges.txt", "wrong");
    folder.write("tokenizer.json", tokenizer_json(GENERATE(false, true)).dump());
    CHECK(same(find_merge_list(folder.path), builtin));
  }
}

TEST_CASE("a broken merges.txt is refused with file and line") {
  const Folder folder;
  const std::string text = builtin_text();
  const std::string file = (folder.path / "merges.txt").string();
  SECTION("cut in the middle of a line") {
    folder.write("merges.txt", text.substr(0, text.find(' ', 5000)));
    const std::string message = load_error(folder);
    CHECK(contains(message, file + ":"));
    CHECK(contains(message, "two tokens"));
  }
  SECTION("cut at the end of a line") {
    folder.write("merges.txt", text.substr(0, text.find('\n', 5000) + 1));
    const std::string message = load_error(folder);
    CHECK(contains(message, file + ":"));
    CHECK(contains(message, "must hold 48894 merges"));
  }
  SECTION("empty") {
    folder.write("merges.txt", "");
    const std::string message = load_error(folder);
    CHECK(contains(message, file + ":1"));
    CHECK(contains(message, "but holds 0"));
  }
  SECTION("one line too many") {
    folder.write("merges.txt", text + "i n\n");
    const std::string message = load_error(folder);
    CHECK(contains(message, "but holds 48895"));
  }
  SECTION("not text") {
    folder.write("merges.txt", std::string(1000, '\0'));
    const std::string message = load_error(folder);
    CHECK(contains(message, file + " must be text, but line 1"));
    CHECK_FALSE(contains(message, std::string(1, '\0')));
  }
  SECTION("a merge of unknown tokens") {
    folder.write("merges.txt", "#version: 0.2\nxyz n" + text.substr(text.find("\nt h")));
    const std::string message = load_error(folder);
    CHECK(contains(message, file + ":2 "));
    CHECK(contains(message, "\"xyz\""));
  }
  SECTION("the same merge twice") {
    folder.write("merges.txt", "#version: 0.2\nt h" + text.substr(text.find("\nt h")));
    const std::string message = load_error(folder);
    CHECK(contains(message, file + ":3 "));
    CHECK(contains(message, "new token"));
  }
  SECTION("a folder") {
    fs::create_directory(folder.path / "merges.txt");
    const std::string message = load_error(folder);
    CHECK(contains(message, file));
    CHECK(contains(message, "folder"));
  }
}

TEST_CASE("a vocab.json must number CLIP's tokens as CLIP does, and may hold others") {
  const Folder folder;
  Json vocabulary = clips_vocabulary();
  vocabulary["<my-cat>"] = 49408;
  vocabulary.erase("<|endoftext|>"); // which may be an added token instead
  folder.write("vocab.json", vocabulary.dump());
  CHECK(load_error(folder) == "no error");
  vocabulary["a"] = 65;
  folder.write("vocab.json", vocabulary.dump());
  const std::string refusal =
      (folder.path / "vocab.json").string() + " must give \"a\" the id 64, as CLIP's does";
  CHECK(contains(load_error(folder), refusal));
  folder.write("merges.txt", builtin_text());
  CHECK(contains(load_error(folder), refusal));
  folder.write("tokenizer.json", tokenizer_json(true).dump()); // which transformers reads alone
  CHECK(load_error(folder) == "no error");
}

TEST_CASE("a broken tokenizer.json is refused with the place") {
  const Folder folder;
  const std::string file = (folder.path / "tokenizer.json").string();
  const auto error_of = [&](const std::string& content) {
    folder.write("tokenizer.json", content);
    return load_error(folder);
  };
  SECTION("cut short") {
    const std::string good = tokenizer_json(true).dump(1);
    const std::string message = error_of(good.substr(0, good.size() / 2));
    CHECK(contains(message, file));
    CHECK(contains(message, "line "));
    CHECK(contains(error_of(""), file));
  }
  SECTION("without merges") {
    for (const char* wrong :
         {"[]", "null", "{}", R"({"model": 3})", R"({"model": {"merges": {}}})"}) {
      CHECK(contains(error_of(wrong), file + " must hold a list model.merges"));
    }
  }
  SECTION("with something else for a merge") {
    Json document = tokenizer_json(true);
    for (const Json& wrong : {Json(3), Json("ab"), Json::array({"a"}), Json::array({"a", 1}),
                              Json("a b c"), Json::object()}) {
      document["model"]["merges"][7] = wrong;
      CHECK(contains(error_of(document.dump()), file + ": model.merges[7] must be two tokens"));
    }
  }
  SECTION("with another numbering") {
    Json document = tokenizer_json(true);
    for (const Json& wrong : {Json::object(), Json(3)}) {
      document["model"]["vocab"] = wrong;
      CHECK(contains(error_of(document.dump()), file + ": model.vocab must give \"!\" the id 0"));
    }
    for (const Json& wrong : {Json(513), Json("512")}) {
      document["model"]["vocab"] = clips_vocabulary();
      document["model"]["vocab"]["in"] = wrong;
      CHECK(
          contains(error_of(document.dump()), file + ": model.vocab must give \"in\" the id 512"));
    }
  }
  SECTION("with added tokens, which are the settings' matter") {
    Json document = tokenizer_json(true);
    document["added_tokens"] = {{{"content", "!"}}, {{"content", "<my-cat>"}}};
    CHECK(error_of(document.dump()) == "no error");
  }
}
