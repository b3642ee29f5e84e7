#include <filesystem>
#include <fstream>
#include <ios>
#include <string>

#include "catch.h"
#include "scratch_folder.h"

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/sha256.h"

using namespace sdbench;
using namespace sdbench::test;

// The expected digests are the published examples of FIPS 180-4.
TEST_CASE("SHA-256 gives the published digests") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 counts every byte, zeros and high bytes included") {
  CHECK(sha256_hex(std::string_view("a\0b", 3)) != sha256_hex(std::string_view("a\0c", 3)));
  CHECK(sha256_hex("\xff") != sha256_hex("\x7f"));
}

TEST_CASE("SHA-256 of a file is that of its bytes, also of more than are read at once") {
  const ScratchFolder folder;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{3}, std::size_t{1} << 22, (std::size_t{1} << 22) + 1}) {
    const std::string bytes(size, '\xe9');
    std::ofstream(folder.path() / "file", std::ios::binary) << bytes;
    CHECK(sha256_hex_of(folder.path() / "file") == sha256_hex(bytes));
  }
  CHECK_THROWS_AS(sha256_hex_of(folder.path() / "nothing"), Error);
  CHECK_THROWS_AS(sha256_hex_of(folder.path()), Error);
}
