#include "sdbench/front/options/run_arguments.h"

#include <filesystem>
#include <sstream>
#include <utility>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/sink/sink_set.h"

using namespace sdbench;

namespace {

RunArguments parsed(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  const auto result = parse_run_arguments(arguments, out);
  REQUIRE(result);
  return *result;
}

std::string printed(const std::string& argument) {
  std::ostringstream out;
  CHECK_FALSE(parse_run_arguments({argument}, out));
  return out.str();
}

} // namespace

TEST_CASE("no argument at all is a run with every default") {
  const RunArguments arguments = parsed({});
  CHECK(arguments.options.cell.model == "sd15");
  CHECK_FALSE(arguments.options.model_given);
  CHECK_FALSE(arguments.options.cell.karras);
  CHECK(arguments.verbosity == 0);
}

TEST_CASE("short and long forms, repetition and flags") {
  const RunArguments arguments =
      parsed({"-m", "sdxl", "-b", "2", "-r", "4", "-o", "a.csv", "--output=b.md", "--prompt", "p",
              "--prompt", "-q", "--no-karras", "--no-save", "-v"});
  const RunOptions& options = arguments.options;
  CHECK(options.cell.model == "sdxl");
  CHECK(options.cell.batch == 2);
  CHECK(options.cell.repeat == 4);
  CHECK(options.outputs == std::vector<std::filesystem::path>{"a.csv", "b.md"});
  CHECK(options.cell.prompts == std::vector<std::string>{"p", "-q"});
  CHECK(options.cell.karras == false);
  CHECK(options.no_save);
  CHECK(arguments.verbosity == 1);
  CHECK(parsed({"--karras"}).options.cell.karras == true);
}

TEST_CASE("samples and rows cannot share a file, however it is named") {
  const std::string here = std::filesystem::current_path().string();
  for (const auto& [samples, rows] : {std::pair<std::string, std::string>("a.csv", "a.csv"),
                                      {"./b/../a.csv", "a.csv"},
                                      {"a.csv", here + "/a.csv"}}) {
    CHECK_THROWS_WITH(
        parsed({"--telemetry", samples, "-o", "b.csv", "-o", rows}),
        Catch::Matchers::ContainsSubstring("--telemetry must name a file of its own"));
  }
  CHECK_THROWS_AS(parsed({"--telemetry", default_output_files(host_name()).front().string()}),
                  UsageError);
  CHECK(parsed({"--telemetry", "t.csv", "-o", "a.csv"}).options.telemetry == "t.csv");
  CHECK(parsed({"--telemetry", "t.csv"}).options.telemetry == "t.csv");
}

TEST_CASE("a prompt of ten thousand words arrives whole") {
  std::string prompt;
  for (int i = 0; i < 10000; ++i) {
    prompt += "word ";
  }
  CHECK(parsed({"--prompt", prompt}).options.cell.prompts.front() == prompt);
}

TEST_CASE("the command line wins over a config file") {
  const test::ScratchFolder folder;
  const auto file = folder.write("c.json", R"({"steps": 5, "seed": 7, "width": 64, "height": 64})");
  const RunConfig cell =
      parsed({"--config", file.string(), "--steps", "9", "--size", "128x256"}).options.cell;
  CHECK(cell.steps == 9);
  CHECK(cell.seed == 7);
  CHECK(cell.width == 128);
  CHECK(cell.height == 256);
}

TEST_CASE("lists make a cell of each value, and the command line wins over a preset's cells") {
  CHECK(parsed({"--batch", "1,2", "--batch", "4", "--dtype=fp32,fp16"}).cells.size() == 6);
  CHECK(parsed({"--preset", "lake-house"}).cells.size() == 6);
  const RunArguments arguments =
      parsed({"--preset", "lake-house", "--model", "tiny-sd15", "--steps", "2", "--size", "64x64"});
  REQUIRE(arguments.cells.size() == 2);
  CHECK(arguments.cells[1].cell.model == "tiny-sd15");
  CHECK(arguments.cells[1].cell.attention == "efficient");
  CHECK_THROWS_AS(parsed({"--preset", "no-such"}), UsageError);
}

TEST_CASE("contradictions are refused") {
  CHECK_THROWS_AS(parsed({"-v", "-q"}), UsageError);
  CHECK_THROWS_AS(parsed({"--karras", "--no-karras"}), UsageError);
  CHECK_THROWS_AS(parsed({"--size", "64x64", "--height", "64"}), UsageError);
  CHECK_THROWS_AS(parsed({"--label", "1", "--label", "2"}), UsageError);
  CHECK_THROWS_AS(parsed({"--timeout", "0"}), UsageError);
}

TEST_CASE("the help shows every option in its group, with examples, in 100 columns") {
  const std::string help = printed("--help");
  for (const RunOption& option : run_options()) {
    CHECK(help.find("--" + std::string(option.name)) != std::string::npos);
    CHECK(help.find(std::string(option.group) + ":") != std::string::npos);
  }
  CHECK(help.find("Examples:") != std::string::npos);
  CHECK(help.find("SDBENCH_WEIGHTS") != std::string::npos);
  CHECK_THAT(help, Catch::Matchers::ContainsSubstring(
                       "with --engine pytorch: auto, math, sliced, sdpa or xformers"));
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
}

TEST_CASE("the version names release, commit, build and libtorch") {
  const std::string version = printed("--version");
  for (const char* name : {"sdbench ", "commit ", "build ", "libtorch "}) {
    CHECK(version.find(name) != std::string::npos);
  }
}

TEST_CASE("a file of samples without looks at the sensors is refused") {
  CHECK_THROWS_WITH(parsed({"--telemetry", "t.csv", "--telemetry-interval", "0"}),
                    Catch::Matchers::StartsWith("--telemetry must have sensor readings"));
  CHECK(parsed({"--telemetry-interval", "0"}).options.telemetry_interval_s == 0);
}
