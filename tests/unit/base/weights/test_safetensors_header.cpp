#include "catch.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_header.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

SafetensorsHeader parse(const std::string& header, std::size_t data_size) {
  static const std::array<std::byte, 64> data{};
  return parse_safetensors_header(header, std::span(data).first(data_size), "file.safetensors");
}

/// The message of the refusal; empty if the header was accepted.
std::string refusal(const std::string& header, std::size_t data_size) {
  try {
    static_cast<void>(parse(header, data_size));
    return "";
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::kEnvironment);
    return error.what();
  }
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

} // namespace

TEST_CASE("a header gives every tensor its dtype, shape and bytes") {
  const SafetensorsHeader header =
      parse("{\"__metadata__\":{\"format\":\"pt\"}," + entry("b", "F16", "[2]", "[24,28]") + "," +
                entry("a", "F32", "[2,3]", "[0,24]") + "}   ",
            28);
  REQUIRE(header.tensors.size() == 2);
  const TensorView& a = header.tensors.at("a");
  const TensorView& b = header.tensors.at("b");
  CHECK(a.dtype == Dtype::kF32);
  CHECK(a.shape == std::vector<std::int64_t>{2, 3});
  CHECK(a.data.size() == 24);
  CHECK_FALSE(a.transposed);
  CHECK(b.dtype == Dtype::kF16);
  CHECK(b.data.data() == a.data.data() + 24);
  CHECK(header.metadata.at("format") == "pt");
}

TEST_CASE("a scalar, an empty tensor and a header without tensors are valid") {
  const SafetensorsHeader header = parse("{" + entry("scalar", "I64", "[]", "[0,8]") + "," +
                                             entry("empty", "F32", "[0,7]", "[8,8]") + "," +
                                             entry("more", "U8", "[1]", "[8,9]") + "}",
                                         9);
  CHECK(header.tensors.at("scalar").shape.empty());
  CHECK(header.tensors.at("scalar").data.size() == 8);
  CHECK(header.tensors.at("empty").data.empty());
  CHECK(parse("{}", 0).tensors.empty());
}

TEST_CASE("a header that is no JSON object is refused") {
  CHECK_THAT(refusal("", 0), ContainsSubstring("file.safetensors must have a JSON header"));
  CHECK_THAT(refusal("{\"a\":", 0), ContainsSubstring("breaks off at byte"));
  CHECK_THAT(refusal("{} {}", 0), ContainsSubstring("breaks off at byte"));
  CHECK_THAT(refusal("[]", 0), ContainsSubstring("but has a list"));
  CHECK_THAT(refusal("7", 0), ContainsSubstring("but has a number"));
  CHECK_THAT(refusal("null", 0), ContainsSubstring("but has null"));
  CHECK_THAT(refusal("{\"\xff\":{}}", 0), ContainsSubstring("breaks off at byte"));
}

TEST_CASE("a damaged tensor entry is refused by the tensor's name") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"a":7})", "must be an object with dtype, shape and data_offsets, but is a number"},
      {R"({"a":[]})", "but is a list"},
      {R"({"a":{}})", "but lacks dtype"},
      {R"({"a":{"dtype":"F32","shape":[]}})", "but lacks data_offsets"},
      {R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", "but lacks shape"},
      {R"({"a":{"dtype":5}})", R"(must have a string in "dtype", but has a number)"},
      {R"({"a":{"dtype":[]}})", R"(must have a string in "dtype", but has a list)"},
      {R"({"a":{"shape":"x"}})", R"(must have a list of non-negative whole numbers in "shape")"},
      {R"({"a":{"shape":[[1]]}})", "but has a list"},
      {R"({"a":{"shape":[{}]}})", "but has an object"},
      {R"({"a":{"shape":[-1]}})", "but has the number -1"},
      {R"({"a":{"shape":[1.5]}})", "but has the number 1.5"},
      {R"({"a":{"shape":[99999999999999999999]}})", "but has the number 99999999999999999999"},
      {R"({"a":{"shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}})", "at most 16 numbers in shape"},
      {R"({"a":{"strides":[1]}})", R"(but has "strides")"},
      {R"({"a":{"dtype":"F32","dtype":"F32"}})", R"(but repeats "dtype")"},
      {R"({"a":{"shape":[],"shape":[]}})", R"(but repeats "shape")"},
  };
  for (const auto& [header, complaint] : cases) {
    CAPTURE(header);
    CHECK_THAT(refusal(header, 4),
               ContainsSubstring("tensor \"a\"") && ContainsSubstring(complaint));
  }
}

TEST_CASE("a tensor of a dtype that is not read is there all the same, and fp8 is read") {
  const std::vector<std::byte> data(4);
  for (const char* dtype : {"U16", "U64", "C64", "F4", "F6_E2M3", "of next year"}) {
    const SafetensorsHeader header =
        parse_safetensors_header("{" + entry("a", dtype, "[1]", "[0,4]") + "}", data, "file");
    CHECK(header.tensors.at("a").dtype == Dtype::kOther);
    CHECK(header.tensors.at("a").data.size() == 4);
  }
  const SafetensorsHeader fp8 =
      parse_safetensors_header("{" + entry("a", "F8_E4M3", "[4]", "[0,4]") + "}", data, "file");
  CHECK(fp8.tensors.at("a").dtype == Dtype::kF8E4M3);
  CHECK_THAT(refusal("{" + entry("a", "U16", "[4]", "[0,8]") + "}", 4),
             ContainsSubstring("within the file's 4 bytes"));
}

