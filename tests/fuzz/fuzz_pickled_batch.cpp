// Any bytes as a batch of CIFAR-10 in Python's form. The reader must accept or throw Error with a
// one-line message, and what it hands out must lie inside the bytes or the texts decoded of them, a
// row for each label.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "sdbench/base/dataset/pickled_batch.h"
#include "sdbench/base/errors/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view pickle(reinterpret_cast<const char*>(bytes), size);
  try {
    const auto [pixels, labels, texts] = sdbench::read_pickled_batch(pickle, "file");
    const auto lies_in = [&pixels = pixels](std::string_view text) {
      const std::less<> is_before;
      return !is_before(pixels.data(), text.data()) &&
             !is_before(text.data() + text.size(), pixels.data() + pixels.size());
    };
    if (labels.empty() || pixels.size() != labels.size() * sdbench::kBatchImageBytes ||
        !(lies_in(pickle) || std::any_of(texts->begin(), texts->end(), lies_in))) {
      std::abort();
    }
  } catch (const sdbench::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) {
      std::abort();
    }
  }
  return 0;
}
