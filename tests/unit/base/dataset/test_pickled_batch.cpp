#include "catch.h"

#include <cstdint>
#include <string>
#include <vector>

#include "cifar_files.h"
#include "sdbench/base/dataset/pickled_batch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::old_array;
using test::old_text;

namespace {

PickledBatch read_pickle(const std::string& pickle) {
  return read_pickled_batch(pickle, "batch");
}

/// A dict of these two members.
std::string dict_of(const std::string& labels, const std::string& data) {
  return "\x80\x02}" + old_text("labels") + labels + "s" + old_text("data") + data + "s.";
}

const std::string kImage = test::image_bytes(7);
const std::string kOneLabel = "]K\3a";

} // namespace

TEST_CASE("a pickle as the archive has it is read where it lies") {
  const std::string pickle = test::old_pickle("\3\7", kImage + test::image_bytes(8));
  const PickledBatch batch = read_pickle(pickle);
  CHECK(batch.labels == std::vector<std::int64_t>{3, 7});
  CHECK(batch.pixels == kImage + test::image_bytes(8));
  CHECK(batch.pixels.data() > pickle.data());
  CHECK(batch.pixels.data() < pickle.data() + pickle.size());
}

TEST_CASE("members may be added one by one, and what was remembered be used again") {
  CHECK(read_pickle(dict_of(kOneLabel, old_array(1, kImage))).pixels == kImage);
  const std::string place = test::little_endian(70000, 4);
  CHECK(read_pickle("\x80\x02}" + old_text("other") + kOneLabel + "r" + place + "s" +
                    old_text("labels") + "j" + place + "s" + old_text("data") +
                    old_array(1, kImage) + "s.")
            .labels == std::vector<std::int64_t>{3});
}

TEST_CASE("of two members with one key the last counts, as in Python") {
  const std::string twice = old_text("labels") + "q\1" + kOneLabel + "s" + old_text("data") +
                            old_array(1, kImage) + "s" + "h\1" + "]K\4as";
  CHECK(read_pickle("\x80\x02}" + twice + ".").labels == std::vector<std::int64_t>{4});
}

TEST_CASE("a pickle that asks for anything else to call is refused by that name") {
  for (const char* global : {"posix\nsystem\n", "builtins\neval\n", "numpy\nload\n",
                             "numpy.core.multiarray\nndarray\n", "\n\n"}) {
    std::string name(global);
    name.replace(name.find('\n'), 1, ".");
    name.pop_back();
    CAPTURE(name);
    const std::string call = std::string("c") + global + "(" + old_text("true") + "tR";
    CHECK_THROWS_WITH(read_pickle(dict_of(kOneLabel, call)),
                      ContainsSubstring("batch must be the pickle of a batch of CIFAR-10, but asks "
                                        "for \"" +
                                        name + "\""));
  }
  const std::string stacked = old_text("os") + old_text("system") + "\x93";
  CHECK_THROWS_WITH(read_pickle("\x80\x04" + stacked), ContainsSubstring("asks for \"os.system\""));
}

TEST_CASE("an instruction that no such file has is refused by its number") {
  // OBJ, INST, NEWOBJ, PERSID, EXT1, POP, DUP, NEXT_BUFFER
  for (const unsigned instruction : {0x6FU, 0x69U, 0x81U, 0x50U, 0x82U, 0x30U, 0x32U, 0x97U}) {
    CAPTURE(instruction);
    CHECK_THROWS_WITH(read_pickle("\x80\x02" + std::string(1, static_cast<char>(instruction))),
                      ContainsSubstring("has the instruction 0x"));
  }
}

TEST_CASE("a pickle cut off at any byte is refused, and reads nothing beyond it") {
  const std::string whole = test::old_pickle("\1", kImage);
  for (std::size_t length = 0; length < whole.size(); length += length < 300 ? 1 : 97) {
    CAPTURE(length);
    CHECK_THROWS_WITH(read_pickle(whole.substr(0, length)),
                      ContainsSubstring("batch must be a whole pickle, but ends early"));
  }
  const std::string huge = "\x80\x04\x8e" + test::little_endian(~std::uint64_t{0}, 8) + "a";
  CHECK_THROWS_WITH(read_pickle(huge), ContainsSubstring("ends early"));
}

