#include "sdbench/front/commands/app.h"

#include <algorithm>
#include <ios>
#include <sstream>
#include <string_view>

#include "catch.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/terminal/command_table.h"

using namespace sdbench;

namespace {

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

Result run_with(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(arguments, {out, err});
  return {code, out.str(), err.str()};
}

} // namespace

TEST_CASE("help and version go to standard output and exit with 0") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"run", "--help"},
                                                    {"list", "models", "--help"},
                                                    {"list", "devices", "--help"},
                                                    {"merge", "--help"},
                                                    {"export-weights", "--help"},
                                                    {"--version"},
                                                    {"run", "--version"}}) {
    const Result result = run_with(arguments);
    CHECK(result.code == 0);
    CHECK_FALSE(result.out.empty());
    CHECK(result.err.empty());
  }
}

TEST_CASE("an unknown command is answered with each name, the same that messages know") {
  std::string names;
  for (const std::string_view name : kCommandNames) {
    names += (names.empty()                  ? ""
              : name == kCommandNames.back() ? " or "
                                             : ", ") +
             std::string(name);
  }
  CHECK(run_with({"rnu"}).err.find("the command must be " + names + ", but is") !=
        std::string::npos);
  for (const std::string_view name : kCommandNames) {
    CHECK(run_with({std::string(name), "--help"}).code == 0);
  }
}

TEST_CASE("every mistake of the command is one line on standard error and exit code 2") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--stepz", "5"},
        {"rnu"},
        {"run", "word"},
        {"--steps"},
        {"--steps", "x"},
        {"--steps", "0"},
        {"--steps", "1001"},
        {"--size", "100"},
        {"--size", "100x100"},
        {"--dtype", "fp8"},
        {"--device", "gpu"},
        {"--attention", "fast"},
        {"--model", "sd51"},
        {"--batch", "0"},
        {"--images", "0"},
        {"--repeat", "0"},
        {"--guidance", "nan"},
        {"--clip-skip", "-1"},
        {"--clip-skip", "99"},
        {"--clip-skip", "two"},
        {"--seed", "-1"},
        {"--timestep-spacing", "even"},
        {"-o", "csv"},
        {"--format", "xml"},
        {"--timeout", "-1"},
        {"--weights", "synthetic:x"},
        {"list"},
        {"list", "modles"},
        {"list", "models", "--format", "csv"},
        {"list", "devices", "--format", "csv"},
        {"--telemetry", "samples.txt"},
        {"--telemetry-interval", "0.001"},
        {"export-weights"},
        {"export-weights", "--weights", "real", "-o", "x"},
        {"export-weights", "--dtype", "int8", "-o", "x"}}) {
    const Result result = run_with(arguments);
    INFO(arguments.front() << " " << arguments.back() << ": " << result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.starts_with("sdbench: "));
    CHECK(std::ranges::count(result.err, '\n') == 1);
  }
}

TEST_CASE("files that refuse are exit code 1") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--config", "/nowhere.json"},
        {"--weights", "/nowhere"},
        {"--prompt", "@/nowhere.txt"},
        {"--init-latents", "/nowhere.safetensors"}}) {
    const Result result = run_with(arguments);
    INFO(result.err);
    CHECK(result.code == 1);
    CHECK(std::ranges::count(result.err, '\n') == 1);
  }
}

TEST_CASE("list models shows every shipped architecture, as a table and as JSON") {
  const Result table = run_with({"list", "models"});
  const Json json = Json::parse(run_with({"list", "models", "--format", "json"}).out);
  const auto names = shipped_model_names();
  REQUIRE(json.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(table.out.find("\n" + names[i] + " ") != std::string::npos);
    CHECK(json[i]["name"] == names[i]);
    CHECK(json[i].contains("steps") != json[i].contains("network"));
  }
  const auto vgg16 = std::find_if(json.begin(), json.end(),
                                  [](const Json& model) { return model["name"] == "vgg16"; });
  REQUIRE(vgg16 != json.end());
  CHECK((*vgg16)["network"] == "vgg");
  CHECK((*vgg16)["parameters"] == 138'357'544);
  CHECK((*vgg16)["forward_gflop"].get<double>() == Approx(30.94).epsilon(1e-3));
  CHECK(table.out.find("\n\nNETWORK") != std::string::npos);
}

TEST_CASE("a standard output that cannot be written is exit code 1") {
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  CHECK(run({"list", "models"}, {out, err}) == 1);
  CHECK(err.str() == "sdbench: cannot write to standard output: it is closed or full\n");
}
