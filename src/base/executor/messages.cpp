#include "sdbench/base/executor/messages.h"

#include <array>

#include "json_values.h"
#include "message_fields.h"
#include "sdbench/base/errors/error.h"

namespace sdbench::messages {
namespace {

/// Value of the key "type", in the order of the variants' alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Request>> kRequestTypes{
    "run", "export", "devices", "go", "estimate", "probe"};
constexpr std::array<std::string_view, std::variant_size_v<Event>> kEventTypes{
    "hello", "stage", "device", "loaded", "step",   "sample",
    "ready", "note",  "doing",  "probe",  "outcome"};

template <typename Message, std::size_t N>
std::string encode_message(const Message& message, const std::array<std::string_view, N>& types) {
  Json line = std::visit([](const auto& body) { return to_json_value(body); }, message);
  line["type"] = std::string(types[message.index()]);
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Reads the alternative at `index`, trying them from I on.
template <typename Message, std::size_t I = 0>
Message read_alternative(const Json& line, std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Message>) {
    if (index != I) {
      return read_alternative<Message, I + 1>(line, index);
    }
  }
  std::variant_alternative_t<I, Message> body;
  from_json_value(line, "", body);
  return body;
}

template <typename Message, std::size_t N>
Message decode_message(std::string_view text, const std::array<std::string_view, N>& types) {
  constexpr std::size_t kShown = 60;
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object()) {
    throw Error("protocol: a line must be a JSON object, but is " +
                Json(text.substr(0, kShown)).dump(-1, ' ', true, Json::error_handler_t::replace));
  }
  const auto type = line.find("type");
  for (std::size_t index = 0; index < N; ++index) {
    if (type != line.end() && *type == types[index]) {
      return read_alternative<Message>(line, index);
    }
  }
  refuse_field("type", "a known message", type == line.end() ? Json(nullptr) : *type);
}

} // namespace

std::string encode(const Request& request) {
  return encode_message(request, kRequestTypes);
}

std::string encode(const Event& event) {
  return encode_message(event, kEventTypes);
}

Request decode_request(std::string_view line) {
  return decode_message<Request>(line, kRequestTypes);
}

Event decode_event(std::string_view line) {
  return decode_message<Event>(line, kEventTypes);
}

} // namespace sdbench::messages
