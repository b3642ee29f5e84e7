#include "catch.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "cifar_files.h"
#include "scratch_folder.h"
#include "sdbench/base/dataset/cifar10.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;

namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

/// As test::write_binary_batches and test::write_old_pickles write them.
void check_images(const Dataset& dataset) {
  CHECK(dataset.name == "cifar10");
  CHECK(dataset.class_count == 10);
  CHECK(dataset.train.count == 5);
  CHECK(dataset.train.channels == 3);
  CHECK(dataset.train.height == 32);
  CHECK(dataset.train.width == 32);
  CHECK(dataset.train.labels == std::vector<std::uint8_t>{0, 1, 2, 3, 4});
  std::string images;
  for (std::size_t i = 0; i < 5; ++i) {
    images += test::image_bytes(i);
  }
  CHECK(bytes_of(dataset.train.pixels) == images);
  CHECK(dataset.test.count == 1);
  CHECK(dataset.test.labels == std::vector<std::uint8_t>{5});
  CHECK(bytes_of(dataset.test.pixels) == test::image_bytes(5));
}

} // namespace

TEST_CASE("CIFAR-10 is read in either form, from its folder or the one above") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, "binary/cifar-10-batches-bin");
  test::write_old_pickles(folder, "torchvision/cifar-10-batches-py");
  for (const char* path : {"binary", "binary/cifar-10-batches-bin", "torchvision",
                           "torchvision/cifar-10-batches-py"}) {
    CAPTURE(path);
    check_images(read_cifar10(folder.path() / path));
  }
  CHECK(find_cifar10(folder.path() / "torchvision") ==
        folder.path() / "torchvision/cifar-10-batches-py");
}

TEST_CASE("the same images have the same identity in either form, and others another") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, "cifar-10-batches-bin");
  test::write_old_pickles(folder, "other/cifar-10-batches-py");
  const std::string identity = identity_of(read_cifar10(folder.path()));
  CHECK(identity.starts_with("cifar10:"));
  CHECK(identity.size() == std::string("cifar10:").size() + 16);
  CHECK(identity_of(read_cifar10(folder.path() / "other")) == identity);
  folder.write("other/cifar-10-batches-py/test_batch",
               test::old_pickle("\6", test::image_bytes(5)));
  CHECK(identity_of(read_cifar10(folder.path() / "other")) != identity);
}

TEST_CASE("mean and deviation are those of the training images' channels") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, ".");
  const Dataset dataset = read_cifar10(folder.path());
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    for (const char c : test::image_bytes(i).substr(1024, 1024)) {
      const double value = static_cast<std::uint8_t>(c) / 255.0;
      sum += value / 5120;
      squares += value * value / 5120;
    }
  }
  REQUIRE(dataset.mean.size() == 3);
  REQUIRE(dataset.std.size() == 3);
  CHECK(dataset.mean[1] == Approx(sum).epsilon(1e-6));
  CHECK(dataset.std[1] == Approx(std::sqrt(squares - sum * sum)).epsilon(1e-6));
}

TEST_CASE("a channel of one value alone has a deviation that one can divide by") {
  const test::ScratchFolder folder;
  for (const char* name : test::kBatches) {
    folder.write(std::string(name) + ".bin", std::string(1, '\1') + std::string(3072, '\x40'));
  }
  const Dataset dataset = read_cifar10(folder.path());
  CHECK(dataset.mean[0] == Approx(64 / 255.0));
  CHECK(dataset.std == std::vector<float>{1, 1, 1});
}

TEST_CASE("a binary file that is cut off is refused by name, with its length") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, ".");
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{3072}}) {
    const fs::path file =
        folder.write("data_batch_3.bin", test::binary_row(1, 1).substr(0, length));
    CHECK_THROWS_WITH(read_cifar10(folder.path()),
                      Equals(file.string() + " must be rows of 3073 bytes, but has " +
                             std::to_string(length) +
                             " bytes; it is cut off: unpack the archive again"));
  }
}

