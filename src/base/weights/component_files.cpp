#include "sdbench/base/weights/component_files.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "pickle_refusal.h"
#include "renaming.h"
#include "same_values.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/git_lfs.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/weights/checkpoint.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// One way to read a component: a file, or shards with their index.
struct Candidate {
  fs::path name; ///< the file, or the index
  std::vector<fs::path> files;
  std::map<std::string, std::string> shard_of; ///< tensor → file name, from the index
};

bool is_plain_name(const std::string& name) {
  return name.find('/') == std::string::npos && name.find('\0') == std::string::npos &&
         name.ends_with(".safetensors");
}

Candidate read_index(const fs::path& index) {
  const Json document = read_json_file(index);
  const auto map = document.is_object() ? document.find("weight_map") : document.end();
  if (!document.is_object() || map == document.end() || !map->is_object() || map->empty()) {
    throw Error(index.string() + " must have an object weight_map of tensor names and files");
  }
  Candidate candidate{index, {}, {}};
  std::set<std::string> names;
  for (const auto& [tensor, file] : map->items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : file.dump();
    if (!file.is_string() || !is_plain_name(name)) {
      throw Error(index.string() + ": the file of tensor " + in_quotes(tensor) +
                  " must be a .safetensors file of the index's own folder, but is " +
                  in_quotes(name));
    }
    candidate.shard_of[tensor] = name;
    names.insert(name);
  }
  candidate.files =
      mapped(names, [&](const std::string& name) { return index.parent_path() / name; });
  return candidate;
}

/// File names of one variant, in the order of search: diffusers looks for an index first (under its
/// present name, then the older one), transformers for a single file. Names that the library does
/// not look for come last.
std::vector<fs::path> names_of_variant(const fs::path& folder, Component component,
                                       const std::string& variant) {
  const std::string base = component_row(component).weights;
  const fs::path file = folder / (base + variant + ".safetensors");
  const fs::path index = folder / (base + ".safetensors.index" + variant + ".json");
  const bool is_text = component_row(component).role == ComponentRole::kText;
  std::vector<fs::path> names = is_text ? std::vector{file, index} : std::vector{index, file};
  if (!variant.empty()) { // without a variant all index names are equal
    names.insert(names.begin() + (is_text ? 2 : 1),
                 folder / (base + ".safetensors" + variant + ".index.json"));
    names.emplace_back(file.string() + ".index.json");
  }
  std::erase_if(names, [](const fs::path& name) { return !fs::exists(name); });
  return names;
}

Candidate candidate_of(const fs::path& name) {
  return name.extension() == ".json" ? read_index(name) : Candidate{name, {name}, {}};
}

std::vector<fs::path> missing_files(const Candidate& candidate) {
  return filtered(candidate.files, [](const fs::path& file) { return !fs::exists(file); });
}

/// In order of preference.
constexpr std::array<const char*, 4> kVariants{"", ".fp32", ".bf16", ".fp16"};

/// Variants that exist but are never used (".non_ema"), by the names of their files and indexes.
std::set<std::string> other_variants(const fs::path& folder, Component component) {
  std::set<std::string> variants;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    std::vector<std::string_view> words = split(name, '.');
    if (words.front() != component_row(component).weights ||
        std::erase(words, "safetensors") != 1) {
      continue;
    }
    std::erase(words, "index");
    std::erase(words, "json");
    if (words.size() == 2) {
      variants.insert("." + std::string(words.back()));
    }
  }
  for (const char* variant : kVariants) {
    variants.erase(variant);
  }
  return variants;
}

struct Found {
  std::optional<Candidate> taken;
  std::vector<fs::path> others; ///< other existing candidates
  std::string missing_shards; ///< of indexes whose shards are not all there: a download of another
                              ///< variant leaves such
};

/// The first existing name of a variant decides, as in diffusers and transformers: an older single
/// file does not replace an incomplete set of shards.
Found find_candidates(const fs::path& root, Component component) {
  const fs::path folder = root / folder_name(component);
  Found found;
  for (const char* variant : kVariants) {
    std::vector<fs::path> names = names_of_variant(folder, component, variant);
    if (!found.taken && !names.empty()) {
      Candidate first = candidate_of(names.front());
      const std::vector<fs::path> missing = missing_files(first);
      for (const fs::path& file : missing) {
        found.missing_shards.append(" ").append(in_quotes(file.filename().string()));
      }
      if (missing.empty()) {
        found.taken = std::move(first);
        names.erase(names.begin());
      }
    }
    found.others.insert(found.others.end(), names.begin(), names.end());
  }
  return found;
}

