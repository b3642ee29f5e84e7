#include "sdbench/config/run_options.h"

#include <set>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/core/error.h"

using namespace sdbench;

namespace {

/// Options after `values` came from the command line.
RunOptions from_command_line(const Json& values) {
  RunOptions options;
  apply_options(options, values, "--");
  return options;
}

} // namespace

TEST_CASE("option names and letters are unique, and every option is explained") {
  std::set<std::string_view> names;
  std::set<char> letters;
  for (const RunOption& option : run_options()) {
    INFO(option.name);
    CHECK(names.insert(option.name).second);
    CHECK((option.letter == 0 || letters.insert(option.letter).second));
    CHECK_FALSE(option.help.empty());
    CHECK_FALSE(option.group.empty());
    CHECK((option.kind == OptionKind::kFlag) == option.value_name.empty());
  }
}

TEST_CASE("every option reaches its place") {
  const RunOptions options = from_command_line({{"model", "sdxl"},
                                                {"weights", "w"},
                                                {"steps", 7},
                                                {"size", "64x128"},
                                                {"batch", 2},
                                                {"images", 4},
                                                {"prompt", {"a", "b"}},
                                                {"negative-prompt", ""},
                                                {"guidance", 2},
                                                {"seed", 18446744073709551615U},
                                                {"timestep-spacing", "trailing"},
                                                {"karras", true},
                                                {"init-latents", "i"},
                                                {"device", "cuda:1"},
                                                {"dtype", "bf16"},
                                                {"attention", "flash"},
                                                {"threads", 3},
                                                {"memory-format", "channels-last"},
                                                {"tf32", "on"},
                                                {"cudnn-benchmark", "on"},
                                                {"offload", "stages"},
                                                {"vae-tiling", true},
                                                {"repeat", 5},
                                                {"warmup", 0},
                                                {"timeout", 1.5},
                                                {"output", {"a.csv"}},
                                                {"no-save", true},
                                                {"format", "md"},
                                                {"label", "l"},
                                                {"note", "n"},
                                                {"save-images", "s"},
                                                {"dump-latents", "d"}});
  const RunConfig& cell = options.cell;
  CHECK(options.model_given);
  CHECK(cell.model == "sdxl");
  CHECK(cell.weights == "w");
  CHECK(cell.steps == 7);
  CHECK(cell.width == 64);
  CHECK(cell.height == 128);
  CHECK(cell.batch == 2);
  CHECK(cell.images == 4);
  CHECK(cell.prompts == std::vector<std::string>{"a", "b"});
  CHECK(cell.negative_prompt == "");
  CHECK(cell.guidance == 2.0);
  CHECK(cell.seed == 18446744073709551615U);
  CHECK(cell.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(cell.karras == true);
  CHECK(cell.init_latents == "i");
  CHECK(cell.device == "cuda:1");
  CHECK(cell.dtype == "bf16");
  CHECK(cell.attention == "flash");
  CHECK(cell.threads == 3);
  CHECK(cell.memory_format == "channels-last");
  CHECK(cell.tf32);
  CHECK(cell.cudnn_benchmark);
  CHECK(cell.offload == "stages");
  CHECK(cell.vae_tiling);
  CHECK(cell.repeat == 5);
  CHECK(cell.warmup == 0);
  CHECK(options.timeout_s == 1.5);
  CHECK(options.outputs == std::vector<std::filesystem::path>{"a.csv"});
  CHECK(options.no_save);
  CHECK(options.format == "md");
  CHECK(options.label == "l");
  CHECK(options.note == "n");
  CHECK(cell.save_images == "s");
  CHECK(cell.dump_latents == "d");
}

TEST_CASE("texts of the command line become values of the option's kind, or are refused") {
  const auto parse = [](const char* name, const std::string& text) {
    return parse_option_value(*find_run_option(name), {text});
  };
  CHECK(parse("steps", "20") == 20);
  CHECK(parse("guidance", "-1.5") == -1.5);
  CHECK(parse("prompt", "[a, b] {}") == Json::array({"[a, b] {}"}));
  CHECK_THROWS_WITH(parse("steps", "2.5"), "--steps must be a whole number, but is \"2.5\"");
  CHECK_THROWS_WITH(parse("steps", ""), "--steps must be a whole number, but is \"\"");
  CHECK_THROWS_AS(parse("seed", "-1"), UsageError);
  CHECK_THROWS_AS(parse("steps", "99999999999999999999"), UsageError);
  CHECK_THROWS_WITH(parse_option_value(*find_run_option("steps"), {"1", "2"}),
                    "--steps must be given once, but is given 2 times");
}

TEST_CASE("a later source wins, and lists are replaced whole") {
  RunOptions options;
  apply_options(options, {{"width", 64}, {"steps", 5}, {"prompt", {"a", "b"}}}, "FILE: ");
  apply_options(options, {{"size", "128x256"}, {"prompt", {"c"}}}, "--");
  CHECK(options.cell.width == 128);
  CHECK(options.cell.height == 256);
  CHECK(options.cell.steps == 5);
  CHECK(options.cell.prompts == std::vector<std::string>{"c"});
}

TEST_CASE("size beside width or height in one source is refused") {
  CHECK_THROWS_WITH(from_command_line({{"size", "64x64"}, {"width", 64}}),
                    "--size must stand alone, but is given beside --width; leave one of them out");
}

TEST_CASE("a switch is on or off, and nothing else") {
  CHECK_FALSE(from_command_line({{"tf32", "off"}}).cell.tf32);
  CHECK_THROWS_WITH(from_command_line({{"tf32", "yes"}}),
                    "--tf32 must be on or off, but is \"yes\"");
  CHECK_THROWS_AS(from_command_line({{"cudnn-benchmark", ""}}), UsageError);
}

TEST_CASE("a size that is not WxH is refused") {
  for (const char* size : {"512", "512x", "x512", "512x512x3", "512 x 512", "axb", ""}) {
    INFO(size);
    CHECK_THROWS_AS(from_command_line({{"size", size}}), UsageError);
  }
}

TEST_CASE("a config file takes the same names, with the place in its errors") {
  const test::ScratchFolder folder;
  RunOptions options;
  apply_config_file(options,
                    folder.write("good.json", R"({"model": "sdxl", "steps": 9, "prompt": "one"})"));
  CHECK(options.cell.model == "sdxl");
  CHECK(options.cell.steps == 9);
  CHECK(options.cell.prompts == std::vector<std::string>{"one"});

  const auto refused = [&](const char* content, const char* message) {
    const auto file = folder.write("bad.json", content);
    CHECK_THROWS_WITH(apply_config_file(options, file), file.string() + message);
    CHECK_THROWS_AS(apply_config_file(options, file), UsageError);
  };
  refused(R"({"stepz": 9})", ": stepz is not an option; did you mean steps?");
  refused(R"({"steps": "9"})", ": steps must be a whole number, but is \"9\"");
  refused(R"({"steps": 1.5})", ": steps must be a whole number, but is 1.5");
  refused(R"({"steps": 18446744073709551615})",
          ": steps must be a whole number, but is 18446744073709551615");
  refused(R"({"seed": -1})",
          ": seed must be a whole number from 0 to 18446744073709551615, but is -1");
  refused(R"({"prompt": [1]})", ": prompt must be a text or a list of texts, but is a list");
  refused(R"({"no-save": 1})", ": no-save must be true or false, but is 1");
  refused(R"({"size": "9"})",
          ": size must be WIDTHxHEIGHT in pixels, such as 512x768, but is \"9\"");
  refused("[]",
          " must hold one JSON object of option names and values, but holds a value of type array");
  CHECK_THROWS_AS(apply_config_file(options, folder.path() / "missing.json"), Error);
  CHECK_THROWS_AS(apply_config_file(options, folder.write("broken.json", "{")), Error);
}

TEST_CASE("@FILE gives one prompt a line") {
  const test::ScratchFolder folder;
  const auto file = folder.write("prompts.txt", "first\r\n\n  second one \n \nthird");
  const RunOptions options = from_command_line({{"prompt", {"zero", "@" + file.string()}}});
  CHECK(options.cell.prompts ==
        std::vector<std::string>{"zero", "first", "  second one ", "third"});
  const auto empty = folder.write("empty.txt", "\n\n");
  CHECK_THROWS_WITH(from_command_line({{"prompt", {"@" + empty.string()}}}),
                    "--prompt @FILE must hold one prompt a line, but " + empty.string() +
                        " is empty");
  CHECK_THROWS_AS(from_command_line({{"prompt", {"@/nowhere/at/all"}}}), Error);
}
