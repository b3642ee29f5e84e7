#include "sdbench/base/config/network_config.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "config_reader.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostStages = 8; // so that channels that double in each stage do not overflow
constexpr IntegerBounds kNetworkChannels{1, 8'192};

/// A kind's name, and its keys besides the common ones.
struct KindRow {
  NetworkKind kind;
  const char* name;
  std::vector<std::string> keys;
};

const std::array<KindRow, 5>& kind_rows() {
  static const std::array<KindRow, 5> rows{{
      {NetworkKind::kVgg, "vgg", {"channels", "pooled_size", "hidden", "dropout"}},
      {NetworkKind::kResnet, "resnet", {"stem_channels", "expansion"}},
      {NetworkKind::kDensenet, "densenet", {"stem_channels", "growth_rate", "bottleneck"}},
      {NetworkKind::kCnn, "cnn", {"channels"}},
      {NetworkKind::kWideResnet, "wide_resnet", {"stem_channels", "widen_factor"}},
  }};
  return rows;
}

const KindRow& read_kind(const ConfigReader& reader) {
  const std::string name = reader.text("kind", "");
  const auto* const found = std::ranges::find(kind_rows(), name, &KindRow::name);
  if (found == kind_rows().end()) {
    reader.refuse("kind", "one of " + joined(mapped<std::string>(kind_rows(), &KindRow::name)));
  }
  return *found;
}

void refuse_other_keys(const Json& config, const KindRow& row, const std::string& where) {
  std::vector<std::string> keys{"kind", "input_channels", "image_size", "classes", "layers"};
  keys.insert(keys.end(), row.keys.begin(), row.keys.end());
  refuse_unknown_keys(config, keys, where, std::string(" of a ") + row.name);
}

void require(const ConfigReader& reader, std::string_view key) {
  if (!reader.has(key)) {
    reader.refuse(key, "there");
  }
}

std::vector<std::int64_t> required_list(const ConfigReader& reader, std::string_view key,
                                        IntegerBounds bounds) {
  require(reader, key);
  std::vector<std::int64_t> values = reader.integers(key, {}, bounds);
  if (values.empty() || values.size() > kMostStages) {
    reader.refuse(key, "a list for 1 to " + std::to_string(kMostStages) + " stages");
  }
  return values;
}

struct Member {
  std::string_view key;
  std::int64_t NetworkConfig::*member;
  IntegerBounds bounds;
};

constexpr IntegerBounds kFactor{1, 64};
constexpr std::array kMembers{
    Member{"stem_channels", &NetworkConfig::stem_channels, kNetworkChannels},
    Member{"expansion", &NetworkConfig::expansion, kFactor},
    Member{"growth_rate", &NetworkConfig::growth_rate, kNetworkChannels},
    Member{"bottleneck", &NetworkConfig::bottleneck, kFactor},
    Member{"widen_factor", &NetworkConfig::widen_factor, kFactor},
    Member{"pooled_size", &NetworkConfig::pooled_size, kFactor},
    Member{"hidden", &NetworkConfig::hidden, {1, 65'536}},
};

void read_channels(NetworkConfig& network, const ConfigReader& reader) {
  network.channels = required_list(reader, "channels", kNetworkChannels);
  if (network.channels.size() != network.layers.size()) {
    reader.refuse("channels", "a list of " + std::to_string(network.layers.size()) +
                                  ", one for each stage of layers");
  }
}

/// Reads a key that only some kinds have.
void read_member(NetworkConfig& network, const ConfigReader& reader, std::string_view key) {
  if (key == "channels") {
    return read_channels(network, reader);
  }
  if (key == "dropout") {
    network.dropout = reader.number("dropout", 0.5, {0, 1});
    return;
  }
  const Member& found = *std::ranges::find(kMembers, key, &Member::key);
  require(reader, key);
  network.*found.member = reader.integer(key, 0, found.bounds);
}

} // namespace

std::string_view name_of(NetworkKind kind) {
  return std::ranges::find(kind_rows(), kind, &KindRow::kind)->name;
}

std::int64_t least_image_size(const NetworkConfig& network) {
  const auto stages = static_cast<std::int64_t>(network.layers.size());
  switch (network.kind) {
  case NetworkKind::kVgg: // a pool after each stage
    return std::int64_t{1} << stages;
  case NetworkKind::kCnn: // a pool between stages
    return std::int64_t{1} << (stages - 1);
  case NetworkKind::kDensenet: // and the stem divides by four
    return std::int64_t{4} << (stages - 1);
  case NetworkKind::kResnet: // padding keeps a pixel of each image
  case NetworkKind::kWideResnet:
    return 1;
  }
  return 1;
}

NetworkConfig parse_network_config(const Json& config, const std::string& where) {
  const ConfigReader reader(config, where);
  const KindRow& row = read_kind(reader);
  refuse_other_keys(config, row, where);
  NetworkConfig network;
  network.kind = row.kind;
  network.layers = required_list(reader, "layers", {1, 256});
  for (const std::string& key : row.keys) {
    read_member(network, reader, key);
  }
  network.input_channels =
      reader.integer("input_channels", network.input_channels, kNetworkChannels);
  network.classes = reader.integer("classes", network.classes, {1, 1'000'000});
  network.image_size =
      reader.integer("image_size", network.image_size, {least_image_size(network), 65'536});
  return network;
}

} // namespace sdbench