/// Other weights in the folder, for the error that no file fits.
std::string other_weights(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string extension = file_ending(entry.path());
    if (extension == ".bin" || extension == ".ckpt" || extension == ".pt" ||
        extension == ".safetensors") {
      names.insert(in_quotes(entry.path().filename().string()));
    }
  }
  return joined({names.begin(), names.end()});
}

[[noreturn]] void refuse(const fs::path& root, Component component, const Found& found) {
  const fs::path folder = root / folder_name(component);
  if (!fs::is_directory(folder)) {
    throw Error("the checkpoint must have a folder " + folder.string() + ", but has none");
  }
  if (!found.missing_shards.empty()) {
    throw Error(folder.string() + " must hold every file its index names, but lacks" +
                found.missing_shards + "; the download may be incomplete");
  }
  const std::string others = other_weights(folder);
  throw Error(folder.string() + " must hold " + component_row(component).weights +
              ".safetensors (or a .fp16. variant, or an index with shards), but holds " +
              (others.empty() ? "no weights" : "only " + others) +
              "; download the .safetensors files (pickles are never opened), or, if you trust "
              "them, convert them: " +
              conversion_command(root.string()));
}

std::vector<SafetensorsFile> open(const Candidate& candidate) {
  std::vector<SafetensorsFile> files;
  std::map<std::string, const TensorMap*> tensors_of;
  files.reserve(candidate.files.size());
  for (const fs::path& path : candidate.files) {
    files.emplace_back(path);
    tensors_of[path.filename().string()] = &files.back().tensors();
  }
  for (const auto& [tensor, shard] : candidate.shard_of) {
    const TensorMap& tensors = *tensors_of.at(shard);
    if (!tensors.contains(tensor) && !tensors.contains(without_wrappers(tensor))) {
      throw Error(candidate.name.string() + ": tensor " + in_quotes(tensor) + " must be in " +
                  in_quotes(shard) + ", but is not; the download may be mixed from two versions");
    }
  }
  return files;
}

TensorMap all_tensors(const std::vector<SafetensorsFile>& files) {
  TensorMap tensors;
  for (const SafetensorsFile& file : files) {
    for (const auto& [name, view] : file.tensors()) {
      if (!tensors.emplace(name, view).second) {
        throw Error(file.path().string() + ": tensor " + in_quotes(name) +
                    " must be in one shard, but is in two");
      }
    }
  }
  return tensors;
}

/// True if a file that is not chosen holds other values or cannot be read. False for an index
/// without any of its shards.
bool holds_other_values(const fs::path& name, Component component, const TensorMap& tensors) {
  try {
    const Candidate candidate = candidate_of(name);
    if (missing_files(candidate).size() == candidate.files.size()) {
      return false;
    }
    const std::vector<SafetensorsFile> files = open(candidate);
    return !have_same_values(current_names(component, all_tensors(files), name.string()), tensors);
  } catch (const Error&) {
    return true;
  }
}

} // namespace

ComponentFiles open_component_files(const fs::path& root, Component component) {
  const Found found = find_candidates(root, component);
  if (!found.taken) {
    refuse(root, component, found);
  }
  ComponentFiles component_files;
  component_files.files = open(*found.taken);
  component_files.tensors = current_names(component, all_tensors(component_files.files),
                                          (root / folder_name(component)).string());
  return component_files;
}

std::string note_of_other_files(const fs::path& root, Component component,
                                const TensorMap& tensors) {
  const fs::path folder = root / folder_name(component);
  Found found = find_candidates(root, component);
  for (const std::string& variant : other_variants(folder, component)) {
    const std::vector<fs::path> names = names_of_variant(folder, component, variant);
    found.others.insert(found.others.end(), names.begin(), names.end());
  }
  std::string others;
  for (const fs::path& name : found.others) {
    const bool is_pointer = is_git_lfs_pointer(read_or_empty(name, kPointerStart));
    if (is_pointer || holds_other_values(name, component, tensors)) {
      others.append(others.empty() ? "" : ", ").append(name.filename().string());
      if (is_pointer) {
        others += " (git-lfs's pointer to a file that was not fetched)";
      }
    }
  }
  return others.empty() ? ""
                        : std::string("the weights of ") + folder_name(component) +
                              " are those of " + found.taken->name.filename().string() +
                              "; other weights lie beside them and are not read: " + others;
}

bool has_component_files(const fs::path& root, Component component) {
  return find_candidates(root, component).taken.has_value();
}

} // namespace sdbench
