#include "sdbench/front/options/arguments.h"

#include <sstream>

#include "catch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

struct Parser {
  CLI::App app{"An app.", "sdbench test"};
  CLI::Option* text = add_text_option(app, "-t,--text", "TEXT", "a text", "Group");
  CLI::Option* flag = add_flag(app, "--flag", "a flag", "Group");
  std::ostringstream out;

  bool parse(const std::vector<std::string>& arguments) {
    return parse_arguments(app, arguments, out);
  }
};

} // namespace

TEST_CASE("texts arrive exactly as they were typed") {
  for (const char* text :
       {"plain", "", "-1", "--flag", "[a, b]", "{}", "a,b", "@x", "'q'", "=", "\xff"}) {
    INFO(text);
    Parser parser;
    CHECK(parser.parse({"--text", text}));
    CHECK(parser.text->results() == std::vector<std::string>{text});
    CHECK(parser.flag->count() == 0);
  }
}

TEST_CASE("a value may follow an equals sign, an empty one too") {
  Parser parser;
  CHECK(parser.parse({"--text=a=b", "--text=", "--flag", "-t", "c"}));
  CHECK(parser.text->results() == std::vector<std::string>{"a=b", "", "c"});
  CHECK(parser.flag->count() == 1);
}

TEST_CASE("mistakes are refused in one line") {
  CHECK_THROWS_WITH(Parser().parse({"--txet", "a"}),
                    "unknown option \"--txet\"; did you mean --text?");
  CHECK_THROWS_WITH(Parser().parse({"--other=1"}),
                    "unknown option \"--other\"; see sdbench test --help");
  CHECK_THROWS_WITH(Parser().parse({"--text"}),
                    "--text must be followed by a value; see sdbench test --help");
  CHECK_THROWS_WITH(Parser().parse({"word"}),
                    "arguments must be options, but there is \"word\"; see sdbench test --help");
  CHECK_THROWS_WITH(Parser().parse({"--flag=maybe"}),
                    "--flag must be given without a value; see sdbench test --help");
}

TEST_CASE("a path that is empty is refused") {
  Parser parser;
  add_text_option(parser.app, "-o,--output", "FILE", "a path", "Group");
  add_text_option(parser.app, "--weights", "NAME|PATH", "perhaps a path", "Group");
  CHECK(parser.parse({"-o", "a.csv", "--weights", "b"}));
  CHECK_THROWS_WITH(
      parser.parse({"-o", "a.csv", "-o", ""}),
      "--output must not be empty; leave it out, or give FILE; see sdbench test --help");
  CHECK_THROWS_WITH(
      parser.parse({"--weights="}),
      "--weights must not be empty; leave it out, or give NAME|PATH; see sdbench test --help");
}

TEST_CASE("a section of a help has a column of names and one of words") {
  CHECK(help_section("Kinds", {{"a", "one"}, {"long", "two"}}) ==
        "Kinds:\n  a     one\n  long  two");
}

TEST_CASE("a mistake names the help of the command it was made with") {
  Parser parser;
  parser.app.name("sdbench [run]");
  CHECK_THROWS_WITH(parser.parse({"word"}),
                    "arguments must be options, but there is \"word\"; see sdbench --help");
}

TEST_CASE("The option --help prints the groups with --help itself last") {
  Parser parser;
  CHECK_FALSE(parser.parse({"--help"}));
  const std::string help = parser.out.str();
  CHECK(help.find("Group:") < help.find("-h,--help"));
}
