#include "sdbench/weights/pickle.h"

#include <string>

#include "sdbench/core/error.h"

namespace sdbench {

void refuse_pickle(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".ckpt" && extension != ".bin" && extension != ".pt" && extension != ".pth") {
    return;
  }
  std::filesystem::path instead = path;
  instead.replace_extension(".safetensors");
  const bool is_there = std::filesystem::exists(instead);
  throw Error("weights must be a .safetensors file or a diffusers folder, but " + path.string() +
              " is a pickle; use " +
              (is_there
                   ? instead.string()
                   : "the same model's .safetensors file, such as " + instead.filename().string()));
}

} // namespace sdbench