TEST_CASE("a binary file that is cut off between two images is refused beside the others") {
  for (const char* cut : {"data_batch_1.bin", "data_batch_5.bin", "test_batch.bin"}) {
    const test::ScratchFolder folder;
    for (const char* name : test::kBatches) {
      folder.write(std::string(name) + ".bin", test::binary_row(1, 1) + test::binary_row(2, 2));
    }
    CHECK(read_cifar10(folder.path()).train.count == 10);
    const fs::path file = folder.write(cut, test::binary_row(1, 1));
    CHECK_THROWS_WITH(read_cifar10(folder.path()),
                      Equals(file.string() +
                             " must have as many images as the longest of the six batches, which "
                             "has 2, but has 1; it is cut off: unpack the archive again"));
  }
}

TEST_CASE("a pickle that is cut off anywhere is refused by name") {
  const test::ScratchFolder folder;
  test::write_old_pickles(folder, ".");
  const std::string whole = test::old_pickle("\1", test::image_bytes(1));
  for (const std::size_t length : {std::size_t{0}, std::size_t{40}, whole.size() - 1}) {
    const fs::path file = folder.write("data_batch_2", whole.substr(0, length));
    CHECK_THROWS_WITH(read_cifar10(folder.path()),
                      ContainsSubstring(file.string() + " must be a whole pickle, but ends early"));
  }
}

TEST_CASE("a label that is none of ten classes is refused with its file and row") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, ".");
  const fs::path file =
      folder.write("data_batch_4.bin", test::binary_row(9, 0) + test::binary_row(10, 1));
  CHECK_THROWS_WITH(read_cifar10(folder.path()),
                    ContainsSubstring("the labels in " + file.string() +
                                      " must be from 0 to 9, but row 1 (the first is 0) has 10"));
  const test::ScratchFolder pickles;
  test::write_old_pickles(pickles, ".");
  pickles.write("test_batch", test::old_pickle("\xC8", test::image_bytes(1)));
  CHECK_THROWS_WITH(read_cifar10(pickles.path()), ContainsSubstring("test_batch") &&
                                                      ContainsSubstring("row 0") &&
                                                      ContainsSubstring("has 200"));
}

TEST_CASE("a batch that is missing is named") {
  const test::ScratchFolder folder;
  test::write_binary_batches(folder, "cifar-10-batches-bin");
  fs::remove(folder.path() / "cifar-10-batches-bin/data_batch_2.bin");
  CHECK_THROWS_WITH(read_cifar10(folder.path()),
                    ContainsSubstring("must have all six batches") &&
                        ContainsSubstring("cifar-10-batches-bin\" has no data_batch_2.bin; unpack "
                                          "cifar-10-binary.tar.gz again"));
  fs::remove(folder.path() / "cifar-10-batches-bin/test_batch.bin");
  CHECK_THROWS_WITH(find_cifar10(folder.path()),
                    ContainsSubstring("has no data_batch_2.bin and no test_batch.bin"));
}

TEST_CASE("a path without CIFAR-10 says what was looked for and what is there") {
  const test::ScratchFolder folder;
  const std::string looked = "must be a folder of CIFAR-10 (cifar-10-batches-bin, "
                             "cifar-10-batches-py or the folder above), but \"" +
                             folder.path().string();
  CHECK_THROWS_WITH(read_cifar10(folder.path()), ContainsSubstring("data " + looked) &&
                                                     ContainsSubstring("has neither a batch"));
  CHECK_THROWS_WITH(find_cifar10(folder.path() / "nowhere", "--data"),
                    ContainsSubstring("--data " + looked) &&
                        ContainsSubstring("nowhere\" is not there"));
  CHECK_THROWS_WITH(read_cifar10("/dev/null"),
                    Catch::Matchers::EndsWith("but \"/dev/null\" is a device; name a folder"));
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_cifar10(pipe), Catch::Matchers::EndsWith("is a pipe; name a folder"));
  const fs::path link = folder.path() / "link";
  fs::create_symlink(folder.path() / "nowhere", link);
  CHECK_THROWS_WITH(read_cifar10(link),
                    Catch::Matchers::EndsWith("is a link to something that is not there"));
  const fs::path file = folder.write("data_batch_1.bin.txt", "");
  CHECK_THROWS_WITH(read_cifar10(file), ContainsSubstring("is a file; name its folder"));
}

