#include "sdbench/front/terminal/folded_message.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sdbench/front/terminal/command_table.h"
#include "sdbench/front/words/terminal_text.h"

using namespace sdbench;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

} // namespace

TEST_CASE("a message is folded between words, and one that fits or has no terminal stays") {
  const std::string line = "note       the machine is busy: other programs had 1.5 of 2 cores";
  CHECK(folded_message(line, 0) == line);
  CHECK(folded_message(line, line.size()) == line);
  CHECK(folded_message(line, 40) == "note       the machine is busy: other\n"
                                    "    programs had 1.5 of 2 cores");
  const std::string wide = "[1/2] 四千零九十 ラベル 四千零九十 ラベル, batch 1: 18.4 it/s";
  for (std::size_t width = 20; width <= 200; ++width) {
    for (const std::string& folded : lines_of(folded_message(wide, width))) {
      CHECK(columns_of(folded) <= width);
    }
  }
}

TEST_CASE("a command stands whole on a line of its own, however wide it is") {
  const std::string command =
      "hf download a/b --include '*.json, *.txt' --include '*/*.safetensors'";
  for (const std::size_t width : {20, 40, 80}) {
    const auto lines = lines_of(folded_message(
        "NO WEIGHTS FOUND for sd15. For real ones: " + command + ", then run again (or not).",
        width));
    REQUIRE(lines.size() >= 3);
    CHECK(std::ranges::count(lines, command) == 1);
    CHECK(lines.back().ends_with("not)."));
  }
  CHECK(folded_message("skipped: it must be set up; run sdbench setup engine pytorch", 30) ==
        "skipped: it must be set up;\n    run\nsdbench setup engine pytorch");
  CHECK(folded_message("try (sudo cpupower frequency-set -g performance)", 30) ==
        "try (\nsudo cpupower frequency-set -g performance");
  // The program's name in prose does not begin a command.
  CHECK(folded_message("as it says, and not as sdbench chooses without it", 40) ==
        "as it says, and not as sdbench chooses\n    without it");
}

TEST_CASE("a quoted path of a command ends where a shell ends it") {
  const std::string command = "sdbench merge 'it'\\''s, my; old.csv' -o NEW.csv";
  const auto lines = lines_of(folded_message("bring it up to date: " + command + "; or wait", 30));
  CHECK(std::ranges::count(lines, command) == 1);
  CHECK(lines.back() == "    or wait");
}

TEST_CASE("a path stays whole, and an option with its value") {
  const std::string path = "/a/very/long/path/that/has/no/blank.csv";
  CHECK(folded_message("saved      " + path, 20) == "saved\n    " + path);
  CHECK(folded_message("it is no model; give it --model sd15 beside", 34) ==
        "it is no model; give it\n    --model sd15 beside");
}

TEST_CASE("a message to a terminal in ASCII is ASCII, and to a file it is what it was") {
  std::ostringstream err;
  write_message(err, {.live = true, .ascii = true, .width = [] { return std::size_t{80}; }}, "±…");
  CHECK(err.str() == "+-...\n");
  err.str("");
  write_message(err, {.ascii = true}, "±…");
  CHECK(err.str() == "±…\n");
}

TEST_CASE("a command of each name that sdbench has stands whole") {
  for (const std::string_view name : kCommandNames) {
    const std::string command =
        "sdbench " + std::string(name) + " --option value --another-option another-value";
    const std::vector<std::string> lines =
        lines_of(folded_message("write " + command + "; it helps", 40));
    CHECK(std::ranges::count(lines, command) == 1);
  }
}
