#include "cifar10_files.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "foreign_file.h"
#include "sdbench/base/dataset/cifar10.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

struct Form {
  std::string_view folder; ///< of the unpacked archive
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
constexpr const char* kKerasFolder = "datasets"; ///< in ~/.keras

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Possible places of a form: the given path, the folder of its unpacked archive, and Keras's
/// folder (older Keras used torchvision's).
std::vector<fs::path> places_of(const Form& form, const fs::path& path) {
  std::vector<fs::path> places = {path};
  const std::string folder(form.folder);
  for (const fs::path& above : {path, path / kKerasFolder}) {
    places.push_back(above / folder);
    places.push_back(above / folder / folder);
    places.push_back(above / (folder + "-target") / folder);
  }
  return places;
}

/// The files of one form in exactly this folder, and the missing ones.
struct FoundFiles {
  Cifar10Files files;
  std::vector<std::string> missing;
  bool has_any = false;
};

FoundFiles files_in(const fs::path& folder, const Form& form) {
  FoundFiles found{{folder, {}, {}, form.is_binary}, {}, false};
  const auto take = [&](std::string_view name) {
    fs::path file = folder / (std::string(name) + std::string(form.ending));
    if (is_file(file)) {
      found.has_any = true;
    } else {
      found.missing.push_back(file.filename().string());
    }
    return file;
  };
  found.files.train = mapped(kTrain, take);
  found.files.test = take(kTest);
  return found;
}

/// The first complete form in any place, even if another form is incomplete. Throws Error if a form
/// is incomplete and no form is complete.
std::optional<Cifar10Files> find_files(const fs::path& path, const std::string& what) {
  std::string begun;
  const std::size_t count = places_of(kForms.front(), path).size();
  for (std::size_t place = 0; place < count; ++place) {
    for (const Form& form : kForms) {
      const fs::path folder = places_of(form, path)[place];
      FoundFiles found = files_in(folder, form);
      if (found.missing.empty()) {
        return std::move(found.files);
      }
      if (found.has_any && begun.empty()) {
        begun = in_quotes(folder.string()) + " has no " + listed(found.missing, "and no") +
                "; unpack " + std::string(form.archive) + " again";
      }
    }
  }
  if (!begun.empty()) {
    throw Error(what + " must have all six batches of CIFAR-10, but " + begun);
  }
  return std::nullopt;
}

/// True for CIFAR-100 in any form: the folder itself or its parent.
bool is_cifar100(const fs::path& folder) {
  return is_folder(folder / "cifar-100-python") || is_folder(folder / "cifar-100-binary") ||
         is_file(folder / "fine_label_names.txt") ||
         (is_file(folder / "train") && is_file(folder / "test") && is_file(folder / "meta"));
}

constexpr std::array<std::string_view, 9> kArchiveEndings{".gz",  ".tgz", ".tar",  ".zip",    ".xz",
                                                          ".txz", ".bz2", ".tbz2", "_archive"};
/// Endings that browsers and other programs give to unfinished downloads.
constexpr std::array<std::string_view, 8> kUnfinishedEndings{
    ".part",     ".partial", ".crdownload", ".opdownload",
    ".download", ".tmp",     ".incomplete", ".aria2"};

template <std::size_t count>
bool has_ending(std::string_view name, const std::array<std::string_view, count>& endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_unfinished(const fs::path& file) {
  return has_ending(in_small_letters(file.filename().string()), kUnfinishedEndings);
}

bool is_archive(const fs::path& file) {
  return has_ending(downloaded_name(is_unfinished(file) ? file.stem() : file).string(),
                    kArchiveEndings);
}

/// True for the names that publishers, torchvision, Keras, mirrors, browsers ("(1)") and wget
/// (".1") give to CIFAR-10's archives.
bool is_archive_of_it(const fs::path& file) {
  const std::string name = in_small_letters(file.filename().string());
  const bool is_it =
      name.find("cifar-10") != std::string::npos || name.find("cifar10") != std::string::npos;
  const bool is_larger_one =
      name.find("cifar-100") != std::string::npos || name.find("cifar100") != std::string::npos;
  return is_it && !is_larger_one && is_archive(file);
}

/// Says what is wrong with an archive and what to do; empty if no fault is visible.
std::string archive_obstacle(const fs::path& archive) {
  if (is_unfinished(archive)) {
    return "is an unfinished download; finish it, or download it again";
  }
  const std::string fault = archive_fault(archive);
  return fault.empty() ? "" : fault + "; download it again";
}

/// An archive of CIFAR-10 in the folder or in Keras's, a complete one if possible.
std::optional<fs::path> find_archive(const fs::path& path) {
  std::vector<fs::path> archives;
  for (const fs::path& folder : {path, path / kKerasFolder}) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (is_archive_of_it(entry.path()) && is_file(entry.path())) {
        archives.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(archives); // a folder's order is arbitrary
  const auto whole = std::ranges::find_if(
      archives, [](const fs::path& archive) { return archive_obstacle(archive).empty(); });
  return whole != archives.end() ? std::optional(*whole)
         : archives.empty()      ? std::nullopt
                                 : std::optional(archives.front());
}

bool is_parquet(const fs::path& file) {
  return file_ending(file) == ".parquet" || foreign_form(first_bytes(file)) == kParquet;
}

/// True for CIFAR-10 in the Hugging Face Hub's form.
bool has_parquet(const fs::path& folder) {
  for (const fs::path& place : {folder, folder / "plain_text", folder / "data"}) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place, ignored)) {
      if (file_ending(entry.path()) == ".parquet") {
        return true;
      }
    }
  }
  return false;
}

