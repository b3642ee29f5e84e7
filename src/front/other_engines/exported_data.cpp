#include "exported_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench {
namespace {

/// A tensor of the file and where its bytes are.
struct Part {
  TensorDeclaration tensor;
  std::span<const std::byte> bytes;
};

void add_images(std::vector<Part>& parts, const std::string& split, const LabelledImages& images) {
  parts.push_back({{split + "_images",
                    Dtype::kU8,
                    {images.count, images.channels, images.height, images.width}},
                   std::as_bytes(std::span(images.pixels))});
  parts.push_back(
      {{split + "_labels", Dtype::kU8, {images.count}}, std::as_bytes(std::span(images.labels))});
}

void add_of_channels(std::vector<Part>& parts, const std::string& name,
                     const std::vector<float>& numbers) {
  parts.push_back({{name, Dtype::kF32, {static_cast<std::int64_t>(numbers.size())}},
                   std::as_bytes(std::span(numbers))});
}

} // namespace

void export_data(const DataLocation& location, const std::filesystem::path& file) {
  const Dataset dataset = load_dataset(location);
  std::vector<Part> parts;
  add_images(parts, "train", dataset.train);
  add_images(parts, "test", dataset.test);
  add_of_channels(parts, "mean", dataset.mean);
  add_of_channels(parts, "std", dataset.std);
  std::vector<TensorDeclaration> tensors;
  for (const Part& part : parts) {
    tensors.push_back(part.tensor);
  }
  write_safetensors(file, tensors,
                    [&](std::size_t index, std::span<std::byte> out) {
                      std::ranges::copy(parts[index].bytes, out.begin());
                    },
                    {{"identity", identity_of(dataset)}});
}

} // namespace sdbench
