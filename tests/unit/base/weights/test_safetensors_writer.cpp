#include "catch.h"

#include <fstream>
#include <iterator>

#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/safetensors_writer.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

void fill_nothing(std::size_t, std::span<std::byte>) {}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

} // namespace

TEST_CASE("a write that fails half-way leaves the old file and nothing else") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.safetensors";
  std::ofstream(path) << "old";
  const auto fail_at_second = [](std::size_t index, std::span<std::byte>) {
    if (index == 1) {
      throw Error("no more");
    }
  };
  CHECK_THROWS_WITH(
      write_safetensors(path, {{"x", Dtype::kU8, {1}}, {"y", Dtype::kU8, {1}}}, fail_at_second),
      "no more");
  CHECK(files_in(folder.path()) == 1);
  std::string content;
  std::ifstream(path) >> content;
  CHECK(content == "old");
}

TEST_CASE("declarations that no file can hold are refused and write nothing") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.safetensors";
  CHECK_THROWS_WITH(write_safetensors(path, {{"x", Dtype::kF32, {2, -1}}}, fill_nothing),
                    ContainsSubstring("shape of tensor \"x\"") && ContainsSubstring("[2,-1]"));
  CHECK_THROWS_WITH(
      write_safetensors(path, {{"x", Dtype::kF32, {1LL << 40, 1LL << 40}}}, fill_nothing),
      ContainsSubstring("shape of tensor \"x\""));
  CHECK_THROWS_WITH(
      write_safetensors(path, {{"x", Dtype::kU8, {}}, {"x", Dtype::kU8, {}}}, fill_nothing),
      ContainsSubstring("\"x\" comes twice"));
  CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a folder that cannot be written to is named with the reason") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH(write_safetensors(folder.path() / "none" / "a.safetensors", {}, fill_nothing),
                    ContainsSubstring("cannot write") &&
                        ContainsSubstring("none is not there; make it first"));
}
