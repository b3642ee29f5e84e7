#include "pickle_refusal.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/git_lfs.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench {

bool is_pickle(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 4> kPickles{".ckpt", ".bin", ".pt", ".pth"};
  return std::ranges::find(kPickles, file_ending(path)) != kPickles.end() &&
         !looks_like_safetensors(path);
}

void refuse_pickle(const std::filesystem::path& path) {
  if (!is_pickle(path)) {
    return;
  }
  refuse_git_lfs_pointer(read_or_empty(path, kPointerStart), path);
  std::filesystem::path instead = path;
  instead.replace_extension(".safetensors");
  const bool is_there = std::filesystem::exists(instead);
  throw Error("weights must be a .safetensors file or a diffusers folder, but " + path.string() +
              " is a pickle; use " +
              (is_there
                   ? instead.string()
                   : "the same model's .safetensors file, such as " + instead.filename().string()));
}

std::string conversion_command(const std::string& pipeline) {
  const std::string folder = std::filesystem::path(pipeline).filename().string() + "-safetensors";
  return "python3 -c \"from diffusers import DiffusionPipeline as P; P.from_pretrained('" +
         pipeline + "').save_pretrained('" + folder + "')\", then --weights " + folder;
}

bool looks_like_safetensors(const std::filesystem::path& file) {
  constexpr std::size_t kLengthBytes = 8;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    return false;
  }
  const std::string begin = read_or_empty(file, kLengthBytes + 1);
  if (begin.size() <= kLengthBytes) {
    return false;
  }
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(begin[i]);
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return !error && begin.back() == '{' && length <= size - kLengthBytes;
}

} // namespace sdbench
