#include "catch.h"

#include <chrono>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

using namespace sdbench;

namespace {

using Ids = std::vector<std::int64_t>;

/// SD1.5's tokenizer and SDXL's first: padded with the end token.
const ClipTokenizer& first_encoder() {
  static const ClipTokenizer tokenizer{TokenizerConfig{}};
  return tokenizer;
}

/// SDXL's second (and SD2.1's): padded with "!", a special token there.
const ClipTokenizer& second_encoder() {
  static const ClipTokenizer tokenizer{[] {
    TokenizerConfig config;
    config.pad_token_id = 0;
    return config;
  }()};
  return tokenizer;
}

ClipTokenizer tokenizer_with_normalized_specials() {
  TokenizerConfig config;
  config.bos_normalized = true;
  config.eos_normalized = true;
  config.pad_normalized = true;
  return ClipTokenizer(config);
}

/// A token of three vectors and one that is its start, in a text encoder with more rows.
ClipTokenizer tokenizer_with_added_tokens() {
  TokenizerConfig config;
  config.added_tokens = {{"<cat", 49411, false},
                         {"<Cat-Toy>", 49408, true},
                         {"<Cat-Toy>_1", 49409, true},
                         {"<Cat-Toy>_2", 49410, true}};
  return ClipTokenizer(config);
}

struct Golden {
  std::string text;
  Ids first;
  Ids second;

  Golden(std::string text_in, Ids both) : text(std::move(text_in)), first(both), second(both) {}
  Golden(std::string text_in, Ids first_in, Ids second_in)
      : text(std::move(text_in)), first(std::move(first_in)), second(std::move(second_in)) {}
};

} // namespace

// Expected values: transformers 5.23, CLIPTokenizer (also compared live in
// tests/parity/test_tokenizer.py).
TEST_CASE("the tokenizer gives the reference's ids for both of SDXL's encoders") {
  const std::vector<Golden> goldens{
      {"", {}},
      {" \t\n", {}},
      {"a photo of a cat", {320, 1125, 539, 320, 2368}},
      {"hello world!", {3306, 1002, 256}, {3306, 1002, 0}},
      {"! !! !!!", {256, 748, 995}, {0, 0, 0, 0, 0, 0}},
      {"You should've done this, don't they're",
       {592, 1535, 1200, 1700, 589, 267, 847, 713, 889, 982}},
      {"résumé café", {29106, 7054, 4166, 15304}},
      {"2023 10000 3.14", {273, 271, 273, 274, 272, 271, 271, 271, 271, 274, 269, 272, 275}},
      {"masterpiece,best quality,(1girl:1.3)",
       {12066, 267, 949, 3027, 11, 263, 272, 1611, 281, 272, 269, 274, 264}},
      {"foo_bar-baz/qux", {23435, 318, 2411, 268, 25268, 270, 666, 343}},
      {"supercalifragilisticexpialidocious",
       {1642, 2857, 13093, 2076, 5868, 26850, 835, 639, 38466}},
      {"<|endoftext|> x <|ENDOFTEXT|>y", {49407, 343, 27, 347, 40786, 4160, 91, 285, 344}},
      {"!!<|endoftext|>", {748, 49407}, {0, 0, 49407}},
      {"<|ENDOFTEXT|>!!",
       {27, 347, 40786, 4160, 91, 285, 748},
       {27, 347, 40786, 4160, 91, 285, 0, 0}},
      {"!!<|ENDOFTEXT|>",
       {1443, 27, 347, 40786, 4160, 91, 285},
       {0, 0, 27, 347, 40786, 4160, 91, 285}},
      {"'s 'S ''ll", {568, 568, 8445, 865}},
      {"😀 smile😀😀", {7334, 3490, 34503}},
      {"don’t “quote”", {847, 728, 503, 339, 728, 506, 4020, 728, 507}},
      {"猫猫 and 犬", {163, 234, 104, 163, 234, 360, 537, 163, 232, 361}},
      {"ﬁne ＡＢＣ", {171, 105, 223, 1422, 171, 121, 223, 171, 121, 224, 171, 121, 481}},
  };
  for (const Golden& golden : goldens) {
    INFO(golden.text);
    CHECK(first_encoder().encode(golden.text) == golden.first);
    CHECK(second_encoder().encode(golden.text) == golden.second);
  }
}

