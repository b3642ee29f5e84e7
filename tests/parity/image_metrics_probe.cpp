// Our metrics for test_image_metrics.py. Arguments: width, height, and two files of RGB bytes, the
// second of the reference. Prints a JSON object; an infinite number is null.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <span>
#include <string>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/quality/image_metrics.h"

namespace {

using namespace sdbench;

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

} // namespace

int main(int count, char** arguments) {
  try {
    constexpr int kArguments = 5;
    if (count != kArguments) {
      std::fprintf(stderr, "usage: image_metrics_probe WIDTH HEIGHT IMAGE REFERENCE\n");
      return 2;
    }
    const std::string image = read_text_file(arguments[3]);
    const std::string reference = read_text_file(arguments[4]);
    const std::int64_t width = std::stoll(arguments[1]);
    const std::int64_t height = std::stoll(arguments[2]);
    const Difference found = difference(bytes_of(image), bytes_of(reference));
    std::cout << Json{{"mse", found.mse},
                      {"nmse", found.nmse},
                      {"max_error", found.max_error},
                      {"psnr_db", psnr_db(found.mse)},
                      {"ssim", ssim({bytes_of(image), width, height},
                                    {bytes_of(reference), width, height})}}
                     .dump()
              << std::endl;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "image_metrics_probe: %s\n", error.what());
    return 1;
  }
  return 0;
}
