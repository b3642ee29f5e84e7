#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/json_io.h"

namespace sdbench::messages {

/// Raised with every change that an older program on the other side would misread.
inline constexpr int kVersion = 11;

/// Requests, front → worker (one JSON object a line). The worker exits at the end of the pipe.
struct RunRequest {
  Cell cell;
};
struct ExportRequest { ///< sdbench export-weights
  ModelConfig model;
  std::uint64_t seed = 0;
  Dtype dtype = Dtype::kF32;
  std::string folder;
};
/// Asks for the devices. The answer is a DeviceEvent for each, as Executor::devices() gives them,
/// then the outcome.
struct DevicesRequest {};
/// The answer to a ReadyEvent: the run may begin.
struct GoRequest {};
/// Executor::estimate: the outcome's result holds it.
struct EstimateRequest {
  Cell cell;
};
using Request = std::variant<RunRequest, ExportRequest, DevicesRequest, GoRequest, EstimateRequest>;

/// Events, worker → front (one JSON object a line): those of CellEvent that a worker sends, and two
/// that only the protocol has. A ReadyEvent waits for a GoRequest.
struct Hello { ///< first line of a worker
  int version = kVersion;
  std::string runtime_version;
};
struct OutcomeEvent { ///< last line of a request
  CellOutcome outcome;
};
using Event = std::variant<Hello, StageEvent, DeviceEvent, LoadedEvent, StepEvent, SampleEvent,
                           ReadyEvent, NoteEvent, DoingEvent, OutcomeEvent>;

/// One line without its newline. Numbers and text are preserved, including NaN and bytes that are
/// not UTF-8. A model is sent as the configs from which it was read.
[[nodiscard]] std::string encode(const Request& request);
[[nodiscard]] std::string encode(const Event& event);
/// Throws Error naming the field for anything malformed. A Hello of another version is decoded; the
/// caller decides what to do with it.
[[nodiscard]] Request decode_request(std::string_view line);
[[nodiscard]] Event decode_event(std::string_view line);

} // namespace sdbench::messages
