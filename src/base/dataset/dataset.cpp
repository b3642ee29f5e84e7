#include "sdbench/base/dataset/dataset.h"

#include <cstddef>
#include <string_view>

#include "sdbench/base/files/sha256.h"

namespace sdbench {
namespace {

std::string digest_of(const std::vector<std::uint8_t>& bytes) {
  return sha256_hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

} // namespace

std::string identity_of(const Dataset& dataset) {
  constexpr std::size_t kDigits = 16;
  std::string parts;
  for (const LabelledImages* images : {&dataset.train, &dataset.test}) {
    parts += digest_of(images->pixels) + digest_of(images->labels);
  }
  return dataset.name + ":" + sha256_hex(parts).substr(0, kDigits);
}

} // namespace sdbench
