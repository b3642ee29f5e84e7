#include "catch.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <ios>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string file_of(std::uint64_t header_length, const std::string& rest) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>((header_length >> (8 * i)) & 0xff);
  }
  return bytes + rest;
}

std::string refusal(const std::filesystem::path& path) {
  try {
    const SafetensorsFile file(path);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("what the writer writes, the reader reads") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.safetensors";
  write_safetensors(
      path, {{"x", Dtype::kF32, {2, 2}}, {"empty", Dtype::kF16, {0}}, {"y", Dtype::kU8, {3}}},
      [](std::size_t index, std::span<std::byte> bytes) {
        std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(index + 1));
      },
      {{"format", "pt"}});
  const SafetensorsFile file(path);
  REQUIRE(file.tensors().size() == 3);
  CHECK(file.metadata().at("format") == "pt");
  CHECK(file.tensors().at("x").shape == std::vector<std::int64_t>{2, 2});
  CHECK(file.tensors().at("x").data.size() == 16);
  CHECK(file.tensors().at("x").data[15] == std::byte{1});
  CHECK(file.tensors().at("empty").data.empty());
  CHECK(file.tensors().at("y").dtype == Dtype::kU8);
  CHECK(file.tensors().at("y").data[0] == std::byte{3});
  CHECK(reinterpret_cast<std::uintptr_t>(file.tensors().at("x").data.data()) % 8 == 0);
  CHECK(std::filesystem::file_size(path) == 8 + file.header_text().size() + 19);
}

TEST_CASE("views stay valid when the file object moves") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.safetensors";
  write_safetensors(path, {{"x", Dtype::kU8, {1}}},
                    [](std::size_t, std::span<std::byte> bytes) { bytes[0] = std::byte{42}; });
  SafetensorsFile first(path);
  const TensorView view = first.tensors().at("x");
  const SafetensorsFile second = std::move(first);
  CHECK(view.data[0] == std::byte{42});
  CHECK(second.tensors().at("x").data.data() == view.data.data());
}

TEST_CASE("a file that is not there, a folder and a pipe are refused") {
  const test::ScratchFolder folder;
  CHECK_THAT(refusal(folder.path() / "none.safetensors"),
             ContainsSubstring("none.safetensors: No such file or directory"));
  CHECK_THAT(refusal(folder.path()), ContainsSubstring("it must be a file, but is a folder"));
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(refusal(folder.path() / "pipe"), ContainsSubstring("but is a device or a pipe"));
}

TEST_CASE("a truncated file is refused") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.safetensors";
  write_bytes(path, "");
  CHECK_THAT(refusal(path), ContainsSubstring("of at least 8 bytes, but has 0"));
  write_bytes(path, "1234567");
  CHECK_THAT(refusal(path), ContainsSubstring("of at least 8 bytes, but has 7"));
  write_bytes(path, file_of(3, "{}"));
  CHECK_THAT(refusal(path), ContainsSubstring("whole header of 3 bytes, but ends after 10 bytes"));
  write_safetensors(path, {{"x", Dtype::kF32, {4}}}, [](std::size_t, std::span<std::byte>) {});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  CHECK_THAT(refusal(path), ContainsSubstring("tensor \"x\"") &&
                                ContainsSubstring("the file's 15 bytes of data") &&
                                ContainsSubstring("incomplete"));
}

TEST_CASE("a header length beyond the format's limit is refused before it is read") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.safetensors";
  write_bytes(path, file_of(100'000'001, "{}"));
  CHECK_THAT(refusal(path), ContainsSubstring("at most 100000000 bytes, but says 100000001"));
  write_bytes(path, file_of(~0ULL, "{}"));
  CHECK_THAT(refusal(path), ContainsSubstring("but says 18446744073709551615"));
  write_bytes(path, file_of(2, "{}"));
  CHECK(refusal(path).empty());
}