TEST_CASE("an archive that was not unpacked says the command") {
  const test::ScratchFolder folder;
  const fs::path archive = folder.write("cifar-10-python.tar.gz", test::gzip_of_tar());
  const std::string command =
      "tar -xf \"" + archive.string() + "\" -C \"" + folder.path().string() + "\"";
  CHECK_THROWS_WITH(read_cifar10(archive),
                    ContainsSubstring("is an archive") && ContainsSubstring(command));
  CHECK_THROWS_WITH(read_cifar10(folder.path()),
                    ContainsSubstring("only as an archive") && ContainsSubstring(command));
}

TEST_CASE("an archive of any packer, or under another name, is named with what unpacks it") {
  const std::string zip = "PK\x03\x04 and more";
  for (const char* name :
       {"cifar-10-python.tgz", "cifar-10-python.tar.xz", "cifar10.tar.bz2", "cifar-10-binary.tar",
        "cifar-10-python.zip", "CIFAR-10-PYTHON.TAR.GZ", "cifar-10-python (1).tar.gz",
        "cifar-10-python.tar.gz.1", "cifar-10-binary.tar.gz.12", "cifar-10-python.zip.1"}) {
    CAPTURE(name);
    const test::ScratchFolder folder;
    const bool is_zip = std::string_view(name).find(".zip") != std::string_view::npos;
    const fs::path archive = folder.write(name, is_zip ? zip : test::gzip_of_tar());
    const std::string place = "\"" + folder.path().string() + "\"";
    const std::string file = "\"" + archive.string() + "\"";
    const std::string command =
        is_zip ? "unzip " + file + " -d " + place : "tar -xf " + file + " -C " + place;
    CHECK_THROWS_WITH(read_cifar10(archive), ContainsSubstring("is an archive, which must be "
                                                               "unpacked: " +
                                                               command + "; then"));
    CHECK_THROWS_WITH(read_cifar10(folder.path()),
                      ContainsSubstring(std::string("only as an archive, ") + name +
                                        ", which must be unpacked: " + command));
  }
}

TEST_CASE("a download that has not ended is named so, beside a whole archive that one") {
  for (const char* name : {"cifar-10-python.tar.gz.part", "cifar-10-python.tar.gz.crdownload",
                           "cifar10.zip.partial", "cifar-10-binary.tar.gz.tmp",
                           "cifar-10-python.tar.gz.1.tmp", "cifar-10-python.tar.gz.aria2"}) {
    CAPTURE(name);
    const test::ScratchFolder folder;
    const fs::path archive = folder.write(name, test::gzip_of_tar());
    for (const fs::path& path : {archive, folder.path()}) {
      CHECK_THROWS_WITH(read_cifar10(path),
                        ContainsSubstring("archive") &&
                            ContainsSubstring("which is an unfinished download; finish it"));
    }
    folder.write("cifar-10-python.tgz", test::gzip_of_tar());
    CHECK_THROWS_WITH(read_cifar10(folder.path()),
                      ContainsSubstring("only as an archive, cifar-10-python.tgz"));
  }
  const test::ScratchFolder folder;
  folder.write("cifar-100-python.tar.gz", test::gzip_of_tar());
  folder.write("notes-on-cifar-10.part", "");
  CHECK_THROWS_WITH(read_cifar10(folder.path()), ContainsSubstring("has neither a batch"));
  CHECK_THROWS_WITH(read_cifar10(folder.write("cifar-10-python.zip", "none")),
                    ContainsSubstring("is not a zip archive; download it again"));
}