TEST_CASE("a special token with normalized set is found in any case") {
  const ClipTokenizer tokenizer = tokenizer_with_normalized_specials();
  CHECK(tokenizer.encode("<|endoftext|> x <|ENDOFTEXT|>y") == Ids{49407, 343, 49407, 344});
  CHECK(tokenizer.encode("!!<|StartOfText|>") == Ids{748, 49406});
}

TEST_CASE("where pad and end are one token, the pad's flag counts") {
  TokenizerConfig config; // as in SD1.5's folder: the pad is given as plain text there
  config.bos_normalized = true;
  config.eos_normalized = true;
  const ClipTokenizer tokenizer(config);
  CHECK(tokenizer.encode("<|ENDOFTEXT|>") == Ids{27, 347, 40786, 4160, 91, 285});
  CHECK(tokenizer.encode("<|STARTOFTEXT|>") == Ids{49406});
}

TEST_CASE("an added token is cut out whole, the longest that fits") {
  const ClipTokenizer tokenizer = tokenizer_with_added_tokens();
  CHECK(tokenizer.encode("a <CAT-toy>") == Ids{320, 49408});
  CHECK(tokenizer.encode("<cat-toy>_2") == Ids{49411, 268, 5988, 29, 318, 273});
  CHECK(tokenizer.encode("<Cat-Toy>_2a") == Ids{49410, 320});
}

TEST_CASE(
    "a token has all its vectors in its own letters alone, and only where none has a number") {
  const ClipTokenizer tokenizer = tokenizer_with_added_tokens();
  CHECK(tokenizer.encode("a <Cat-Toy>") == Ids{320, 49408, 49409, 49410});
  CHECK(tokenizer.encode("<Cat-Toy><CAT-toy>") == Ids{49408, 49409, 49410, 49408});
  // diffusers replaces the name within a longer one, too.
  CHECK(tokenizer.encode("<Cat-Toy> <Cat-Toy>_2") ==
        Ids{49408, 49409, 49410, 49408, 49409, 49410, 318, 273});
  CHECK(tokenizer.encode("<Cat-Toy>_1") == Ids{49409});
}

TEST_CASE("padded ids begin and end with the special tokens and are filled up with the pad") {
  Ids expected(77, 49407);
  expected[0] = 49406;
  CHECK(first_encoder().encode_padded("") == expected);
  expected[1] = 2368;
  CHECK(first_encoder().encode_padded("cat") == expected);

  Ids zero_padded(77, 0);
  zero_padded[0] = 49406;
  zero_padded[1] = 2368;
  zero_padded[2] = 49407;
  CHECK(second_encoder().encode_padded("cat") == zero_padded);
}

TEST_CASE("a prompt that is too long is cut and still ends with the end token") {
  const auto cats = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "cat ";
    }
    return text;
  };
  Ids expected(77, 2368);
  expected.front() = 49406;
  expected.back() = 49407;
  CHECK(first_encoder().encode_padded(cats(75)) == expected);
  CHECK(first_encoder().encode_padded(cats(76)) == expected);
  CHECK(first_encoder().encode_padded(cats(10'000)) == expected);
  CHECK(first_encoder().encode_padded(cats(74)) != expected);
}

TEST_CASE("broken UTF-8 counts as U+FFFD") {
  CHECK(first_encoder().encode("a\xFFz") == first_encoder().encode("a\uFFFDz"));
  CHECK(first_encoder().encode("\xE2\x82") == first_encoder().encode("\uFFFD"));
}

// A sanitizer takes ten times as long.
TEST_CASE("a megabyte without a space takes seconds at most", "[not_sanitized]") {
  const std::size_t size = 1 << 20;
  std::string marks; // combining marks in the worst order for canonical reordering
  for (std::size_t i = 0; i < size / 2; ++i) {
    marks += i < size / 4 ? "\u0301" : "\u0316";
  }
  std::string syllables;
  while (syllables.size() < size) {
    syllables += "thequickbrownfox";
  }
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string& text :
       {std::string(size, 'a'), std::string(size, '!'), std::string(size, '<'), marks, syllables}) {
    CHECK(!first_encoder().encode(text).empty());
  }
  // About 1 s in a release build on one core; quadratic time would take hours.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("a tokenizer with a pad token or length that CLIP does not have is refused") {
  TokenizerConfig config;
  config.pad_token_id = 1;
  CHECK_THROWS_AS(ClipTokenizer(config), Error);
  config = {};
  config.max_length = 1;
  CHECK_THROWS_AS(ClipTokenizer(config), Error);
}
