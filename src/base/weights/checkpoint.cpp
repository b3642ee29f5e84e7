#include "sdbench/base/weights/checkpoint.h"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "pickle_refusal.h"
#include "renaming.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/weights/component_files.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/single_file.h"
#include "sdbench/base/weights/single_file_names.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

ComponentWeights make(TensorMap tensors, std::vector<SafetensorsFile> files) {
  ComponentWeights weights;
  weights.tensors = std::move(tensors);
  for (const SafetensorsFile& file : files) {
    weights.files.push_back(file.path().string());
    if (!file.taken_off_names().empty()) {
      weights.notes.push_back("names in " + file.path().string() + " have " +
                              file.taken_off_names() +
                              ", which a wrapper of PyTorch added; sdbench removes it");
    }
  }
  weights.keep_alive = std::make_shared<const std::vector<SafetensorsFile>>(std::move(files));
  weights.are_mapped = true;
  return weights;
}

ComponentWeights open_from_single_file(const fs::path& path, Component component) {
  std::vector<SafetensorsFile> files;
  files.emplace_back(path);
  if (component == Component::kNetwork) { // such a file has only one component
    TensorMap all = files.front().tensors();
    return make(std::move(all), std::move(files));
  }
  const TensorMap& tensors = files.front().tensors();
  static_cast<void>(model_of_single_file(tensors, path.string())); // throws for other kinds
  TensorMap named = single_file_names(component, tensors, path.string());
  if (named.empty()) {
    throw Error(path.string() + " must hold the component " + folder_name(component) +
                ", but has no tensor of it; use a full checkpoint of the right model");
  }
  std::vector<std::string> outside = tensors_of_no_component(tensors);
  ComponentWeights weights = make(std::move(named), std::move(files));
  weights.outside = std::move(outside);
  return weights;
}

ComponentWeights open_from_folder(const fs::path& root, Component component) {
  ComponentFiles opened = open_component_files(root, component);
  ComponentWeights weights = make(std::move(opened.tensors), std::move(opened.files));
  if (std::string note = note_of_other_files(root, component, weights.tensors); !note.empty()) {
    weights.notes.push_back(std::move(note));
  }
  return weights;
}

/// Name of the file's blob in the Hugging Face cache (models--…/blobs/NAME); empty if the file is
/// not in the cache.
std::string blob_name(const fs::path& file) {
  std::error_code ignored;
  const fs::path target = fs::canonical(file, ignored);
  return target.parent_path().filename() == "blobs" ? target.filename().string() : "";
}

/// Hash of properties that change when a file is rewritten: cheaper than hashing gigabytes. Its
/// prefix shows its kind.
std::string meta_hash(const SafetensorsFile& file) {
  struct stat status {};
  if (::stat(file.path().c_str(), &status) != 0) {
    throw Error("cannot read " + file.path().string() + ": " + std::strerror(errno));
  }
  return sha256_hex(std::string(file.header_text()) + "|" + std::to_string(status.st_size) + "|" +
                    std::to_string(status.st_mtim.tv_sec) + "." +
                    std::to_string(status.st_mtim.tv_nsec));
}

std::string identity_of(const SafetensorsFile& file) {
  const std::string blob = blob_name(file.path());
  return blob.empty() ? "meta:" + meta_hash(file) : "blob:" + blob;
}

std::string current_vae_name(const std::string& name) {
  constexpr std::pair<std::string_view, std::string_view> kOldAttention[] = {
      {".query.", ".to_q."},
      {".key.", ".to_k."},
      {".value.", ".to_v."},
      {".proj_attn.", ".to_out.0."},
  };
  for (const auto& [old_part, new_part] : kOldAttention) {
    const std::size_t at = name.rfind(old_part);
    if (at != std::string::npos && name.find(".attentions.") < at) {
      return name.substr(0, at) + std::string(new_part) + name.substr(at + old_part.size());
    }
  }
  return name;
}

} // namespace

ComponentWeights open_component(const fs::path& root, Component component) {
  if (fs::is_directory(root)) {
    return open_from_folder(root, component);
  }
  refuse_pickle(root);
  return open_from_single_file(root, component);
}

std::string weights_identity(const fs::path& root) {
  if (!fs::is_directory(root)) {
    refuse_pickle(root);
    return identity_of(SafetensorsFile(root));
  }
  std::string all;
  bool only_blobs = true;
  for (const ComponentRow& row : pipeline_components()) {
    if (!has_component_files(root, row.component)) {
      continue;
    }
    for (const SafetensorsFile& file : open_component_files(root, row.component).files) {
      const std::string identity = identity_of(file);
      only_blobs = only_blobs && identity.starts_with("blob:");
      all += std::string(row.folder) + "=" + identity + "\n";
    }
  }
  if (all.empty()) {
    throw Error(root.string() + " must be a diffusers folder with weights, but holds none");
  }
  return (only_blobs ? "blobs:" : "meta:") + sha256_hex(all);
}

TensorMap current_names(Component component, const TensorMap& tensors, const std::string& origin) {
  RenamedTensors out(origin);
  for (const auto& [name, view] : tensors) {
    if (component == Component::kVae) {
      const std::string current = current_vae_name(name);
      out.add(current, vae_view(current, view), name);
    } else if (component == Component::kUNet) {
      out.add(name, view, name);
    } else if (!name.ends_with("position_ids")) {
      out.add(text_name(name), view, name);
    }
  }
  return out.take();
}

} // namespace sdbench
