#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sdbench/core/dtype.h"
#include "sdbench/weights/tensor_view.h"

namespace sdbench {

/// The parts of a model that have weights, by diffusers' folder names.
enum class Component { kTextEncoder, kTextEncoder2, kUNet, kVae };
[[nodiscard]] const char* folder_name(Component component); ///< "text_encoder", "text_encoder_2", "unet", "vae"

/// All tensors of one component under diffusers' current names (`to_q`, `text_model.…`), whatever the files call them.
/// Copies share the mapped files; the views live as long as any copy.
struct ComponentWeights {
  std::map<std::string, TensorView> tensors;
  std::vector<std::string> files;        ///< what was read, for people and for the record
  std::shared_ptr<const void> keep_alive; ///< the mapped files
};

/// Opens one component of a checkpoint on disk.
/// `root`: a diffusers folder (plain, `.fp16.` variant, sharded index) or a single CompVis/SGM `.safetensors` file.
/// Where several variants lie side by side, the one nearest `wanted` is taken. Throws Error.
[[nodiscard]] ComponentWeights open_component(const std::filesystem::path& root,
                                              Component component, Dtype wanted);

/// What a single file holds, found from its keys. Refiner and inpainting files are refused by name (Error).
enum class SingleFileKind { kSd1, kSd2, kSdxl };
[[nodiscard]] SingleFileKind detect_single_file(const std::filesystem::path& file);
/// Whether an SD2 single file was trained for v-prediction (diffusers' rule: unless global_step is 875000).
[[nodiscard]] bool single_file_is_v_prediction(const std::filesystem::path& file);

/// Identity of the weights for the record: the Hub blob name where the file is a link into a Hugging Face cache, else
/// "meta:" + hash of header, size and modification time.
[[nodiscard]] std::string weights_identity(const std::filesystem::path& root);

} // namespace sdbench
