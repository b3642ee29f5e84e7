#pragma once

#include <concepts>
#include <filesystem>
#include <string>
#include <variant>

#include "json_archive.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/component_table.h"

/// Lists the members of every struct in messages, once for both writing and reading: see
/// json_archive.h. A request has all members. A worker's answer may omit members that the worker
/// does not know, except those that a row needs: see docs/worker-protocol.md.
namespace sdbench::messages {

/// T is Struct (reading) or const Struct (writing).
template <typename T, typename Struct>
concept Of = std::same_as<std::remove_const_t<T>, Struct>;

/// A model is sent as the configs from which it was read, and is parsed again on the other side.
inline void fields(JsonWriter& write, const ModelConfig& model) {
  write("name", model.name);
  write("source", json_text(model.source)); // as text: JSON lines have no -Infinity
  for (const ComponentRow& row : pipeline_components()) {
    if (row.tokenizer != nullptr) {
      const TextEncoderConfig* const encoder = text_encoder(model, row.component);
      write(row.tokenizer + std::string("_folder"),
            encoder != nullptr ? encoder->tokenizer.folder : std::filesystem::path());
    }
  }
}

inline void fields(const JsonReader& read, ModelConfig& model) {
  std::string name;
  std::string source;
  read("name", name);
  read("source", source);
  model = parse_model_config(parse_json(source), "the request's model");
  model.name = name;
  for (TextEncoderConfig& encoder : model.text_encoders) {
    read(component_row(encoder.component).tokenizer + std::string("_folder"),
         encoder.tokenizer.folder);
  }
}

template <typename Archive, Of<WeightsLocation> T>
void fields(Archive& archive, T& weights) {
  archive("kind", weights.kind);
  archive("path", weights.path);
  archive("seed", weights.seed);
  archive("fallback", weights.fallback);
  archive("description", weights.description);
}

template <typename Archive, Of<DataLocation> T>
void fields(Archive& archive, T& data) {
  archive("kind", data.kind);
  archive("path", data.path);
  archive("count", data.count);
  archive("fallback", data.fallback);
  archive("description", data.description);
}

template <typename Archive, Of<Precision> T>
void fields(Archive& archive, T& precision) {
  archive("dtype", precision.dtype);
  archive.if_given("autocast", precision.autocast);
}

template <typename Archive, Of<CpuShare> T>
void fields(Archive& archive, T& share) {
  archive("number", share.number);
  archive("count", share.count);
}

template <typename Archive, Of<Cell> T>
void fields(Archive& archive, T& cell) {
  archive("model", cell.model);
  archive("weights", cell.weights);
  for (const WorkField& field : kWorkFields) {
    std::visit([&](const auto member) { archive(message_name(field), cell.*member); },
               field.member);
  }
  archive("data", cell.data);
  archive("data_on_device", cell.data_on_device);
  archive("dtype", cell.dtype);
  archive("device", cell.device);
  archive("device_in_worker", cell.device_in_worker);
  archive("cpu_share", cell.cpu_share);
  archive("parallel_devices", cell.parallel_devices);
  archive("share", cell.share);
  archive("shared_batch", cell.shared_batch);
  archive("meeting", cell.meeting);
  archive("patience_s", cell.patience_s);
  archive("prompts", cell.prompts);
  archive("negative_prompt", cell.negative_prompt);
  archive("seed", cell.seed);
  archive("threads", cell.threads);
  for (const EngineAxis& axis : engine_axes()) {
    archive(axis.name, cell.*axis.asked);
  }
  archive("warmup", cell.warmup);
  archive("repeat", cell.repeat);
  archive("max_noise", cell.max_noise);
  archive("max_time_s", cell.max_time_s);
  archive("expected_s", cell.expected_s);
  archive("init_latents", cell.init_latents);
  archive("dump_latents", cell.dump_latents);
  archive("save_images", cell.save_images);
  archive("dump_run", cell.dump_run);
  archive("dump_step_images", cell.dump_step_images);
  archive("keep_folder", cell.keep_folder);
}

template <typename Archive, Of<DeviceInfo> T>
void fields(Archive& archive, T& device) {
  archive("kind", device.kind);
  archive("name", device.name);
  archive.if_given("arch", device.arch);
  archive.if_given("compute_capability", device.compute_capability);
  archive.if_given("driver_version", device.driver_version);
  if (is_gpu_of_torch(device.kind)) {
    archive("index", device.index); // two devices of a kind may differ only in this
  } else {
    archive.if_given("index", device.index);
  }
  archive.if_given("memory_total_bytes", device.memory_total_bytes);
  archive.if_given("memory_free_bytes", device.memory_free_bytes);
  archive.if_given("uuid", device.uuid);
  archive.if_given("pci_address", device.pci_address);
  archive.if_given("sm_count", device.sm_count);
  archive.if_given("cuda_runtime_version", device.cuda_runtime_version);
  archive.if_given("cudnn_version", device.cudnn_version);
  archive.if_given("cuda_driver_version", device.cuda_driver_version);
  archive.if_given("cuda_obstacle", device.cuda_obstacle);
  archive.if_given("cuda_driver_is_here", device.cuda_driver_is_here);
}

template <typename Archive, Of<PartTime> T>
void fields(Archive& archive, T& part) {
  archive("name", part.name);
  archive("seconds", part.seconds);
}

template <typename Archive, Of<RunSample> T>
void fields(Archive& archive, T& sample) {
  archive.if_given("parts", sample.parts);
  archive.require("parts", have_members(sample.parts),
                  "a list of parts with a name each, of a-z, 0-9 and _, not e2e, step or start");
  archive("e2e_s", sample.e2e_s);
  archive.if_given("step_s", sample.step_s);
  archive.if_given("start_s", sample.start_s);
}

inline void fields(JsonWriter& write, const PartialRun& partial) {
  write("stage", partial.stage);
  write("step_s", partial.step_s);
}

/// In a record's file `stage` may be any text, but a worker must send the name of a CellStage.
inline void fields(const JsonReader& read, PartialRun& partial) {
  CellStage stage = CellStage::kMeasure;
  read.if_given("stage", stage);
  partial.stage = name_of(stage);
  read.if_given("step_s", partial.step_s);
}

template <typename Archive, Of<EngineUse> T>
void use_fields(Archive& archive, T& use) {
  for (const EngineAxis& axis : engine_axes()) {
    if (axis.used != nullptr) {
      archive.if_given(std::string(axis.name) + "_used", use.*axis.used);
    }
    if (axis.obstacle != nullptr) {
      archive.if_given(std::string(axis.name) + "_obstacle", use.*axis.obstacle);
    }
  }
}

template <typename Archive, Of<CellResult> T>
void measured_fields(Archive& archive, T& result) {
  for (const MeasuredFigure& figure : kMeasured) {
    if (figure.source == FoundBy::kWorker) {
      std::visit([&](auto member) { archive.if_given(figure.name, result.*member); },
                 figure.member);
    }
  }
}

template <typename Archive, Of<CellResult> T>
void fields(Archive& archive, T& result) {
  archive("device", result.device);
  archive.if_given("runtime_version", result.runtime_version);
  archive.if_given("engine", result.engine);
  archive.if_given("engine_revision", result.engine_revision);
  use_fields(archive, result.use);
  measured_fields(archive, result);
  archive.if_given("dtype_unet", result.dtype_unet);
  archive.if_given("dtype_vae", result.dtype_vae);
  archive.if_given("dtype_text", result.dtype_text);
  archive.if_given("threads", result.threads);
  archive.if_given("weights_identity", result.weights_identity);
  archive.if_given("expected_s", result.expected_s);
  archive.if_given("load_s", result.load_s);
  archive.if_given("prepare_s", result.prepare_s);
  archive.if_given("first_image", result.first_image);
  archive("samples", result.samples);
  archive.if_given("partial_run", result.partial_run);
  archive.if_given("warmup", result.warmup);
  archive.if_given("flags", result.flags);
  archive.if_given("image_files", result.image_files);
}

template <typename Archive, Of<CellOutcome> T>
void fields(Archive& archive, T& outcome) {
  archive("status", outcome.status);
  archive.if_given("stage", outcome.stage);
  if (outcome.status == Status::kOk) {
    archive.if_given("message", outcome.message);
  } else {
    archive("message", outcome.message);
  }
  archive.if_given("result", outcome.result);
  archive.if_given("stderr_tail", outcome.stderr_tail);
}

template <typename Archive, typename T>
requires Of<T, RunRequest> || Of<T, EstimateRequest>
void fields(Archive& archive, T& request) {
  archive("cell", request.cell);
}

template <typename Archive, Of<ProbeRequest> T>
void fields(Archive& archive, T& request) {
  archive("device", request.place.device);
  archive("device_in_worker", request.place.device_in_worker);
  archive("cpu_share", request.place.cpu_share);
  archive("threads", request.place.threads);
  archive("figures", request.place.figures);
}

template <typename Archive, Of<ProbeEvent> T>
void fields(Archive& archive, T& event) {
  archive("name", event.name);
  archive("value", event.value);
}

template <typename Archive, Of<ExportRequest> T>
void fields(Archive& archive, T& request) {
  archive("model", request.model);
  archive("seed", request.seed);
  archive("dtype", request.dtype);
  archive("folder", request.folder);
}

template <typename Archive, typename T>
requires Of<T, DevicesRequest> || Of<T, GoRequest>
void fields(Archive&, T&) {}

template <typename Archive, Of<Hello> T>
void fields(Archive& archive, T& hello) {
  archive("version", hello.version);
  archive.if_given("runtime_version", hello.runtime_version);
}

template <typename Archive, Of<StageEvent> T>
void fields(Archive& archive, T& event) {
  archive("stage", event.stage);
}

template <typename Archive, Of<DeviceEvent> T>
void fields(Archive& archive, T& event) {
  archive("device", event.device);
}

template <typename Archive, Of<LoadedEvent> T>
void fields(Archive& archive, T& event) {
  archive("so_far", event.so_far);
}

template <typename Archive, Of<StepEvent> T>
void fields(Archive& archive, T& event) {
  archive("run", event.run);
  archive("step", event.step);
  archive("steps", event.steps);
  archive.require("steps", event.step >= 0 && event.step < event.steps, "more than step");
  archive("seconds", event.seconds);
}

template <typename Archive, Of<SampleEvent> T>
void fields(Archive& archive, T& event) {
  archive.if_given("first_image", event.first_image);
  archive("sample", event.sample);
}

template <typename Archive, Of<ReadyEvent> T>
void fields(Archive& archive, T& event) {
  archive("run", event.run);
}

template <typename Archive, typename T>
requires Of<T, DoingEvent> || Of<T, NoteEvent>
void fields(Archive& archive, T& event) {
  archive("text", event.text);
}

template <typename Archive, Of<OutcomeEvent> T>
void fields(Archive& archive, T& event) {
  archive("outcome", event.outcome);
}

} // namespace sdbench::messages