constexpr const char* kNoParquet =
    "in Parquet, the Hugging Face Hub's format, which sdbench does not read; unpack "
    "cifar-10-binary.tar.gz and name the folder that it makes";

/// Says what to do with an existing archive. `then` follows the command that unpacks a complete
/// one.
std::string archive_words(const fs::path& archive, const std::string& then) {
  if (std::string obstacle = archive_obstacle(archive); !obstacle.empty()) {
    return obstacle;
  }
  const fs::path parent = archive.has_parent_path() ? archive.parent_path() : fs::path(".");
  const std::string file = "\"" + archive.string() + "\"";
  const std::string folder = "\"" + parent.string() + "\"";
  const bool is_zip = foreign_form(first_bytes(archive)) == kZip;
  return "must be unpacked: " +
         (is_zip ? "unzip " + file + " -d " + folder : "tar -xf " + file + " -C " + folder) + then;
}

std::string file_obstacle(const fs::path& path) {
  if (is_parquet(path)) {
    return std::string("is a file of images ") + kNoParquet;
  }
  return is_archive(path)
             ? "is an archive, which " + archive_words(path, "; then name the folder that it makes")
             : "is a file; name its folder";
}

/// Message for a path that is neither a file nor a folder.
std::string no_folder_words(const fs::path& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  std::error_code no_link;
  switch (status.type()) {
  case fs::file_type::not_found:
    return fs::is_symlink(path, no_link) ? "is a link to something that is not there"
                                         : "is not there";
  case fs::file_type::none:
    return "cannot be read: " + failure.message();
  case fs::file_type::fifo:
    return "is a pipe; name a folder";
  case fs::file_type::socket:
    return "is a socket; name a folder";
  default:
    return "is a device; name a folder";
  }
}

/// Says what is wrong with a path and what to do.
std::string obstacle_of(const fs::path& path) {
  if (is_file(path)) {
    return file_obstacle(path);
  }
  if (!is_folder(path)) {
    return no_folder_words(path);
  }
  std::error_code unreadable;
  if (const fs::directory_iterator entries(path, unreadable); unreadable) {
    return "cannot be read: " + unreadable.message();
  }
  if (is_cifar100(path)) {
    return "is CIFAR-100; the networks here have CIFAR-10's ten classes";
  }
  if (const auto archive = find_archive(path)) {
    return "has it only as an archive, " + archive->filename().string() + ", which " +
           archive_words(*archive, "");
  }
  if (has_parquet(path)) {
    return std::string("has images ") + kNoParquet;
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
