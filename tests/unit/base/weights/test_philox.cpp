#include "catch.h"

#include "sdbench/base/weights/philox.h"

using namespace sdbench;

TEST_CASE("Philox4x32-10 gives the known answers of its authors") {
  PhiloxBlocks blocks;
  philox4x32(0, 0, 0, blocks);
  CHECK(blocks[0][0] == 0x6627e8d5);
  CHECK(blocks[1][0] == 0xe169c58d);
  CHECK(blocks[2][0] == 0xbc57ac4c);
  CHECK(blocks[3][0] == 0x9b00dbd8);
  philox4x32(~0ULL, ~0ULL, ~0ULL, blocks);
  CHECK(blocks[0][0] == 0x408f276d);
  CHECK(blocks[1][0] == 0x41c83b0e);
  CHECK(blocks[2][0] == 0xa20bc7c6);
  CHECK(blocks[3][0] == 0x6d5451fd);
  philox4x32(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, blocks);
  CHECK(blocks[0][0] == 0xd16cfe09);
  CHECK(blocks[1][0] == 0x94fdcceb);
  CHECK(blocks[2][0] == 0x5001e420);
  CHECK(blocks[3][0] == 0x24126ea1);
}

TEST_CASE("Philox lanes are consecutive counters, across the 32-bit carry too") {
  PhiloxBlocks ahead;
  PhiloxBlocks behind;
  const std::uint64_t first = 0xFFFFFFFF;
  philox4x32(5, 6, first, behind);
  philox4x32(5, 6, first + 3, ahead);
  for (std::size_t word = 0; word < 4; ++word) {
    CHECK(behind[word][3] == ahead[word][0]);
    CHECK(behind[word][0] != ahead[word][0]);
  }
}

TEST_CASE("Philox gives the same in the processor's instructions as in those of every processor") {
  PhiloxBlocks best;
  PhiloxBlocks portable;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t key = i * 0x9E3779B97F4A7C15;
    const std::uint64_t stream = ~key * 3;
    const std::uint64_t first = i % 2 == 0 ? key : 0xFFFFFFFF - i / 2; // and across the carry
    philox4x32(key, stream, first, best);
    philox4x32_portable(key, stream, first, portable);
    CAPTURE(i);
    CHECK(best == portable);
  }
}
