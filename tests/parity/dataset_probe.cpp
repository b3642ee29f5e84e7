// Shows test_dataset.py what sdbench reads of a data set, as --data names it:
//   dataset_probe DATA FOLDER
// prints name, identity, means, deviations and labels as JSON, and writes the pixels to
// FOLDER/train and FOLDER/test.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>

#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/files/json_io.h"

namespace {

using namespace sdbench;

void write_pixels(const std::filesystem::path& file, const LabelledImages& images) {
  write_file_atomically(file, std::string_view(reinterpret_cast<const char*>(images.pixels.data()),
                                               images.pixels.size()));
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: dataset_probe DATA FOLDER\n", stderr);
    return 2;
  }
  try {
    const Dataset dataset = load_dataset(locate_data(argv[1]));
    const std::filesystem::path folder = argv[2];
    write_pixels(folder / "train", dataset.train);
    write_pixels(folder / "test", dataset.test);
    const Json facts{{"name", dataset.name},
                     {"identity", identity_of(dataset)},
                     {"mean", dataset.mean},
                     {"std", dataset.std},
                     {"train_labels", dataset.train.labels},
                     {"test_labels", dataset.test.labels}};
    std::puts(facts.dump().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dataset_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}
