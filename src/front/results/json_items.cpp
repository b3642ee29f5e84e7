#include "sdbench/front/results/json_items.h"

#include <algorithm>

namespace sdbench {
namespace {

/// Writing a document of an error message recurses: a deeper one could overflow the stack.
constexpr int kMaxDepth = 64;
constexpr std::size_t kLongestItem = std::size_t{64} << 20; ///< raw times may be many

} // namespace

bool JsonItems::to_next() {
  window_.drop(used_);
  used_ = 0;
  for (;;) {
    const std::size_t found = window_.bytes().find_first_not_of(" \t\r\n,[]");
    if (found != std::string_view::npos) {
      window_.drop(found);
      line_ = window_.line();
      return true;
    }
    window_.drop(window_.bytes().size());
    if (!window_.grow()) {
      return false;
    }
  }
}

JsonItems::Found JsonItems::look() {
  if (window_.bytes().front() != '{') {
    const Found found = broken("must begin with a brace, as an object does", 1);
    skip_to_brace_or_line(1);
    return found;
  }
  int depth = 0;
  int deepest = 0;
  bool in_text = false;
  std::string_view bytes = window_.bytes();
  for (std::size_t at = 0;; ++at) {
    while (at >= bytes.size()) {
      if (!window_.grow()) {
        const Found found = broken("must be closed before the file ends", at);
        skip_to_line_with_brace();
        return found;
      }
      bytes = window_.bytes();
    }
    const char byte = bytes[at];
    if (byte == '\n' && (in_text || form_ == Form::kLines)) {
      const Found found = broken("must be closed before its line ends", at);
      skip_to_line_with_brace();
      return found;
    }
    if (in_text) {
      at += byte == '\\' ? 1 : 0; // an escaped quote ends nothing
      in_text = byte != '"';
    } else if (byte == '"') {
      in_text = true;
    } else if (byte == '{' || byte == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((byte == '}' || byte == ']') && --depth == 0) {
      used_ = at + 1;
      return deepest > kMaxDepth ? broken("must be nested at most " + std::to_string(kMaxDepth) +
                                              " levels deep, but is deeper",
                                          0)
                                 : Found::kItem;
    }
    if (at > kLongestItem) {
      const Found found = broken("must be at most 64 MiB long, but is longer", at);
      skip_to_line_with_brace();
      return found;
    }
  }
}

JsonItems::Found JsonItems::broken(const std::string& reason, std::size_t looked_at) {
  reason_ = reason;
  wasted_ += looked_at;
  // The bytes read may hold good objects and are read again. The limit stops a hostile file from
  // making that slow.
  constexpr std::size_t kPatience = std::size_t{256} << 20;
  if (wasted_ > kPatience) {
    window_.drop(looked_at);
  }
  return Found::kBroken;
}

/// Skips to where the next object may begin: the next line in JSON Lines; else the next brace,
/// because the whole document may be one line.
void JsonItems::skip_to_brace_or_line(std::size_t from) {
  if (form_ == Form::kLines) {
    window_.drop_line();
    return;
  }
  std::size_t found = 0;
  while ((found = window_.bytes().find_first_of("{\n", from)) == std::string_view::npos) {
    window_.drop(window_.bytes().size());
    from = 0;
    if (!window_.grow()) {
      return;
    }
  }
  window_.drop(found);
}

void JsonItems::skip_to_line_with_brace() {
  while (window_.drop_line()) {
    std::size_t first = 0;
    while ((first = window_.bytes().find_first_not_of(" \t\r")) == std::string_view::npos) {
      if (!window_.grow()) {
        return;
      }
    }
    if (window_.bytes()[first] == '{') {
      return;
    }
  }
}

} // namespace sdbench