TEST_CASE("an archive of 0 bytes, or one that is cut off, is to be downloaded again") {
  const std::string whole = test::gzip_of_tar();
  for (const char* name : {"cifar-10-binary.tar.gz", "cifar-10-batches-py.tar.gz",
                           "datasets/cifar-10-batches-py_archive", "cifar-10-binary.tar.gz.1"}) {
    const test::ScratchFolder folder;
    const auto said_of = [&](const std::string& bytes, const std::string& said) {
      const fs::path archive = folder.write(name, bytes);
      for (const fs::path& path : {archive, folder.path()}) {
        CAPTURE(path);
        CHECK_THROWS_WITH(read_cifar10(path), ContainsSubstring("archive") &&
                                                  ContainsSubstring(said) &&
                                                  Catch::Matchers::EndsWith("download it again"));
      }
    };
    said_of("", "which has 0 bytes");
    said_of(whole.substr(0, whole.size() * 9 / 10), "is cut off after");
    folder.write(name, whole);
    CHECK_THROWS_WITH(read_cifar10(folder.path()), ContainsSubstring("must be unpacked: tar -xf"));
  }
  const test::ScratchFolder folder;
  const fs::path page = folder.write("cifar-10-python.tar.gz", "<!DOCTYPE html><title>404");
  CHECK_THROWS_WITH(read_cifar10(page), ContainsSubstring("is a page of the web"));
}

TEST_CASE("Parquet, and what is still packed, are named where CIFAR-10 should lie") {
  const test::ScratchFolder folder;
  const fs::path file = folder.write("hub/plain_text/train-00000-of-00001.parquet", "PAR1");
  for (const fs::path& path : {file, folder.path() / "hub"}) {
    CHECK_THROWS_WITH(read_cifar10(path), ContainsSubstring("in Parquet") &&
                                              ContainsSubstring("unpack cifar-10-binary.tar.gz"));
  }
  test::write_old_pickles(folder, "py");
  folder.write("py/data_batch_2", "PAR1and more");
  CHECK_THROWS_WITH(
      read_cifar10(folder.path() / "py"),
      ContainsSubstring("data_batch_2 must be a batch of CIFAR-10, but is a Parquet"));
  folder.write("py/data_batch_2", test::gzip_of_tar());
  CHECK_THROWS_WITH(read_cifar10(folder.path() / "py"), ContainsSubstring("that gzip has packed"));
}

TEST_CASE("a form that is whole is taken, whatever was begun beside it, and as Keras keeps it") {
  for (const char* where : {"cifar-10-batches-py", "datasets/cifar-10-batches-py",
                            "cifar-10-batches-py/cifar-10-batches-py",
                            "datasets/cifar-10-batches-py-target/cifar-10-batches-py"}) {
    CAPTURE(where);
    const test::ScratchFolder folder;
    test::write_old_pickles(folder, where);
    check_images(read_cifar10(folder.path()));
    folder.write("cifar-10-batches-bin/data_batch_1.bin", test::binary_row(0, 0));
    folder.write("data_batch_1.bin", test::binary_row(0, 0));
    check_images(read_cifar10(folder.path()));
  }
}

TEST_CASE("CIFAR-100 is known as such in each of its forms") {
  for (const char* file :
       {"cifar-100-python/train", "cifar-100-binary/train.bin", "fine_label_names.txt"}) {
    const test::ScratchFolder folder;
    folder.write(file, "");
    CHECK_THROWS_WITH(read_cifar10(folder.path()), ContainsSubstring("is CIFAR-100"));
  }
  const test::ScratchFolder folder;
  for (const char* file : {"train", "test", "meta"}) {
    folder.write(file, "");
  }
  CHECK_THROWS_WITH(read_cifar10(folder.path()), ContainsSubstring("is CIFAR-100"));
}

TEST_CASE("a batch that git-lfs did not fetch says how to get it") {
  const test::ScratchFolder folder;
  test::write_old_pickles(folder, ".");
  folder.write("test_batch", "version https://git-lfs.github.com/spec/v1\n");
  CHECK_THROWS_WITH(read_cifar10(folder.path()), ContainsSubstring("lfs pull"));
}
