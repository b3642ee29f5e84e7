#include "catch.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "sdbench/core/error.h"
#include "sdbench/core/json_io.h"

using namespace sdbench;
namespace fs = std::filesystem;

namespace {

/// A file that is gone when the test is.
class ScratchFile {
public:
  explicit ScratchFile(const std::string& content)
      : path_(fs::temp_directory_path() /
              ("sdbench_json_" + std::to_string(::getpid()) + ".json")) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~ScratchFile() { fs::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

std::string refusal(const std::string& content) {
  const ScratchFile file(content);
  try {
    (void)read_json_file(file.path());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("JSON files are read, and what is not JSON is refused with its place") {
  const ScratchFile file(R"({"a": [1, 2.5, "x"]})");
  CHECK(read_json_file(file.path())["a"][1] == 2.5);
  CHECK(refusal("{\n  \"a\": }").find("line 2") != std::string::npos);
  CHECK(refusal("").find("must be JSON") != std::string::npos);
  CHECK(refusal("{\"a\": 1e999}").find("must be JSON") != std::string::npos);
}

TEST_CASE("nesting that could overflow the stack is refused") {
  CHECK(refusal(std::string(64, '[') + std::string(64, ']')).empty());
  CHECK(refusal(std::string(100'000, '[')).find("levels deep") != std::string::npos);
}

TEST_CASE("a reason stays short, whatever the file holds") {
  CHECK(refusal("\"" + std::string(1'000'000, 'x')).size() < 500);
}
