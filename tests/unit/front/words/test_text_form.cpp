#include "sdbench/front/words/text_form.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "sdbench/front/words/markup_forms.h"
#include "sdbench/front/words/short_names.h"
#include "sdbench/front/words/terminal_text.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

std::size_t widest_line(const std::string& text) {
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    most = std::max(most, columns_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return most;
}

ViewTable three_machines() {
  ViewTable table;
  table.name_columns = 2;
  table.columns = {{"#", true, 0},         {"machine", false, 0}, {"generation", false, 4},
                   {"UNet it/s", true, 0}, {"±95 %", true, 1},    {"notes", false, 0}};
  table.rows = {{.cells = {"1", "Invented card on alpha, fp16", "Ada", "40.1 it/s", "0.82 %", ""}},
                {.cells = {"2", "四千零九十 on bravo", "Hopper", "39.9 it/s", "47 %", "a b c"}}};
  return table;
}

} // namespace

TEST_CASE("columns are as wide as their widest text, and wide characters take two") {
  CHECK(table_text(three_machines(), {}) ==
        "#  machine                       generation  UNet it/s   ±95 %  notes\n"
        "1  Invented card on alpha, fp16  Ada         40.1 it/s  0.82 %\n"
        "2  四千零九十 on bravo           Hopper      39.9 it/s    47 %  a b c\n");
}

TEST_CASE("columns go by their rank, then names grow shorter, then the last columns go") {
  CHECK(table_text(three_machines(), {.width = 50}) ==
        "#  machine                UNet it/s   ±95 %  notes\n"
        "1  Invented…alpha, fp16   40.1 it/s  0.82 %\n"
        "2  四千零九十 on bravo    39.9 it/s    47 %  a b c\n"
        "no room for: generation (all in --format csv)\n");
  CHECK(table_text(three_machines(), {.width = 38}) == "#  machine            UNet it/s  notes\n"
                                                       "1  Invented c…, fp16  40.1 it/s\n"
                                                       "2  四千零九十… bravo  39.9 it/s  a b c\n"
                                                       "no room for: generation, ±95 % (all in\n"
                                                       "  --format csv)\n");
}

TEST_CASE("names that differ differ in a narrow table, which first drops the maker's words") {
  ViewTable table;
  table.columns = {{"machine", false, 0}, {"peak memory", true, 0}};
  table.rows = {{.cells = {"NVIDIA GeForce RTX 4070 Ti, tuned", "2 GiB"}},
                {.cells = {"NVIDIA GeForce RTX 4070 Ti SUPER, tuned", "2 GiB"}},
                {.cells = {"Tesla T4, tuned", "2 GiB"}}};
  CHECK(table_text(table, {.width = 35}) == "                            peak\n"
                                            "machine                   memory\n"
                                            "RTX 4070 Ti, tuned         2 GiB\n"
                                            "RTX 4070 Ti SUPER, tuned   2 GiB\n"
                                            "T4, tuned                  2 GiB\n");
  CHECK(table_text(table, {.width = 30}) == "                          peak\n"
                                            "machine                 memory\n"
                                            "RTX 4070 Ti, tuned       2 GiB\n"
                                            "RTX 4070 Ti SU…, tuned   2 GiB\n"
                                            "T4, tuned                2 GiB\n");
}

TEST_CASE("columns of the last rank go before names become riddles") {
  ViewTable table;
  table.columns = {{"machine", false, 0}, {"images/min", true, 0}, {"UNet it/s", true, 1}};
  table.rows = {{.cells = {"NVIDIA GeForce RTX 4070 Ti SUPER, sdbench tuned", "289", "31.2"}},
                {.cells = {"Tesla T4, sdbench plain", "18.7", "5.1"}}};
  CHECK(table_text(table, {.width = 40}) == "                          images/  UNet\n"
                                            "machine                       min  it/s\n"
                                            "RTX 4070 Ti SUPER, tuned      289  31.2\n"
                                            "T4, plain                    18.7   5.1\n");
  CHECK(table_text(table, {.width = 32}) == "                   images/  UNet\n"
                                            "machine                min  it/s\n"
                                            "RTX 4070…, tuned       289  31.2\n"
                                            "T4, plain             18.7   5.1\n");
  CHECK(table_text(table, {.width = 28}) == "                     images/\n"
                                            "machine                  min\n"
                                            "RTX 4070 Ti…, tuned      289\n"
                                            "T4, plain               18.7\n"
                                            "no room for: UNet it/s (all\n"
                                            "  in --format csv)\n");
}

