#include "cifar10_files.h"

#include <array>
#include <optional>
#include <string_view>
#include <system_error>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/file_ending.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/dataset/cifar10.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

struct Form {
  std::string_view folder; ///< that the archive unpacks to
  std::string_view archive;
  std::string_view ending; ///< of a batch's name
  bool is_binary;
};

constexpr std::array kForms{
    Form{"cifar-10-batches-bin", "cifar-10-binary.tar.gz", ".bin", true},
    Form{"cifar-10-batches-py", "cifar-10-python.tar.gz", "", false},
};

constexpr std::array<std::string_view, 5> kTrain{"data_batch_1", "data_batch_2", "data_batch_3",
                                                 "data_batch_4", "data_batch_5"};
constexpr std::string_view kTest = "test_batch";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The files of one form in this very folder; nothing if it has none of them.
std::optional<Cifar10Files> files_in(const fs::path& folder, const Form& form,
                                     const std::string& what) {
  Cifar10Files files{folder, {}, {}, form.is_binary};
  std::vector<std::string> missing;
  std::size_t found = 0;
  const auto take = [&](std::string_view name) {
    fs::path file = folder / (std::string(name) + std::string(form.ending));
    if (is_file(file)) {
      ++found;
    } else {
      missing.push_back(file.filename().string());
    }
    return file;
  };
  for (const std::string_view name : kTrain) {
    files.train.push_back(take(name));
  }
  files.test = take(kTest);
  if (found > 0 && !missing.empty()) {
    throw Error(what + " must have all six batches of CIFAR-10, but " + in_quotes(folder.string()) +
                " has no " + listed(missing, "and no") + "; unpack " + std::string(form.archive) +
                " again");
  }
  return found > 0 ? std::optional(files) : std::nullopt;
}

std::optional<Cifar10Files> find_files(const fs::path& path, const std::string& what) {
  for (const Form& form : kForms) {
    if (auto files = files_in(path, form, what)) {
      return files;
    }
  }
  for (const Form& form : kForms) {
    if (auto files = files_in(path / form.folder, form, what)) {
      return files;
    }
  }
  return std::nullopt;
}

/// In any of its forms: as it is unpacked, or that folder itself.
bool is_cifar100(const fs::path& folder) {
  return is_folder(folder / "cifar-100-python") || is_folder(folder / "cifar-100-binary") ||
         is_file(folder / "fine_label_names.txt") ||
         (is_file(folder / "train") && is_file(folder / "test") && is_file(folder / "meta"));
}

std::string unpack_command(const fs::path& archive) {
  const fs::path folder = archive.has_parent_path() ? archive.parent_path() : fs::path(".");
  return "unpack it: tar -xf \"" + archive.string() + "\" -C \"" + folder.string() + "\"";
}

bool is_archive(const fs::path& file) {
  const std::string ending = file_ending(file);
  return ending == ".gz" || ending == ".tgz" || ending == ".tar" || ending == ".zip";
}

/// What is wrong with a path, and what to do.
std::string obstacle_of(const fs::path& path) {
  if (is_file(path)) {
    return is_archive(path) ? "is an archive; " + unpack_command(path) +
                                  ", then name the folder that comes of it"
                            : "is a file; name its folder";
  }
  if (!is_folder(path)) {
    return "is not there";
  }
  if (is_cifar100(path)) {
    return "is CIFAR-100; the networks here have CIFAR-10's ten classes";
  }
  for (const Form& form : kForms) {
    if (is_file(path / form.archive)) {
      return "has it as an archive only; " + unpack_command(path / form.archive);
    }
  }
  return "has neither a batch (data_batch_1.bin or data_batch_1) nor one of these folders; "
         "unpack cifar-10-binary.tar.gz there, or take made-up images: synthetic";
}

} // namespace

Cifar10Files cifar10_files(const fs::path& path, const std::string& what) {
  if (auto files = find_files(path, what)) {
    return *files;
  }
  throw Error(what + " must be a folder of CIFAR-10 (" + std::string(kForms[0].folder) + ", " +
              std::string(kForms[1].folder) + " or the folder above), but " +
              in_quotes(path.string()) + " " + obstacle_of(path));
}

fs::path find_cifar10(const fs::path& path, const std::string& what) {
  return cifar10_files(path, what).folder;
}

} // namespace sdbench
