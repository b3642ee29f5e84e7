#include "sdbench/front/terminal/read_remarks.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sdbench {

void say_remarks(const ReadRemarks& remarks, const Streams& streams) {
  constexpr std::size_t kMostSaid = 20;
  const std::vector<BadRow>& bad = remarks.bad;
  for (std::size_t i = 0; i < std::min(bad.size(), kMostSaid); ++i) {
    streams.say("left out: " + bad[i].text());
  }
  if (bad.size() > kMostSaid) {
    streams.say("left out: " + std::to_string(bad.size() - kMostSaid) + " more");
  }
  for (const BadRow& row : remarks.doubtful) {
    streams.say("doubtful: " + row.text());
  }
}

void say_too_long_for_a_comment(const std::string& markdown, const Streams& streams) {
  constexpr std::ptrdiff_t kMostOfAComment = 65536; // GitHub refuses longer comments
  const auto characters = std::ranges::count_if(markdown, [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; // the first byte of a character
  });
  if (characters > kMostOfAComment) {
    streams.say("the Markdown has " + std::to_string(characters) +
                " characters, and a comment on GitHub takes " + std::to_string(kMostOfAComment) +
                "; --filter leaves fewer rows, -o FILE.html takes all");
  }
}

} // namespace sdbench
