#include "sdbench/worker/output_targets.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include <unistd.h>

#include "sdbench/core/error.h"

namespace sdbench {
namespace {

void require_writable(const char* option, const std::filesystem::path& folder) {
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(std::string(option) + " must name a place that can be written to, but " +
                folder.string() + " cannot: " + std::strerror(errno));
  }
}

} // namespace

void check_output_targets(const Cell& cell) {
  if (!cell.save_images.empty()) {
    std::error_code problem;
    std::filesystem::create_directories(cell.save_images, problem);
    if (problem || !std::filesystem::is_directory(cell.save_images)) {
      throw Error(
          "--save-images must be a folder, but " + cell.save_images.string() +
          " cannot be made: " + (problem ? problem.message() : "something else has that name"));
    }
    require_writable("--save-images", cell.save_images);
  }
  if (!cell.dump_latents.empty()) {
    if (std::filesystem::is_directory(cell.dump_latents)) {
      throw Error("--dump-latents must be a file, but " + cell.dump_latents.string() +
                  " is a folder");
    }
    require_writable("--dump-latents", std::filesystem::absolute(cell.dump_latents).parent_path());
  }
}

} // namespace sdbench
