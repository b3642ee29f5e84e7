#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "scratch_folder.h"

namespace sdbench::test {

inline constexpr std::array kBatches{"data_batch_1", "data_batch_2", "data_batch_3",
                                     "data_batch_4", "data_batch_5", "test_batch"};

/// An image whose bytes tell which one it is: byte i of image `number` is (number + i) mod 251.
inline std::string image_bytes(std::size_t number) {
  std::string bytes;
  for (std::size_t i = 0; i < 3072; ++i) {
    bytes += static_cast<char>((number + i) % 251);
  }
  return bytes;
}

/// A row of the binary form.
inline std::string binary_row(int label, std::size_t number) {
  return std::string(1, static_cast<char>(label)) + image_bytes(number);
}

inline std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> (8 * i) & 0xFF);
  }
  return text;
}

/// str of Python 2.
inline std::string old_text(const std::string& text) {
  return text.size() < 256 ? "U" + little_endian(text.size(), 1) + text
                           : "T" + little_endian(text.size(), 4) + text;
}

/// A numpy array of uint8 by rows, as Python 2 pickled it.
inline std::string old_array(std::size_t rows, const std::string& bytes) {
  return std::string("cnumpy.core.multiarray\n_reconstruct\nq\x07") + "cnumpy\nndarray\nq\x08" +
         std::string("K\0\x85q\x09", 5) + old_text("b") + "\x87Rq\x0a" + "(K\x01" + "M" +
         little_endian(rows, 2) + "M" + little_endian(3072, 2) + "\x86" + "cnumpy\ndtype\n" +
         old_text("u1") + std::string("K\0K\1\x87Rq\x0b", 8) + "(K\x03" + old_text("|") + "NNN" +
         "J" + little_endian(0xFFFFFFFF, 4) + "J" + little_endian(0xFFFFFFFF, 4) +
         std::string("K\0tb\x89", 5) + old_text(bytes) + "tb";
}

/// A batch as in CIFAR-10's archive: protocol 2, a dict of four, filled at once. `labels`: bytes.
inline std::string old_pickle(const std::string& labels, const std::string& bytes) {
  std::string numbers;
  std::string names;
  for (const char label : labels) {
    numbers += std::string("K") + label;
    names += old_text("a_s_000001.png");
  }
  return std::string("\x80\x02}q\x01(") + old_text("batch_label") + "q\x02" +
         old_text("training batch 1 of 5") + old_text("labels") + "]q\x05(" + numbers + "e" +
         old_text("data") + old_array(labels.size(), bytes) + old_text("filenames") + "](" + names +
         "eu.";
}

/// What a tar archive of a block is to a reader that looks at a gzip file's two ends alone.
inline std::string gzip_of_tar() {
  return "\x1f\x8b\x08" + std::string(97, '\x55') + little_endian(10240, 4);
}

/// A folder of six batches of one image each, labels 0 to 5, images numbered alike; test_batch is
/// the last.
inline void write_binary_batches(const ScratchFolder& folder, const std::string& where) {
  for (std::size_t i = 0; i < kBatches.size(); ++i) {
    folder.write(where + "/" + kBatches[i] + ".bin", binary_row(static_cast<int>(i), i));
  }
}

inline void write_old_pickles(const ScratchFolder& folder, const std::string& where) {
  for (std::size_t i = 0; i < kBatches.size(); ++i) {
    folder.write(where + "/" + kBatches[i],
                 old_pickle(std::string(1, static_cast<char>(i)), image_bytes(i)));
  }
}

} // namespace sdbench::test
