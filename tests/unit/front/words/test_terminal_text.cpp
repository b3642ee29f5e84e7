#include "sdbench/front/words/terminal_text.h"

#include "catch.h"

namespace sdbench {

TEST_CASE("a wide character takes two columns of a terminal, a combining one none") {
  CHECK(columns_of("sd15") == 4);
  CHECK(columns_of("±95 %") == 5);
  CHECK(columns_of("四千") == 4);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("🚀") == 2);
  CHECK(columns_of("\xff") == 1); // is shown as one replacement character
}

TEST_CASE("a text is cut to the columns that there are") {
  CHECK(cut_to("first image", 11) == "first image");
  CHECK(cut_to("first image", 10) == "first ima…");
  CHECK(cut_to("四千零九十", 4) == "四…");
  CHECK(cut_to("四千零九十", 5) == "四千…");
  CHECK(cut_to("x", 0).empty());
}

TEST_CASE("a line is wrapped between words, and within one that is longer than a line") {
  CHECK(wrapped("one two three", 0, 2) == "one two three\n");
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three\n");
  CHECK(wrapped("stabilityai/stable-diffusion", 12, 2) == "stabilityai/\n  stable-dif\n  fusion\n");
  CHECK(wrapped("a 四千零九十", 6, 1) == "a\n 四千\n 零九\n 十\n");
  CHECK(wrapped("", 10, 2) == "\n");
}

TEST_CASE("a terminal in ASCII is shown ASCII") {
  CHECK(in_ascii("±95 % … █ 四") == "+-95 % ... # ?");
}

} // namespace sdbench