TEST_CASE("bytes behind the last tensor are refused, as the safetensors library refuses them") {
  CHECK(refusal("{" + entry("a", "F32", "[1]", "[0,4]") + "}", 12) ==
        "file.safetensors must end with its last tensor, after 4 bytes of data, but has 8 more; "
        "download the file again, or save it again");
}

TEST_CASE("metadata may be null, and nothing else may") {
  CHECK(parse_safetensors_header(R"({"__metadata__":null})", {}, "file").metadata.empty());
  CHECK_THAT(refusal(R"({"__metadata__":{"a":null}})", 0), ContainsSubstring("but has null"));
  CHECK_THAT(refusal(R"({"a":null})", 0), ContainsSubstring("but is null"));
}

TEST_CASE("offsets that do not fit the file or the shape are refused") {
  const auto refused = [](const std::string& shape, const std::string& offsets) {
    return refusal("{" + entry("a", "F32", shape, offsets) + "}", 8);
  };
  CHECK_THAT(refused("[3]", "[0,12]"), ContainsSubstring("within the file's 8 bytes of data"));
  CHECK_THAT(refused("[2]", "[8,0]"), ContainsSubstring("but has [8,0]"));
  CHECK_THAT(refused("[2]", "[0]"), ContainsSubstring("but has [0]"));
  CHECK_THAT(refused("[2]", "[0,8,8]"), ContainsSubstring("but has [0,8,8]"));
  CHECK_THAT(refused("[1]", "[0,8]"),
             ContainsSubstring("F32 [1] needs (4)") && ContainsSubstring("span 8"));
  CHECK_THAT(refused("[4294967296,4294967296]", "[0,8]"),
             ContainsSubstring("more than a file can hold"));
  CHECK_THAT(refused("[18446744073709551615]", "[0,8]"),
             ContainsSubstring("more than a file can hold"));
  // An extent of 0 must not hide an extent that does not fit.
  CHECK_THAT(refused("[0,18446744073709551615]", "[0,0]"),
             ContainsSubstring("more than a file can hold"));
}

TEST_CASE("ranges that overlap or leave holes are refused") {
  const std::string first = entry("a", "F32", "[2]", "[0,8]");
  CHECK_THAT(refusal("{" + first + "," + entry("b", "F32", "[2]", "[4,12]") + "}", 12),
             ContainsSubstring("tensor \"b\" must begin at byte 8") &&
                 ContainsSubstring("(overlap)"));
  CHECK_THAT(refusal("{" + first + "," + entry("b", "F32", "[1]", "[12,16]") + "}", 16),
             ContainsSubstring("begins at 12 (hole)"));
  CHECK_THAT(refusal("{" + entry("a", "F32", "[1]", "[4,8]") + "}", 8),
             ContainsSubstring("(hole)"));
  CHECK_THAT(refusal("{" + first + "}", 12),
             ContainsSubstring("after 8 bytes of data, but has 4 more"));
  CHECK_THAT(refusal("{" + entry("empty", "F32", "[0]", "[4,4]") + "," + first + "}", 8),
             ContainsSubstring("(hole)") || ContainsSubstring("(overlap)"));
}

TEST_CASE("a tensor that comes twice is refused") {
  const std::string a = entry("a", "F32", "[0]", "[0,0]");
  CHECK_THAT(refusal("{" + a + "," + a + "}", 0), ContainsSubstring("must be in the header once"));
}

TEST_CASE("metadata must be strings, each key once") {
  CHECK_THAT(refusal(R"({"__metadata__":{"a":1}})", 0),
             ContainsSubstring("header's __metadata__ must have a string in \"a\""));
  CHECK_THAT(refusal(R"({"__metadata__":{"a":{}}})", 0), ContainsSubstring("but has an object"));
  CHECK_THAT(refusal(R"({"__metadata__":{"a":"b","a":"c"}})", 0),
             ContainsSubstring("repeats \"a\""));
  CHECK_THAT(refusal(R"({"__metadata__":{},"__metadata__":{}})", 0), ContainsSubstring("repeats"));
  CHECK_THAT(refusal(R"({"__metadata__":[]})", 0),
             ContainsSubstring("must be an object of strings"));
}

TEST_CASE("a header nested a million deep is refused, not followed") {
  const std::string deep(1'000'000, '[');
  CHECK_THAT(refusal(R"({"a":)" + deep, 0), ContainsSubstring("but is a list"));
  CHECK_THAT(refusal(R"({"a":{"shape":)" + deep, 0), ContainsSubstring("but has a list"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) {
    objects += "{\"dtype\":";
  }
  CHECK_THAT(refusal(objects, 0), ContainsSubstring("but has an object"));
}

TEST_CASE("a message stays one short line whatever the file holds") {
  const std::string name = "a\\n\\u0000\\u001b[31m" + std::string(100'000, 'x');
  const std::string message = refusal("{\"" + name + "\":7}", 0);
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.size() < 500);
}
