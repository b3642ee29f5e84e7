#include "sdbench/engine/pipeline/memory_arena.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include <unistd.h>

#include "catch.h"

using namespace sdbench;

namespace {

/// The host allocator of this process has the places before it.
constexpr unsigned kFreePlace = 2;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

std::int64_t bytes_in_memory() {
  std::int64_t total = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::uintptr_t address(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block); // NOLINT
}

/// One turn of a loop: blocks of many sizes that live for a while.
std::vector<void*> turn(MemoryArena& arena) {
  std::mt19937 random(7); // the same in each turn
  std::vector<void*> all;
  std::vector<void*> alive;
  for (int i = 0; i < 400; ++i) {
    if (alive.size() > 10) {
      const std::size_t which = random() % alive.size();
      CHECK(arena.give_back(alive[which]));
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
    }
    void* const block = arena.take(kMebibyte + random() % (20 * kMebibyte));
    all.push_back(block);
    alive.push_back(block);
  }
  for (void* const block : alive) {
    CHECK(arena.give_back(block));
  }
  return all;
}

} // namespace

TEST_CASE("blocks of an arena are aligned, apart from each other and hold what is written") {
  MemoryArena arena(kFreePlace);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64},
                                  kMebibyte, kMebibyte + 1, 100 * kMebibyte}) {
    auto* const block = static_cast<unsigned char*>(arena.take(bytes));
    REQUIRE(block != nullptr);
    CHECK(address(block) % MemoryArena::kAlignment == 0);
    std::memset(block, static_cast<int>(blocks.size() + 1), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& [block, bytes] = blocks[i];
    CHECK(std::count(block, block + bytes, static_cast<unsigned char>(i + 1)) ==
          static_cast<std::ptrdiff_t>(bytes));
    CHECK(arena.give_back(block));
  }
}

TEST_CASE("the second turn of a loop gets the blocks of the first") {
  MemoryArena arena(kFreePlace);
  void* const kept = arena.take(3 * kMebibyte); // a weight, say
  const std::vector<void*> first = turn(arena);
  const std::size_t mapped = arena.mapped_bytes();
  CHECK(turn(arena) == first);
  CHECK(turn(arena) == first);
  CHECK(arena.mapped_bytes() == mapped);
  CHECK(arena.give_back(kept));
}

TEST_CASE("what is freed joins its neighbours and serves a larger block") {
  MemoryArena arena(kFreePlace);
  std::vector<void*> blocks;
  for (int i = 0; i < 6; ++i) {
    blocks.push_back(arena.take(10 * kMebibyte));
  }
  const std::size_t mapped = arena.mapped_bytes();
  for (const std::size_t i : {1U, 3U, 2U}) { // alone, alone, between the two
    CHECK(arena.give_back(blocks[i]));
  }
  CHECK(arena.take(30 * kMebibyte) == blocks[1]);
  CHECK(arena.mapped_bytes() == mapped);
}

TEST_CASE("a block lies in the smallest free range that it fits into") {
  MemoryArena arena(kFreePlace);
  void* const large = arena.take(20 * kMebibyte);
  static_cast<void>(arena.take(kMebibyte));
  void* const small = arena.take(5 * kMebibyte);
  static_cast<void>(arena.take(kMebibyte));
  CHECK(arena.give_back(large));
  CHECK(arena.give_back(small));
  CHECK(arena.take(4 * kMebibyte) == small);
  CHECK(arena.take(15 * kMebibyte) == large);
}

TEST_CASE("memory of freed blocks stays with an arena until it is released") {
  MemoryArena arena(kFreePlace);
  constexpr std::size_t kBytes = 128 * kMebibyte;
  const std::int64_t before = bytes_in_memory();
  const auto used = [&] { return bytes_in_memory() - before; };
  constexpr auto kNearly = static_cast<std::int64_t>(kBytes / 10 * 9);
  void* block = arena.take(kBytes);
  std::memset(block, 1, kBytes);
  CHECK(arena.give_back(block));
  CHECK(used() > kNearly);
  arena.release_free_memory();
  CHECK(used() < static_cast<std::int64_t>(kBytes / 10));
  block = arena.take(kBytes); // and comes back
  std::memset(block, 1, kBytes);
  CHECK(used() > kNearly);
}

TEST_CASE("an arena refuses what is none of its blocks, twice freed ones too") {
  MemoryArena arena(kFreePlace);
  int other = 0;
  CHECK_FALSE(arena.give_back(&other));
  CHECK_FALSE(arena.give_back(nullptr));
  auto* const block = static_cast<std::byte*>(arena.take(kMebibyte));
  CHECK_FALSE(arena.give_back(block + 64));
  CHECK(arena.give_back(block));
  CHECK_FALSE(arena.give_back(block));
}

TEST_CASE("an arena that the kernel gives no more says so, and goes on with what it has") {
  MemoryArena arena(kFreePlace);
  CHECK(arena.take(std::numeric_limits<std::size_t>::max()) == nullptr);
  CHECK(arena.take(std::numeric_limits<std::size_t>::max() / 4) == nullptr);
  void* const block = arena.take(kMebibyte);
  CHECK(block != nullptr);
  CHECK(arena.give_back(block));
}

TEST_CASE("arenas of different places grow side by side, each in one range") {
  MemoryArena one(kFreePlace);
  MemoryArena other(kFreePlace + 1);
  std::vector<void*> blocks;
  for (int i = 0; i < 10; ++i) { // beyond several extents
    blocks.push_back(one.take(50 * kMebibyte));
    CHECK(other.take(50 * kMebibyte) != nullptr);
  }
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    CHECK(address(blocks[i]) == address(blocks[i - 1]) + 50 * kMebibyte + MemoryArena::kAlignment);
  }
  CHECK_FALSE(other.give_back(blocks[0]));
  CHECK(one.give_back(blocks[0]));
}

TEST_CASE("threads may share an arena") {
  MemoryArena arena(kFreePlace);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0); // Catch2's checks are of one thread
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&arena, &wrong, t] {
      for (int i = 0; i < 500; ++i) {
        const std::size_t bytes = 4096 * static_cast<std::size_t>(1 + (i * 7 + t) % 50);
        auto* const block = static_cast<unsigned char*>(arena.take(bytes));
        std::memset(block, t, bytes);
        wrong[static_cast<std::size_t>(t)] += block[0] != t || block[bytes - 1] != t;
        wrong[static_cast<std::size_t>(t)] += !arena.give_back(block);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(wrong == std::vector<int>(4, 0));
}
