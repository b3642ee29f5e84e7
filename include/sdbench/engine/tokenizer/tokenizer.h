#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sdbench {

/// Interface of a tokenizer, which turns a text into the token ids of one text encoder.
class Tokenizer {
public:
  virtual ~Tokenizer() = default;
  /// The largest number of ids of a text, without start and end, that encode_padded() keeps.
  [[nodiscard]] virtual std::int64_t limit() const = 0;
  /// Ids of the text alone: no start, end or padding.
  [[nodiscard]] virtual std::vector<std::int64_t> encode(std::string_view text) const = 0;
  /// Returns as many ids as the text encoder takes: the text's ids, cut off or padded, and the ids
  /// that mark start and end, if the text encoder has such ids.
  [[nodiscard]] virtual std::vector<std::int64_t> encode_padded(std::string_view text) const = 0;
};

} // namespace sdbench