TEST_CASE("instructions that do not fit together are refused") {
  for (const std::string& pickle : std::vector<std::string>{
           ".", "(.", "t", "K\1a.", "]K\1s.", "}(K\1u.", "h\5.", "q\1", "K\1R", ")K\1b", "))R",
           "cnumpy\nndarray\n)R.", "cnumpy\ndtype\n)R.", "K\1K\2\x93", "(K\1(\x85", "}(K\1b"}) {
    CAPTURE(pickle);
    CHECK_THROWS_AS(read_pickle(pickle), Error);
  }
}

TEST_CASE("a list that holds itself ends") {
  CHECK_THROWS_WITH(read_pickle("\x80\x02]q\1h\1a."), ContainsSubstring("must be a pickled dict"));
}

TEST_CASE("data that is not an array of bytes with a row for each label is refused") {
  std::string signed_bytes = old_array(1, kImage);
  signed_bytes.replace(signed_bytes.find("u1"), 2, "i1");
  const std::string bare = "cnumpy.core.multiarray\n_reconstruct\n)R"; // and no state
  for (const std::string& data :
       {old_array(2, kImage + kImage), old_array(1, kImage + "a"), old_array(1, kImage.substr(1)),
        signed_bytes, bare, old_text("text"), std::string("N")}) {
    CHECK_THROWS_WITH(read_pickle(dict_of(kOneLabel, data)),
                      ContainsSubstring("must have \"data\", a numpy array of uint8 of 1 x 3072"));
  }
}

TEST_CASE("labels that are no list of whole numbers are refused") {
  for (const std::string& labels : std::vector<std::string>{
           "]", "K\1", "]Na", "]" + old_text("3") + "a", "N\x85", old_array(1, kImage)}) {
    CHECK_THROWS_WITH(
        read_pickle(dict_of(labels, old_array(1, kImage))),
        ContainsSubstring(
            "must have \"labels\", a list or an array [N] of whole numbers, but has"));
  }
}

TEST_CASE("a batch of CIFAR-100 is known by its labels' name") {
  CHECK_THROWS_WITH(read_pickle("\x80\x02}" + old_text("fine_labels") + kOneLabel + "s."),
                    ContainsSubstring("is of CIFAR-100"));
}

TEST_CASE("protocol 0 writes in letters, of Python 2 and of Python 3") {
  const std::string head = "(dp0\nS'labels'\np1\n(lp2\nI3\naL7L\naI01\n";
  CHECK_THROWS_WITH(read_pickle(head + "as."), ContainsSubstring("must have \"labels\""));
  const std::string array =
      "cnumpy.core.multiarray\n_reconstruct\np3\n(cnumpy\nndarray\np4\n(I0\ntp5\n"
      "S'b'\np6\ntp7\nRp8\n(I1\n(I1\nI3072\ntp9\ncnumpy\ndtype\np10\n(S'u1'\n"
      "I0\nI1\ntp11\nRp12\n(I3\nS'|'\nNNNI-1\nI-1\nI0\ntp13\nbI00\n";
  std::string repr;
  std::string letters;
  for (const char byte : kImage) {
    constexpr const char* kHex = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    const std::string hex{kHex[value >> 4], kHex[value & 15]};
    repr += "\\x" + hex;
    letters += "\\u00" + hex;
  }
  const std::string old = "S'" + repr + "'\n";
  const std::string now = "c_codecs\nencode\n(V" + letters + "\nVlatin1\ntR";
  for (const std::string& bytes : {old, now}) {
    const std::string data = "S'data'\n" + array + bytes + "tbs.";
    const PickledBatch batch = read_pickle("(dp0\nS'labels'\np1\n(lp2\nI3\nasg1\ng2\ns" + data);
    CHECK(batch.labels == std::vector<std::int64_t>{3});
    CHECK(batch.pixels == kImage);
  }
}

