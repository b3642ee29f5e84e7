#include "sdbench/front/words/markup_forms.h"

#include <string>

#include "catch.h"

using namespace sdbench;

TEST_CASE("a view in Org mode has tables of bars, headings of stars and a list of remarks") {
  ViewTable table;
  table.title = "sd15 512x512";
  table.answer = "fastest: card a";
  table.columns = {{.head = "machine"}, {.head = "UNet\nit/s", .is_number = true}};
  table.rows = {{.cells = {"card a", "40.1"}}, {.cells = {"card b"}}};
  table.remarks = {"all: fp16"};
  CHECK(to_org({.command = "compare", .head = "by speed", .tables = {table}, .remarks = {"end"}}) ==
        "by speed\n"
        "\n"
        "* sd15 512x512\n"
        "\n"
        "*fastest: card a*\n"
        "\n"
        "| machine | UNet it/s |\n"
        "|---+---|\n"
        "| card a | 40.1 |\n"
        "| card b |  |\n"
        "\n"
        "- all: fp16\n"
        "\n"
        "- end\n");
}

TEST_CASE("nothing in a text is Org's own: no bar ends a cell, no link or time begins") {
  ViewTable table;
  table.columns = {{.head = "label"}};
  table.rows = {{.cells = {"a|b\nunet_it_s [[http://x][y]] <2026-01-01>"}}};
  CHECK(to_org({.command = "run", .head = "", .tables = {table}}) ==
        "| label |\n"
        "|---|\n"
        "| a\\vert{}b unet\\under{}it\\under{}s [\u200b[\u200bhttp://x][\u200by]] "
        "\\lt{}2026-01-01> |\n");
}
