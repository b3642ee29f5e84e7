#include "foreign_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <system_error>

#include "pickle_text.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLengthBytes = 4;
constexpr std::int64_t kTarBlock = 512;
constexpr std::string_view kPacked = "a file that gzip has packed";

struct FirstBytes {
  std::string_view bytes;
  std::string_view form;
};

constexpr std::array kForeign{
    FirstBytes{"PAR1", kParquet},
    FirstBytes{"\x1f\x8b", kPacked},
    FirstBytes{"PK\x03\x04", kZip},
    FirstBytes{"<!DOCTYPE", "a page of the web"},
    FirstBytes{"<!doctype", "a page of the web"},
    FirstBytes{"<html", "a page of the web"},
};

/// Size of a gzip file's content, according to its last bytes.
std::int64_t unpacked_size(const fs::path& file, std::uintmax_t size) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(size - kLengthBytes));
  std::string last(kLengthBytes, '\0');
  in.read(last.data(), static_cast<std::streamsize>(kLengthBytes));
  return in ? integer_in(last, "u4", false).value() : 0;
}

} // namespace

std::string_view foreign_form(std::string_view first_bytes) {
  for (const FirstBytes& row : kForeign) {
    if (first_bytes.starts_with(row.bytes)) {
      return row.form;
    }
  }
  return {};
}

std::string first_bytes(const fs::path& file) {
  constexpr std::size_t kEnough = 16;
  return read_or_empty(file, kEnough);
}

fs::path downloaded_name(const fs::path& file) {
  const fs::path name = in_small_letters(file.filename().string());
  const std::string ending = name.extension().string();
  const bool is_number =
      ending.size() > 1 && ending.find_first_not_of("0123456789", 1) == std::string::npos;
  return is_number ? name.stem() : name;
}

/// A tar archive consists of whole blocks. The last bytes of a truncated gzip file are arbitrary
/// and state such a length once in 512 times.
std::string archive_fault(const fs::path& archive) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(archive, error);
  if (error) {
    return {};
  }
  if (size == 0) {
    return "has 0 bytes";
  }
  const std::string_view form = foreign_form(first_bytes(archive));
  if (form == kPacked &&
      (size < 2 * kLengthBytes || unpacked_size(archive, size) % kTarBlock != 0)) {
    return "is cut off after " + std::to_string(size) + " bytes";
  }
  const std::string ending = file_ending(downloaded_name(archive));
  if (ending == ".tar" && form.empty() && size % kTarBlock != 0) {
    return "is cut off after " + std::to_string(size) + " bytes";
  }
  if ((ending == ".gz" || ending == ".tgz") && form != kPacked) {
    return "is " + (form.empty() ? "not a file that gzip has packed" : std::string(form));
  }
  if (ending == ".zip" && form.empty()) {
    return "is not a zip archive";
  }
  return form.empty() || form == kPacked || form == kZip ? "" : "is " + std::string(form);
}

} // namespace sdbench
