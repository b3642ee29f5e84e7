#include "exported_weights.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <regex>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "kept_folder.h"
#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/files/atomic_folder.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/files/free_space.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/locked_file.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/front/other_engines/kept_entries.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr auto kLook = std::chrono::milliseconds(100);
constexpr auto kSayAgain = std::chrono::seconds(5);

constexpr std::string_view kSynthetic = "-synthetic-";
constexpr std::size_t kHashDigits = 8;

/// "sd15-synthetic-0-1f2e3d4c". The hash gives a different model of the same name its own folder.
fs::path folder_of(const Cell& cell) {
  const std::string hash = sha256_hex(json_text(cell.model.source)).substr(0, kHashDigits);
  return kept_folder(kCachedWeights) / (cell.model.name + std::string(kSynthetic) +
                                        std::to_string(cell.weights.seed) + "-" + hash);
}

/// Waits until no other process writes the folder, or until a stop.
Descriptor lock(const fs::path& folder, const WorkerOptions& options, ExecutorObserver& observer) {
  Descriptor descriptor = open_lock(folder);
  auto said = std::chrono::steady_clock::time_point();
  while (try_lock(descriptor) == Lock::kOfAnother && !options.is_stopped()) {
    if (const auto now = std::chrono::steady_clock::now(); now - said > kSayAgain) {
      said = now;
      observer.on_event(DoingEvent{"waiting for another sdbench, which writes these weights"});
    }
    std::this_thread::sleep_for(kLook);
  }
  return descriptor;
}

/// Moves the folder to its place. Without locks, a different process may have put the same weights
/// there meanwhile; those are as good.
void put_in_place(AtomicFolder& written, const fs::path& folder) {
  seal_folder(written.path());
  try {
    written.commit();
  } catch (const Error&) {
    if (!is_as_sealed(folder)) {
      throw;
    }
  }
}

void require_room(const fs::path& folder, const Cell& cell) {
  const std::int64_t needed = weight_bytes(cell.model, Precision{Dtype::kF32, false});
  if (const auto free = free_space(folder); free && *free < needed) {
    throw Error(folder.string() + " must have " + bytes_text(needed) + " free for the weights of " +
                cell.model.name + ", but has " + bytes_text(*free) +
                "; free some, or name another disk with XDG_CACHE_HOME");
  }
}

/// A tensor of the file and where its bytes are.
struct Part {
  TensorDeclaration tensor;
  std::span<const std::byte> bytes;
};

void add_images(std::vector<Part>& parts, const std::string& split, const LabelledImages& images) {
  parts.push_back({{split + "_images",
                    Dtype::kU8,
                    {images.count, images.channels, images.height, images.width}},
                   std::as_bytes(std::span(images.pixels))});
  parts.push_back(
      {{split + "_labels", Dtype::kU8, {images.count}}, std::as_bytes(std::span(images.labels))});
}

void add_of_channels(std::vector<Part>& parts, const std::string& name,
                     const std::vector<float>& numbers) {
  parts.push_back({{name, Dtype::kF32, {static_cast<std::int64_t>(numbers.size())}},
                   std::as_bytes(std::span(numbers))});
}

} // namespace

std::optional<ExportedName> parse_exported_name(const std::string& folder) {
  static const std::regex form("(.+)" + std::string(kSynthetic) + "([0-9]+)-[0-9a-f]{" +
                               std::to_string(kHashDigits) + "}");
  std::smatch parts;
  if (!std::regex_match(folder, parts, form)) {
    return std::nullopt;
  }
  return ExportedName{parts[1], parts[2]};
}

ExportedWeights exported_weights(const Cell& cell, WorkerExecutor& own,
                                 const WorkerOptions& options, ExecutorObserver& observer) {
  const fs::path folder = folder_of(cell);
  if (is_as_sealed(folder)) {
    mark_used(folder);
    return {folder, std::nullopt};
  }
  fs::create_directories(folder.parent_path());
  clear_half_written(kCachedWeights);
  const Descriptor locked = lock(folder, options, observer);
  if (options.is_stopped()) { // lock() may have returned without the lock
    return {{},
            CellOutcome{Status::kInterrupted, CellStage::kPrepare,
                        "interrupted before the weights were written", std::nullopt, ""}};
  }
  const bool was_there = fs::exists(
      folder); // a folder that appears later was written by a different process, and is whole
  if (is_as_sealed(folder)) {
    return {folder, std::nullopt};
  }
  if (was_there) {
    observer.on_event(
        NoteEvent{"the weights in " + folder.string() +
                  " are thrown away and written again, because their content has changed"});
    fs::remove_all(folder);
  }
  require_room(folder.parent_path(), cell);
  observer.on_event(StageEvent{CellStage::kPrepare});
  observer.on_event(DoingEvent{"writing the synthetic weights of " + cell.model.name +
                               " for other engines, once"});
  AtomicFolder written(folder);
  CellOutcome outcome = own.export_weights(
      messages::ExportRequest{cell.model, cell.weights.seed, Dtype::kF32, written.path().string()},
      observer);
  if (outcome.status != Status::kOk) {
    return {{}, std::move(outcome)};
  }
  put_in_place(written, folder);
  return {folder, std::nullopt};
}

void export_data(const DataLocation& location, const std::filesystem::path& file) {
  const Dataset dataset = load_dataset(location);
  std::vector<Part> parts;
  add_images(parts, "train", dataset.train);
  add_images(parts, "test", dataset.test);
  add_of_channels(parts, "mean", dataset.mean);
  add_of_channels(parts, "std", dataset.std);
  write_safetensors(file, mapped(parts, &Part::tensor),
                    [&](std::size_t index, std::span<std::byte> out) {
                      std::ranges::copy(parts[index].bytes, out.begin());
                    },
                    {{"identity", identity_of(dataset)}});
}

} // namespace sdbench
