#include "sdbench/base/errors/suggestion.h"

#include <vector>

#include "catch.h"

using namespace sdbench;

TEST_CASE("a likely name is found for a slip and none for something else") {
  const std::vector<std::string> known = {"steps", "size", "guidance", "sd15", "sdxl"};
  CHECK(likely_name("stpes", known) == "steps");
  CHECK(likely_name("guid", known) == "guidance");
  CHECK(likely_name("sd-15", known) == "sd15");
  CHECK(likely_name("telephone", known).empty());
  CHECK(likely_name("", known).empty());
  CHECK(likely_name(std::string(100000, 's'), known).empty());
  CHECK(did_you_mean("sise", known) == "; did you mean size?");
  CHECK(did_you_mean("telephone", known).empty());
}

TEST_CASE("a longer word and another program's word lead to ours, where it is known here") {
  const std::vector<std::string> known = {"--batch", "--steps", "fp16", "cuda"};
  CHECK(likely_name("--batch-size", known) == "--batch");
  CHECK(likely_name("--num-inference-steps", known) == "--steps");
  CHECK(likely_name("--batch_size", known) == "--batch");
  CHECK(likely_name("--Steps", known) == "--steps");
  CHECK(likely_name("half", known) == "fp16");
  CHECK(likely_name("gpu", known) == "cuda");
  CHECK(likely_name("gpu", std::vector<std::string>{"fp16"}).empty());
}

TEST_CASE("no name that switches off is meant by one that does not, nor the other way round") {
  const std::vector<std::string> known = {
      "--karras", "--no-karras", "--no-save", "--vae-tiling", "--no-vae-tiling",
      "--dtype",  "--repeat",    "--rounds",  "--prompt",     "--negative-prompt"};
  CHECK(likely_name("--use-karras", known) == "--karras");
  CHECK(likely_name("--no-karas", known) == "--no-karras");
  CHECK(likely_name("--enable-vae-tiling", known) == "--vae-tiling");
  CHECK(likely_name("--no-half", known) == "--dtype");
  CHECK(likely_name("--runs", known) == "--repeat");
  CHECK(likely_name("--neg-prompt", known) == "--negative-prompt");
}

TEST_CASE("edits are insertions, deletions, replacements and swaps of neighbours") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("sdxl", "sdxl") == 0);
  CHECK(edit_distance("sdlx", "sdxl") == 1);
  CHECK(edit_distance("sd15", "sd21") == 2);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name comes first and equals keep their order") {
  const std::vector<std::string> names{"sd15", "sd21", "sdxl", "sdxl-turbo"};
  CHECK(nearest_first("sdlx", names).front() == "sdxl");
  CHECK(nearest_first("sdxl-tubro", names).front() == "sdxl-turbo");
  CHECK(nearest_first("sd11", names) ==
        std::vector<std::string>{"sd15", "sd21", "sdxl", "sdxl-turbo"});
  CHECK(nearest_first("x", {}).empty());
}

TEST_CASE("an endless argument is compared by its start") {
  CHECK(nearest_first(std::string(1'000'000, 'x'), {"a", "b"}).size() == 2);
}