TEST_CASE("a text that cannot be decoded, and more text than there is, are refused") {
  for (const std::string& pickle : std::vector<std::string>{
           "S'a\n.", "Sa\n.", "S'\\q'\n.", "S'\\x1'\n.", "V\\ud800\n.", "V\\u12\n.", "Ix\n.",
           "Lx\n.", "L-\n.", "c_codecs\nencode\n(V\\u0100\nVlatin1\ntR.",
           "c_codecs\nencode\n(Va\nVutf-8\ntR."}) {
    CAPTURE(pickle);
    CHECK_THROWS_WITH(read_pickle(pickle), ContainsSubstring("must be the pickle of a batch"));
  }
  const std::string again = "c_codecs\nencode\n(g0\nVlatin1\ntR";
  std::string many = "V" + std::string(1000, 'a') + "\np0\n";
  for (int i = 0; i < 100; ++i) {
    many += again;
  }
  CHECK_THROWS_WITH(read_pickle(many + "."), ContainsSubstring("decodes more text than it has"));
}

TEST_CASE("an array that lies by columns is read by rows") {
  const std::string images[] = {kImage, test::image_bytes(8)};
  std::string columns;
  for (std::size_t byte = 0; byte < kImage.size(); ++byte) {
    columns += {images[0][byte], images[1][byte]};
  }
  std::string array = old_array(2, columns);
  array.replace(array.rfind("\x89T"), 1, "\x88");
  CHECK(read_pickle(dict_of("](K\3K\4e", array)).pixels == images[0] + images[1]);
}

TEST_CASE("numbers and sets that no batch needs are passed over") {
  const std::string float_of_numpy = "cnumpy.core.multiarray\nscalar\n(cnumpy\ndtype\n" +
                                     old_text("f8") + "\x85R" + old_text("12345678") + "tR";
  for (const std::string& value : std::vector<std::string>{
           "G12345678", "F0.5\n", "L1180591620717411303424L\n", "L-9223372036854775809\n",
           "\x8a\x09"
           "123456789",
           "\x8b" + test::little_endian(9, 4) + "123456789", "\x8f(K\1K\2\x90", "(K\1\x91",
           "c__builtin__\nset\n]\x85R", "cbuiltins\nfrozenset\n]\x85R", float_of_numpy}) {
    CAPTURE(value);
    const std::string other = old_text("other") + value + "s";
    std::string pickle = dict_of(kOneLabel, old_array(1, kImage));
    CHECK(read_pickle(pickle.insert(3, other)).pixels == kImage);
    CHECK_THROWS_AS(read_pickle(dict_of(value, old_array(1, kImage))), Error);
  }
  CHECK_THROWS_WITH(read_pickle("\x80\x04](K\1\x90."), ContainsSubstring("of the wrong kind"));
}

TEST_CASE("labels and data in another form are named as what they are") {
  const auto said_of = [](const std::string& labels, const std::string& words) {
    CAPTURE(words);
    CHECK_THROWS_WITH(
        read_pickle(dict_of(labels, old_array(1, kImage))),
        ContainsSubstring("of whole numbers, but has " + words + "; take the archive's own file"));
  };
  const auto array_of = [](const char* dtype, const std::string& shape) {
    return "cnumpy.core.multiarray\n_reconstruct\n)R(K\1" + shape + "cnumpy\ndtype\n" +
           old_text(dtype) + "\x85R\x89" + old_text("12345678") + "tb";
  };
  said_of(array_of("f8", "K\1\x85"), "an array of float64 of shape [1]");
  said_of(array_of("b1", "K\x08\x85"), "an array of bool of shape [8]");
  said_of(array_of("O8", "K\1\x85"), "an array of objects of shape [1]");
  said_of(array_of("i1", "K\1K\x08\x86"), "an array of int8 of shape [1, 8]");
  said_of("]G12345678a", "a list with a float in it");
  said_of("](K\3\x88"
          "e",
          "a list with True or False in it");
  said_of("]]a", "a list with a list in it");
  said_of("]", "an empty list");
  said_of("G12345678", "a float");
  CHECK_THROWS_WITH(read_pickle(dict_of(kOneLabel, array_of("u1", "(K\1K\2K\2K\2t"))),
                    ContainsSubstring("but has an array of uint8 of shape [1, 2, 2, 2]"));
  CHECK_THROWS_WITH(read_pickle(dict_of(kOneLabel, "]K\1a")),
                    ContainsSubstring("but has a list of whole numbers"));
  CHECK_THROWS_WITH(read_pickle("\x80\x02}" + old_text("labels") + kOneLabel + "s."),
                    ContainsSubstring("(a row for each label), but has none"));
}
