#include "sdbench/base/config/run_options.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

/// Options after `values` came from the command line.
RunOptions from_command_line(const Json& values) {
  check_options(values, "--");
  RunOptions options;
  apply_options(options, values);
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

TEST_CASE("each axis of the engine is an option of its name, and reaches its place alone") {
  for (const EngineAxis& changed : engine_axes()) {
    INFO(changed.name);
    const RunOptions options =
        from_command_line({{option_name(changed), changed.is_flag ? Json(true) : Json("other")}});
    const EngineAxes usual;
    const EngineAxes& axes = options.cell;
    for (const EngineAxis& axis : engine_axes()) {
      INFO(axis.name);
      CHECK(axes.*axis.asked == (axis.name != changed.name ? usual.*axis.asked
                                 : axis.is_flag            ? "on"
                                                           : "other"));
    }
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
                                                {"clip-skip", 3},
                                                {"seed", 18446744073709551615U},
                                                {"scheduler", "euler"},
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
                                                {"max-noise", "0.5%"},
                                                {"max-time", 90},
                                                {"timeout", 1.5},
                                                {"rounds", 2},
                                                {"restarts", 3},
                                                {"cooldown", 0.5},
                                                {"keep-going", true},
                                                {"resume", true},
                                                {"retry-failed", true},
                                                {"dry-run", true},
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
  CHECK(cell.clip_skip == 3);
  CHECK(cell.seed == 18446744073709551615U);
  CHECK(cell.scheduler == "euler");
  CHECK(cell.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(cell.karras == true);
  CHECK(cell.init_latents == "i");
  CHECK(cell.device == "cuda:1");
  CHECK(cell.dtype == "bf16");
  CHECK(cell.attention == "flash");
  CHECK(cell.threads == 3);
  CHECK(cell.memory_format == "channels-last");
  CHECK(cell.tf32 == "on");
  CHECK(cell.cudnn_benchmark == "on");
  CHECK(cell.offload == "stages");
  CHECK(cell.vae_tiling == "on");
  CHECK(cell.repeat == 5);
  CHECK(cell.warmup == 0);
  CHECK(cell.max_noise == 0.005);
  CHECK(cell.max_time_s == 90);
  CHECK(options.timeout_s == 1.5);
  CHECK(options.rounds == 2);
  CHECK(options.restarts == 3);
  CHECK(options.cooldown_s == 0.5);
  CHECK(options.keep_going);
  CHECK(options.resume);
  CHECK(options.retry_failed);
  CHECK(options.dry_run);
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
  for (const char* number : {"nan", "inf", "-inf"}) {
    CHECK_THROWS_WITH(parse("timeout", number),
                      std::string("--timeout must be a number, but is \"") + number + "\"");
    CHECK_THROWS_AS(parse("guidance", number), UsageError);
  }
  CHECK_THROWS_AS(parse("steps", "99999999999999999999"), UsageError);
  CHECK_THROWS_WITH(parse_option_value(*find_run_option("label"), {"1", "2"}),
                    "--label must be given once, but is given 2 times");
}

TEST_CASE(
    "values separated by commas or by repetition are a list, for numbers, sizes and choices") {
  const auto parse = [](const char* name, const std::vector<std::string>& texts) {
    return parse_option_value(*find_run_option(name), texts);
  };
  CHECK(parse("batch", {"1,2,4"}) == Json({1, 2, 4}));
  CHECK(parse("batch", {"1,2", "4"}) == Json({1, 2, 4}));
  CHECK(parse("size", {"512x512,768x768"}) == Json({"512x512", "768x768"}));
  CHECK(parse("model", {"sd15,sdxl"}) == Json({"sd15", "sdxl"}));
  CHECK(parse("guidance", {"1,7.5"}) == Json({1.0, 7.5}));
  CHECK(parse("batch", {"1"}) == 1);
  CHECK_THROWS_WITH(parse("batch", {"1,x"}),
                    "--batch must be a whole number or auto, but is \"x\"");
  CHECK_THROWS_WITH(parse("batch", {"1,"}), "--batch must be a whole number or auto, but is \"\"");
  for (const char* name : {"weights", "label", "note", "negative-prompt", "save-images"}) {
    INFO(name);
    CHECK(parse(name, {"a,b"}) == "a,b");
  }
  CHECK(parse("prompt", {"a, b", "c"}) == Json({"a, b", "c"}));
}

TEST_CASE("a model whose path has a comma is one model") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("one,two.json", "{}").string();
  CHECK(parse_option_value(*find_run_option("model"), {path}) == path);
}

TEST_CASE("every value of a list is checked, and none may stand there twice") {
  CHECK_THROWS_WITH(from_command_line({{"size", {"64x64", "9"}}}),
                    "--size must be WIDTHxHEIGHT in pixels, such as 512x768, but is \"9\"");
  CHECK_THROWS_WITH(from_command_line({{"batch", {1, 2, 1}}}),
                    "--batch must name each value once, but names 1 twice; --rounds repeats cells");
  CHECK_THROWS_WITH(from_command_line({{"batch", Json::array()}}),
                    "--batch must have a value, but is an empty list");
  CHECK_THROWS_WITH(from_command_line({{"timeout", {1, 2}}}),
                    "--timeout must be a number, but is a list");
}

TEST_CASE("rounds, restarts and cooldown stay in bounds") {
  for (const char* name : {"rounds", "restarts"}) {
    CHECK_THROWS_AS(from_command_line({{name, 0}}), UsageError);
    CHECK_THROWS_AS(from_command_line({{name, 100001}}), UsageError);
  }
  CHECK_THROWS_AS(from_command_line({{"cooldown", -1}}), UsageError);
}

TEST_CASE("size beside width or height in one source is refused") {
  CHECK_THROWS_WITH(
      from_command_line({{"size", "64x64"}, {"width", 64}}),
      "--size must be given without --width, but is given with it; leave one of them out");
}

TEST_CASE("a size that is not WxH is refused") {
  for (const char* size : {"512", "512x", "x512", "512x512x3", "512 x 512", "axb", ""}) {
    INFO(size);
    CHECK_THROWS_AS(from_command_line({{"size", size}}), UsageError);
  }
}

TEST_CASE("warm-up is a number, or auto again over a file's number") {
  RunOptions options;
  CHECK_FALSE(options.cell.warmup);
  apply_options(options, {{"warmup", 2}});
  CHECK(options.cell.warmup == 2);
  apply_options(options, {{"warmup", "auto"}});
  CHECK_FALSE(options.cell.warmup);
  const RunOption& warmup = *find_run_option("warmup");
  CHECK(parse_option_value(warmup, {"auto"}) == "auto");
  CHECK(parse_option_value(warmup, {"3"}) == 3);
  CHECK_THROWS_WITH(parse_option_value(warmup, {"some"}),
                    "--warmup must be a whole number or auto, but is \"some\"");
  CHECK_THROWS_AS(from_command_line({{"warmup", 1.5}}), UsageError);
  CHECK_THROWS_AS(from_command_line({{"warmup", "2"}}), UsageError);
}

TEST_CASE("a bound of noise needs its percent sign, so that 0.5 cannot mean a half") {
  for (const char* text : {"0.005", "0.5", "%", "0%", "-1%", "101%", "nan%", "inf%", "1 %", ""}) {
    INFO(text);
    CHECK_THROWS_WITH(from_command_line({{"max-noise", text}}),
                      "--max-noise must be a percentage above 0% and at most 100%, such as 0.5%, "
                      "but is \"" +
                          std::string(text) + "\"");
  }
  CHECK(from_command_line({{"max-noise", "100%"}}).cell.max_noise == 1);
}

TEST_CASE("the longest time of a cell must be above zero") {
  for (const double seconds : {0.0, -1.0}) {
    CHECK_THROWS_AS(from_command_line({{"max-time", seconds}}), UsageError);
  }
  CHECK_THROWS_WITH(parse_option_value(*find_run_option("max-time"), {"1min"}),
                    "--max-time must be a number, but is \"1min\"");
}

TEST_CASE("@FILE gives one prompt per line") {
  const test::ScratchFolder folder;
  const auto file = folder.write("prompts.txt", "first\r\n\n  second one \n \nthird");
  const RunOptions options = from_command_line({{"prompt", {"zero", "@" + file.string()}}});
  CHECK(options.cell.prompts ==
        std::vector<std::string>{"zero", "first", "  second one ", "third"});
  const auto empty = folder.write("empty.txt", "\n\n");
  CHECK_THROWS_WITH(from_command_line({{"prompt", {"@" + empty.string()}}}),
                    "--prompt @FILE must hold one prompt per line, but " + empty.string() +
                        " is empty");
  CHECK_THROWS_WITH(from_command_line({{"prompt", {"@/nowhere/at/all"}}}),
                    "--prompt @/nowhere/at/all: cannot read /nowhere/at/all: No such file or "
                    "directory; name a file with one prompt per line");
}

TEST_CASE("a file of prompts may have a byte order mark or be UTF-16, not Latin-1") {
  const test::ScratchFolder folder;
  const auto prompts_of = [&](const std::string& bytes) {
    const auto file = folder.write("prompts.txt", bytes);
    return from_command_line({{"prompt", {"@" + file.string()}}}).cell.prompts;
  };
  CHECK(prompts_of("\xef\xbb\xbf"
                   "a lake\r\n") == std::vector<std::string>{"a lake"});
  CHECK(prompts_of(std::string("\xff\xfe\xe9\0\r\0\n\0", 8)) == std::vector<std::string>{"é"});
  CHECK_THROWS_WITH(prompts_of("caf\xe9\n"),
                    Catch::Matchers::ContainsSubstring("must be UTF-8, but line 1"));
}

TEST_CASE("a tilde in a path is the home folder, wherever the option stands") {
  const test::ScratchFolder folder;
  const test::EnvironmentVariable home("HOME", folder.path().c_str());
  const std::string in_home = folder.path().string() + "/x";
  folder.write("prompts.txt", "a lake");
  const RunOptions options = from_command_line({{"weights", "~/x"},
                                                {"model", "~/x"},
                                                {"save-images", "~/x"},
                                                {"dump-latents", "~/x"},
                                                {"init-latents", "~/x"},
                                                {"output", {"~/x.csv", "y.csv"}},
                                                {"label", "~/x"},
                                                {"prompt", {"@~/prompts.txt", "~/x"}}});
  CHECK(options.cell.weights == in_home);
  CHECK(options.cell.model == in_home);
  CHECK(options.cell.save_images == in_home);
  CHECK(options.cell.dump_latents == in_home);
  CHECK(options.cell.init_latents == in_home);
  CHECK(options.outputs == std::vector<std::filesystem::path>{in_home + ".csv", "y.csv"});
  CHECK(options.label == "~/x");
  CHECK(options.cell.prompts == std::vector<std::string>{"a lake", "~/x"});
}

TEST_CASE("an empty text for a path or a model is refused, not taken for none") {
  for (const char* name : {"model", "weights", "init-latents", "dump-latents", "save-images"}) {
    CHECK_THROWS_WITH(from_command_line({{name, ""}}),
                      "--" + std::string(name) +
                          " must not be empty; leave it out for the default");
  }
}

TEST_CASE("an unknown name is told whole, whatever bytes are in it") {
  const Json values = Json::object({{std::string("a\0b\x1b", 4), 1}});
  CHECK_THROWS_WITH(check_options(values, "f.json: "),
                    Catch::Matchers::StartsWith("f.json: a\\x00b\\x1b is not an option"));
}
