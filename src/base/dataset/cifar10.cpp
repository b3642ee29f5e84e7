#include "sdbench/base/dataset/cifar10.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cifar10_files.h"
#include "foreign_file.h"
#include "sdbench/base/dataset/pickled_batch.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/git_lfs.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kCifarClasses = 10;
constexpr std::size_t kBinaryRow = 1 + kBatchImageBytes;

/// `row` counts from 0 within `file`.
void add_label(std::int64_t label, const fs::path& file, LabelledImages& images, std::size_t row) {
  if (label < 0 || label >= kCifarClasses) {
    throw Error("the labels in " + file.string() + " must be from 0 to 9, but row " +
                std::to_string(row) + " (the first is 0) has " + std::to_string(label) +
                "; this is not CIFAR-10, or is damaged: unpack the archive again");
  }
  images.labels.push_back(static_cast<std::uint8_t>(label));
}

void add_pixels(std::string_view pixels, LabelledImages& images) {
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(pixels.data());
  images.pixels.insert(images.pixels.end(), begin, begin + pixels.size());
}

void add_binary_batch(std::string_view bytes, const fs::path& file, LabelledImages& images) {
  if (bytes.empty() || bytes.size() % kBinaryRow != 0) {
    throw Error(file.string() + " must be rows of " + std::to_string(kBinaryRow) +
                " bytes, but has " + std::to_string(bytes.size()) +
                " bytes; it is cut off: unpack the archive again");
  }
  for (std::size_t row = 0; row < bytes.size() / kBinaryRow; ++row) {
    const std::string_view here = bytes.substr(row * kBinaryRow, kBinaryRow);
    add_label(static_cast<std::uint8_t>(here.front()), file, images, row);
    add_pixels(here.substr(1), images);
  }
}

void add_pickled_batch(std::string_view bytes, const fs::path& file, LabelledImages& images) {
  const PickledBatch batch = read_pickled_batch(bytes, file.string());
  for (std::size_t row = 0; row < batch.labels.size(); ++row) {
    add_label(batch.labels[row], file, images, row);
  }
  add_pixels(batch.pixels, images);
}

/// Refuses files of different lengths. A binary file that was cut between two images looks
/// complete, but all six of CIFAR-10 have the same number of images.
void refuse_uneven(const Cifar10Files& files) {
  std::vector<fs::path> all = files.train;
  all.push_back(files.test);
  const auto size = [](const fs::path& file) { return fs::file_size(file); };
  const std::uintmax_t longest = size(*std::ranges::max_element(all, {}, size));
  for (const fs::path& file : all) {
    if (size(file) != longest) {
      throw Error(file.string() +
                  " must have as many images as the longest of the six batches, which has " +
                  std::to_string(longest / kBinaryRow) + ", but has " +
                  std::to_string(size(file) / kBinaryRow) +
                  "; it is cut off: unpack the archive again");
    }
  }
}

LabelledImages read_batches(const std::vector<fs::path>& files, bool is_binary) {
  LabelledImages images;
  std::uintmax_t size = 0;
  for (const fs::path& file : files) {
    size += fs::file_size(file);
  }
  images.pixels.reserve(size); // an upper bound, so that nothing is copied again
  for (const fs::path& file : files) {
    const std::string bytes = read_text_file(file);
    refuse_git_lfs_pointer(bytes, file);
    if (const std::string_view form = foreign_form(bytes); !form.empty()) {
      throw Error(file.string() + " must be a batch of CIFAR-10, but is " + std::string(form) +
                  "; unpack the archive again");
    }
    (is_binary ? add_binary_batch : add_pickled_batch)(bytes, file, images);
  }
  images.count = static_cast<std::int64_t>(images.labels.size());
  return images;
}

} // namespace

Dataset read_cifar10(const fs::path& path) {
  const Cifar10Files files = cifar10_files(path, "data");
  Dataset dataset;
  dataset.name = "cifar10";
  dataset.class_count = kCifarClasses;
  dataset.train = read_batches(files.train, files.is_binary);
  dataset.test = read_batches({files.test}, files.is_binary);
  if (files.is_binary) {
    refuse_uneven(files);
  }
  fill_facts(dataset);
  return dataset;
}

} // namespace sdbench
