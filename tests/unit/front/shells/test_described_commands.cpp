#include "sdbench/front/shells/described_commands.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "catch.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/front/commands/app.h"
#include "sdbench/front/shells/completions.h"
#include "sdbench/front/shells/manual_page.h"
#include "sdbench/front/terminal/command_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

const DescribedCommand& described(const std::vector<DescribedCommand>& commands,
                                  const std::string& words) {
  const auto found = std::ranges::find(commands, words, &DescribedCommand::words);
  REQUIRE(found != commands.end());
  return *found;
}

const DescribedOption& described(const DescribedCommand& command, const std::string& name) {
  const auto found = std::ranges::find_if(command.options, [&](const DescribedOption& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  });
  INFO(name);
  REQUIRE(found != command.options.end());
  return *found;
}

/// The messages of run for an option and its value, with --dry-run.
std::string said_of(const std::string& option, const std::string& value) {
  std::ostringstream out;
  std::ostringstream err;
  static_cast<void>(run({"--model", "tiny-sd15", "--weights", "synthetic", "--device", "cpu",
                         "--dry-run", option, value},
                        {out, err}));
  return err.str();
}

} // namespace

TEST_CASE("every command's name has its line in the help, and no line another's") {
  std::set<std::string_view> words;
  for (const CommandLine& line : kCommandLines) {
    words.insert(line.words.substr(0, line.words.find(' ')));
  }
  CHECK(words == std::set<std::string_view>(kCommandNames.begin(), kCommandNames.end()));
}

TEST_CASE("each command describes its options, run all of its table") {
  const auto commands = described_commands();
  CHECK(commands.size() == std::size(kCommandLines));
  for (const DescribedCommand& command : commands) {
    CHECK(described(command, "--help").value.empty());
    CHECK_FALSE(command.description.empty());
  }
  const DescribedCommand& of_run = described(commands, "run");
  for (const RunOption& option : run_options()) {
    const DescribedOption& found = described(of_run, "--" + std::string(option.name));
    CHECK(found.value == option.value_name);
    CHECK(found.group == option.group);
  }
  CHECK(described(of_run, "--model").names == std::vector<std::string>{"-m", "--model"});
  CHECK(described(commands, "report").options.front().value == "FILES");
}

TEST_CASE("what an option's value may be is known where it is a list, and the program takes it") {
  const auto commands = described_commands();
  const DescribedCommand& of_run = described(commands, "run");
  std::size_t known = 0;
  for (const RunOption& option : run_options()) {
    const std::string name(option.name);
    for (const std::string& choice : described(of_run, "--" + name).choices) {
      INFO(name << " " << choice);
      CHECK_THAT(said_of("--" + name, choice),
                 !ContainsSubstring("but is \"" + choice) || ContainsSubstring("with --dry-run"));
      ++known;
    }
  }
  CHECK(known > 50);
  CHECK_THAT(said_of("--dtype", "fp61"), ContainsSubstring("but is \"fp61"));
  for (const char* name : {"--dtype", "--format", "--engine", "--attention", "--loss"}) {
    CHECK(described(of_run, name).choices.size() > 1);
  }
  CHECK(described(of_run, "--steps").choices.empty());
  CHECK(described(commands, "setup engine").options.front().choices.size() > 3);
}

TEST_CASE("a list at the start of a help, or after a colon, is its choices; all else is none") {
  using Words = std::vector<std::string>;
  CHECK(listed_choices("leading, linspace or trailing (the model's)") ==
        Words{"leading", "linspace", "trailing"});
  CHECK(listed_choices("what it does: auto, on or off (auto)") == Words{"auto", "on", "off"});
  CHECK(listed_choices("in training: cross-entropy or logit-sum (cross-entropy)") ==
        Words{"cross-entropy", "logit-sum"});
  for (const char* help : {"", "width alone", "folder or file, looked for", "of the first image",
                           "auto, or euler, whatever", "between looks; 0: none"}) {
    INFO(help);
    CHECK(listed_choices(help).empty());
  }
}

TEST_CASE("no text of an option is a request of roff or ends a word of a shell") {
  const DescribedCommand command{.words = "run",
                                 .summary = ".so /etc/passwd",
                                 .description = "'quoted\n\nleft out",
                                 .footer = ".B not bold\nback\\slash",
                                 .behind_end = "",
                                 .options = {{.names = {"--odd"},
                                              .value = "NAME",
                                              .help = ".PP",
                                              .group = "Odd",
                                              .choices = {"it's", "two"}}}};
  const std::string page = manual_page(std::vector{command});
  CHECK_THAT(page, ContainsSubstring("\n\\&.so /etc/passwd\n") &&
                       ContainsSubstring("\n\\(aqquoted\n") &&
                       ContainsSubstring("\n\\&.B not bold\nback\\eslash\n") &&
                       ContainsSubstring("\n\\&.PP\n") && ContainsSubstring("\"\\-\\-odd NAME\""));
  CHECK_THAT(page, !ContainsSubstring("left out"));
  CHECK_THAT(bash_completion(std::vector{command}),
             ContainsSubstring(R"(--odd) choices='it'\''s two' ;;)"));
  CHECK_THAT(zsh_completion(std::vector{command}),
             ContainsSubstring(R"('*--odd=[.PP]:NAME:_sequence compadd - it\'\''s two')"));
  CHECK_THAT(fish_completion(std::vector{command}),
             ContainsSubstring(R"( -l 'odd' -r -f -a '(__sdbench_list it\\\'s two)' -d '.PP')"));
}

TEST_CASE("no help of an option ends its place in a completion") {
  const DescribedCommand command{.words = "list odd",
                                 .summary = "a: b",
                                 .description = "",
                                 .footer = "",
                                 .behind_end = "",
                                 .options = {{.names = {"-o", "--odd"},
                                              .value = "A|B[:C]",
                                              .help = "it's [N]: a\\b $HOME",
                                              .group = "Odd",
                                              .choices = {}}}};
  CHECK_THAT(zsh_completion(std::vector{command}),
             ContainsSubstring(R"('*--odd=[it'\''s \[N\]: a\\b $HOME]:A|B[\:C]: ')") &&
                 ContainsSubstring("found=( 'odd:a: b' )"));
  CHECK_THAT(fish_completion(std::vector{command}),
             ContainsSubstring(R"( -s 'o' -l 'odd' -r -f -d 'it\'s [N]: a\\b $HOME')"));
}