TEST_CASE("a name that is cut keeps the place of its card and how it was used") {
  CHECK(names_cut_to({"RTX 4070 Ti SUPER on desk13, tuned", "RTX 3060 on desk2, tuned"}, 26, "…") ==
        std::vector<std::string>{"RTX 4070 Ti…desk13, tuned", "RTX 3060 on desk2, tuned"});
  CHECK(names_cut_to({"RTX 4070 Ti SUPER, tuned", "RTX 3060, plain"}, 22, "…") ==
        std::vector<std::string>{"RTX 4070 Ti SU…, tuned", "RTX 3060, plain"});
  CHECK(names_cut_to({"L4 on a host of a long name 1", "L4 on a host of a long name 2"}, 20, "…") ==
        std::vector<std::string>{"L4 on a host… name 1", "L4 on a host… name 2"});
}

TEST_CASE("two names never become one") {
  CHECK(names_without_makers({"NVIDIA T4", "Tesla T4", "NVIDIA L4", "T4", "NVIDIA L4"}) ==
        std::vector<std::string>{"NVIDIA T4", "Tesla T4", "L4", "T4", "L4"});
  CHECK(names_without_makers({"NVIDIA L4, sdbench tuned", "L4, tuned", "T4, sdbench tuned"}) ==
        std::vector<std::string>{"NVIDIA L4, sdbench tuned", "L4, tuned", "T4, tuned"});
  CHECK(names_without_makers({"NVIDIA"}) == std::vector<std::string>{"NVIDIA"});
  CHECK(names_cut_to({"RTX 4070 Ti, tuned", "RTX 4070 Ti SUPER, tuned"}, 12, "…") ==
        std::vector<std::string>{"RTX…i, tuned", "RTX…R, tuned"});
  CHECK_FALSE(
      names_cut_to({"the first card 1 of the three", "the first card 2 of the three"}, 12, "…"));
  CHECK(names_cut_to({"a long name of one", "a long name of two"}, 12, "…") ==
        std::vector<std::string>{"a long… one", "a long… two"});
}

TEST_CASE("a command stands as a shell reads it") {
  ViewTable table;
  table.columns = {{"command", false, 0, Cells::kCommand}};
  table.rows = {{.cells = {R"(cat 'it'\''s'|x)"}}};
  const View view{.command = "compare", .head = "", .tables = {table}};
  CHECK_THAT(to_text(view, {}), ContainsSubstring("\ncat 'it'\\''s'|x\n"));
  CHECK_THAT(to_markdown(view), ContainsSubstring(R"(| `cat 'it'\''s'\|x` |)"));
  CHECK_THAT(to_html(view),
             ContainsSubstring(R"(<code>cat &#39;it&#39;\&#39;&#39;s&#39;|x</code>)"));
  table.rows = {{.cells = {R"(cat 'it'\''s'_`x`)"}}};
  const View other{.command = "compare", .head = "", .tables = {table}};
  CHECK_THAT(to_markdown(other), ContainsSubstring(R"(| `` cat 'it'\''s'_`x` `` |)"));
  CHECK_THAT(to_org(other), ContainsSubstring(R"(| ~cat 'it'\''s'_`x`~ |)"));
}

TEST_CASE("where nothing more may go, each row is a block of lines with all that it says") {
  CHECK(table_text(three_machines(), {.width = 24}) == "1  Invented card on alpha, fp16\n"
                                                       "  generation  Ada\n"
                                                       "  UNet it/s   40.1 it/s\n"
                                                       "  ±95 %       0.82 %\n"
                                                       "2  四千零九十 on bravo\n"
                                                       "  generation  Hopper\n"
                                                       "  UNet it/s   39.9 it/s\n"
                                                       "  ±95 %       47 %\n"
                                                       "  notes       a b c\n");
}

