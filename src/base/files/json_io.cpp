#include "sdbench/base/files/json_io.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/files/git_lfs.h"
#include "sdbench/base/files/plain_text.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

/// Copying and writing a document recurse: greater depth could overflow the stack.
constexpr int kMaxJsonDepth = 64;
constexpr std::size_t kMaxReasonBytes = 240;

/// Replaces numbers that JSON lacks while nlohmann's parser or writer handles the document. The
/// replacement has equal length, so that positions in errors stay right. No config contains this
/// character.
constexpr char kStandIn = '\x7f';

struct NonFinite {
  std::string_view name;
  double value;

  [[nodiscard]] std::string stand_in() const {
    return std::string(name.size() - 2, kStandIn); // and two quotes
  }
};

constexpr std::array<NonFinite, 3> kNonFinite{
    {{"-Infinity", -std::numeric_limits<double>::infinity()},
     {"Infinity", std::numeric_limits<double>::infinity()},
     {"NaN", std::numeric_limits<double>::quiet_NaN()}}};

/// The text with stand-ins outside of its strings; empty if nothing is to be changed.
std::string with_stand_ins(std::string_view text) {
  std::string changed;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == kStandIn) {
      return ""; // then such a word stays an error
    }
    if (byte == '"') {
      in_string = !in_string;
    } else if (byte == '\\' && in_string) {
      ++i;
    } else if (!in_string && (byte == '-' || byte == 'I' || byte == 'N')) {
      const auto* const found = std::ranges::find_if(kNonFinite, [&](const NonFinite& number) {
        return text.substr(i).starts_with(number.name);
      });
      if (found != kNonFinite.end()) {
        changed = changed.empty() ? std::string(text) : std::move(changed);
        changed.replace(i, found->name.size(), '"' + found->stand_in() + '"');
        i += found->name.size() - 1;
      }
    }
  }
  return changed;
}

bool has_non_finite(const Json& value) {
  return value.is_structured() ? std::ranges::any_of(value, has_non_finite)
                               : value.is_number_float() && !std::isfinite(value.get<double>());
}

void put_stand_ins(Json& value) {
  if (value.is_structured()) {
    for (Json& part : value) {
      put_stand_ins(part);
    }
  } else if (has_non_finite(value)) {
    const double number = value.get<double>();
    const NonFinite& found = std::isnan(number) ? kNonFinite[2] : kNonFinite[number > 0 ? 1 : 0];
    value = found.stand_in();
  }
}

} // namespace

std::string read_beginning(const std::filesystem::path& path, std::size_t most) {
  const Descriptor file = open_regular_file(path);
  std::string content;
  char buffer[1 << 16];
  while (content.size() < most) {
    const ssize_t count =
        ::read(file.get(), buffer, std::min(sizeof buffer, most - content.size()));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
    }
    if (count == 0) {
      break;
    }
    content.append(buffer, static_cast<std::size_t>(count));
  }
  return content;
}

std::string read_or_empty(const std::filesystem::path& path, std::size_t most) {
  try {
    return read_beginning(path, most);
  } catch (const Error&) {
    return {};
  }
}

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
  std::string content = read_beginning(path, max_bytes + 1);
  if (content.size() > max_bytes) {
    throw Error("cannot read " + path.string() + ": it must be at most " +
                std::to_string(max_bytes) + " bytes, but is larger");
  }
  return content;
}

Json parse_json(std::string_view text) {
  const std::string stood_in = with_stand_ins(text);
  const auto check = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxJsonDepth) {
      throw Error("it must be nested at most " + std::to_string(kMaxJsonDepth) +
                  " levels deep, but is deeper");
    }
    if (!stood_in.empty() && event == Json::parse_event_t::value && value.is_string()) {
      for (const NonFinite& number : kNonFinite) {
        if (value.get_ref<const std::string&>() == number.stand_in()) {
          value = number.value;
          break;
        }
      }
    }
    return true;
  };
  return Json::parse(stood_in.empty() ? text : stood_in, check);
}

std::string json_text(const Json& document, int indent) {
  constexpr auto kReplace = Json::error_handler_t::replace;
  if (!has_non_finite(document)) {
    return document.dump(indent, ' ', false, kReplace);
  }
  Json changed = document;
  put_stand_ins(changed);
  std::string text = changed.dump(indent, ' ', false, kReplace);
  for (const NonFinite& number : kNonFinite) {
    const std::string quoted = '"' + number.stand_in() + '"';
    for (std::size_t at = 0; (at = text.find(quoted, at)) != std::string::npos;) {
      text.replace(at, quoted.size(), number.name);
    }
  }
  return text;
}

Json read_json_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const std::string text = read_plain_text(path, max_bytes);
  refuse_git_lfs_pointer(text, path);
  try {
    return parse_json(text);
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  } catch (const Json::exception& error) {
    // The message quotes the last token, which may be all of a wrong file.
    throw Error(path.string() + " must be JSON, but is not: " +
                to_valid_utf8(std::string_view(error.what()).substr(0, kMaxReasonBytes)));
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

} // namespace sdbench
