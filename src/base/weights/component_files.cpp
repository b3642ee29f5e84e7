#include "sdbench/base/weights/component_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "pickle.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/core/file_ending.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// One way to read a component: a file, or shards with their index.
struct Candidate {
  std::vector<fs::path> files;
  fs::path index;                              ///< empty: no shards
  std::map<std::string, std::string> shard_of; ///< tensor → file name, as the index says
};

std::string base_name(Component component) {
  return component == Component::kUNet || component == Component::kVae ? "diffusion_pytorch_model"
                                                                       : "model";
}

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
  Candidate candidate{{}, index, {}};
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
  for (const std::string& name : names) {
    candidate.files.push_back(index.parent_path() / name);
  }
  return candidate;
}

struct Found {
  std::vector<Candidate> complete;
  std::string missing_shards; ///< of indexes whose shards are not all there: a download of another
                              ///< variant leaves such
};

Found find_candidates(const fs::path& folder, const std::string& base) {
  Found found;
  const std::string file_name = base + ".safetensors";
  for (const std::string variant : {"", ".fp32", ".bf16", ".fp16"}) {
    const std::string variant_name = std::string(base).append(variant).append(".safetensors");
    if (const fs::path file = folder / variant_name; fs::exists(file)) {
      found.complete.push_back({{file}, {}, {}});
      continue;
    }
    for (const std::string& name :
         {std::string(file_name).append(".index").append(variant).append(".json"),
          std::string(variant_name).append(".index.json")}) {
      if (!fs::exists(folder / name)) {
        continue;
      }
      Candidate candidate = read_index(folder / name);
      std::string missing;
      for (const fs::path& file : candidate.files) {
        if (!fs::exists(file)) {
          missing.append(" ").append(in_quotes(file.filename().string()));
        }
      }
      if (missing.empty()) {
        found.complete.push_back(std::move(candidate));
      } else {
        found.missing_shards += missing;
      }
      break;
    }
  }
  return found;
}

/// What else lies in the folder, for the message that nothing fits.
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
  std::string text;
  for (const std::string& name : names) {
    text.append(text.empty() ? "" : ", ").append(name);
  }
  return text;
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& base, const Found& found) {
  if (!fs::is_directory(folder)) {
    throw Error("the checkpoint must have a folder " + folder.string() + ", but has none");
  }
  if (!found.missing_shards.empty()) {
    throw Error(folder.string() + " must hold every file its index names, but lacks" +
                found.missing_shards + "; the download may be incomplete");
  }
  const std::string others = other_weights(folder);
  throw Error(folder.string() + " must hold " + base +
              ".safetensors (or a .fp16. variant, or an index with shards), but holds " +
              (others.empty() ? "no weights" : "only " + others) +
              "; download the .safetensors files (pickles are never opened), or where you trust "
              "them convert them: " +
              conversion_command(folder.parent_path().string()));
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
    if (!tensors_of.at(shard)->contains(tensor)) {
      throw Error(candidate.index.string() + ": tensor " + in_quotes(tensor) + " must be in " +
                  in_quotes(shard) + ", but is not; the download may be mixed from two versions");
    }
  }
  return files;
}

/// The dtype of most of the bytes.
Dtype main_dtype(const std::vector<SafetensorsFile>& files) {
  std::map<Dtype, std::size_t> bytes;
  for (const SafetensorsFile& file : files) {
    for (const auto& [name, view] : file.tensors()) {
      bytes[view.dtype] += view.data.size();
    }
  }
  const auto most = std::max_element(
      bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == bytes.end() ? Dtype::kF32 : most->first;
}

int distance(Dtype stored, Dtype wanted) {
  if (stored == wanted) {
    return 0;
  }
  switch (stored) {
  case Dtype::kF32:
  case Dtype::kF64:
    return 1;
  case Dtype::kF16:
  case Dtype::kBF16:
    return 2;
  default:
    return 3;
  }
}

} // namespace

std::vector<SafetensorsFile> open_component_files(const fs::path& root, Component component,
                                                  Dtype wanted) {
  const fs::path folder = root / folder_name(component);
  const std::string base = base_name(component);
  const Found found = find_candidates(folder, base);
  if (found.complete.empty()) {
    refuse(folder, base, found);
  }
  std::vector<SafetensorsFile> best = open(found.complete.front());
  for (std::size_t i = 1; i < found.complete.size(); ++i) {
    std::vector<SafetensorsFile> other = open(found.complete[i]);
    if (distance(main_dtype(other), wanted) < distance(main_dtype(best), wanted)) {
      best = std::move(other);
    }
  }
  return best;
}

bool has_component_files(const fs::path& root, Component component) {
  return !find_candidates(root / folder_name(component), base_name(component)).complete.empty();
}

} // namespace sdbench