TEST_CASE("a table for a terminal in ASCII is laid out in ASCII") {
  const std::string text = table_text(three_machines(), {.width = 50, .ascii = true});
  CHECK(text == in_ascii(text));
  CHECK(text == "#  machine                UNet it/s  +-95 %  notes\n"
                "1  Invente...alpha, fp16  40.1 it/s  0.82 %\n"
                "2  ????? on bravo         39.9 it/s    47 %  a b c\n"
                "no room for: generation (all in --format csv)\n");
}

TEST_CASE("no line of a table is wider than the terminal, as long as a name and a figure fit") {
  for (const Narrow narrow : {Narrow::kDrop, Narrow::kParts}) {
    ViewTable table = three_machines();
    table.narrow = narrow;
    for (std::size_t width = 36; width < 90; ++width) {
      for (const bool ascii : {false, true}) {
        CHECK(widest_line(table_text(table, {.width = width, .ascii = ascii})) <= width);
      }
    }
  }
}

TEST_CASE("columns that have no room go on in a further table beside the same names") {
  ViewTable table = three_machines();
  table.narrow = Narrow::kParts;
  const std::string text = table_text(table, {.width = 40});
  CHECK_THAT(text, ContainsSubstring("#  machine           generation  UNet it/s\n") ||
                       ContainsSubstring("#  machine           generation\n"));
  CHECK_THAT(text, ContainsSubstring("\n\n#  machine"));
  CHECK_THAT(text, ContainsSubstring("notes\n"));
}

TEST_CASE("what went wrong stands behind the cells of its row") {
  ViewTable table;
  table.narrow = Narrow::kBlocks;
  table.columns = {{.head = "batch", .is_number = true}, {.head = "it/s", .is_number = true}};
  table.rows = {{.cells = {"1", "2.00"}}, {.cells = {"16"}, .trouble = "oom: too\nlittle"}};
  CHECK(table_text(table, {}) == "batch  it/s\n"
                                 "    1  2.00\n"
                                 "   16  oom: too little\n");
  CHECK(table_text(table, {.width = 10, .colour = true}) ==
        "\x1b[1m1\x1b[0m\n  it/s  2.00\n\x1b[1m16\x1b[0m\n  \x1b[1;31moom: too little\x1b[0m\n");
}

TEST_CASE("texts from files are one line and command no terminal") {
  ViewTable table;
  table.columns = {{.head = "label"}};
  table.rows = {{.cells = {"evil\x1b[2J\nname\\"}}};
  CHECK(table_text(table, {}) == "label\nevil\\x1b[2J name\\\\\n");
}

TEST_CASE("a legend is said where a column that it explains is shown") {
  ViewTable table = three_machines();
  table.legends = {{{"generation"}, "generation: of the card"}};
  const View view{.command = "compare",
                  .head = "",
                  .tables = {table},
                  .legends = {{{"±95 %", "sd"}, "±95 %: by Student"}, {{"sd"}, "sd: of rows"}}};
  const std::string wide = to_text(view, {});
  CHECK_THAT(wide, ContainsSubstring("generation: of the card\n\n±95 %: by Student\n"));
  CHECK_THAT(wide, !ContainsSubstring("sd: of rows"));
  const std::string narrow = to_text(view, {.width = 50});
  CHECK_THAT(narrow, ContainsSubstring("no room for: generation"));
  CHECK_THAT(narrow, !ContainsSubstring("of the card"));
  CHECK_THAT(narrow, ContainsSubstring("±95 %: by Student"));
  const std::string blocks = to_text(view, {.width = 20}); // blocks have all columns
  CHECK_THAT(blocks, ContainsSubstring("generation: of the\n"));
  CHECK(legend_words(view.legends, heads_of(view)) ==
        std::vector<std::string>{"±95 %: by Student"});
}
