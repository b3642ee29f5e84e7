#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench::messages {

/// Version of the protocol between front (the sdbench process that the user started) and worker. A
/// changed message needs a new version if an older front or worker would misread the message.
inline constexpr int kVersion = 11;

/// Requests from front to worker, each one JSON object on one line. The worker exits when the pipe
/// is closed.
struct RunRequest {
  Cell cell;
};
struct ExportRequest { ///< for `sdbench export-weights`
  ModelConfig model;
  std::uint64_t seed = 0;
  Dtype dtype = Dtype::kF32;
  std::string folder;
};
/// Asks for the devices of the machine. The worker answers with one DeviceEvent for each device of
/// Executor::devices(), then an OutcomeEvent.
struct DevicesRequest {};
/// The front's answer to a ReadyEvent: the timed run may begin.
struct GoRequest {};
/// Asks for Executor::estimate. The answer is an OutcomeEvent whose result contains the estimate
/// (expected_s).
struct EstimateRequest {
  Cell cell;
};
/// Asks for Executor::probe. The answer is its events, then an OutcomeEvent.
struct ProbeRequest {
  ProbePlace place;
};
using Request = std::variant<RunRequest, ExportRequest, DevicesRequest, GoRequest, EstimateRequest,
                             ProbeRequest>;

/// Events from worker to front, each one JSON object on one line. They are Hello, OutcomeEvent, and
/// those events of CellEvent that workers send. After a ReadyEvent the worker waits for a
/// GoRequest.
struct Hello { ///< first line that a worker writes
  int version = kVersion;
  std::string runtime_version;
};
struct OutcomeEvent { ///< last line of the answer to a request
  CellOutcome outcome;
};
using Event = std::variant<Hello, StageEvent, DeviceEvent, LoadedEvent, StepEvent, SampleEvent,
                           ReadyEvent, NoteEvent, DoingEvent, ProbeEvent, OutcomeEvent>;

/// Encodes a message as one line of JSON, without the newline. Numbers and text survive unchanged,
/// including NaN and bytes that are not UTF-8. A model is sent as the configs from which it was
/// read.
[[nodiscard]] std::string encode(const Request& request);
[[nodiscard]] std::string encode(const Event& event);
/// Decodes one line. Throws Error for a malformed message; the error names the field. A Hello with
/// another version is decoded too; the caller must check the version.
[[nodiscard]] Request decode_request(std::string_view line);
[[nodiscard]] Event decode_event(std::string_view line);

} // namespace sdbench::messages
