#include "normalize.h"

#include <algorithm>
#include <array>

#include <utf8proc.h>

namespace sdbench {
namespace {

static_assert(sizeof(utf8proc_int32_t) == sizeof(char32_t));

int combining_class(char32_t code_point) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point))->combining_class;
}

/// Canonical decomposition of each code point, not yet reordered.
std::u32string decompose(std::u32string_view text) {
  std::u32string decomposed;
  decomposed.reserve(text.size());
  for (const char32_t code_point : text) {
    if (code_point < 0xC0) { // nothing below decomposes
      decomposed += code_point;
      continue;
    }
    std::array<utf8proc_int32_t, 8> parts{}; // the longest canonical decomposition has 4
    int boundary = 0;
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point), parts.data(),
                                parts.size(), UTF8PROC_DECOMPOSE, &boundary);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      decomposed += static_cast<char32_t>(parts[static_cast<std::size_t>(i)]);
    }
  }
  return decomposed;
}

/// Canonical order: sorts each run of combining marks by class. utf8proc's own exchange sort takes
/// quadratic time: hours for a hostile prompt of a megabyte.
void reorder_marks(std::u32string& text) {
  const auto is_mark = [](char32_t code_point) { return combining_class(code_point) != 0; };
  auto run = text.begin();
  while ((run = std::find_if(run, text.end(), is_mark)) != text.end()) {
    const auto run_end = std::find_if_not(run, text.end(), is_mark);
    std::stable_sort(run, run_end, [](char32_t a, char32_t b) {
      return combining_class(a) < combining_class(b);
    });
    run = run_end;
  }
}

/// Composes in place, without what Unicode excludes from composition (UTF8PROC_STABLE).
void compose(std::u32string& text) {
  auto* buffer = reinterpret_cast<utf8proc_int32_t*>(text.data());
  const utf8proc_ssize_t size =
      utf8proc_normalize_utf32(buffer, static_cast<utf8proc_ssize_t>(text.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  text.resize(static_cast<std::size_t>(size));
}

std::u32string to_lower(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t code_point : text) {
    if (code_point == 0x130) { // the one code point whose full lower case has two
      result += U"i\u0307";
    } else {
      result += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code_point)));
    }
  }
  return result;
}

} // namespace

std::u32string normalize_for_clip(std::u32string_view text) {
  std::u32string composed = decompose(text);
  reorder_marks(composed);
  compose(composed);
  return to_lower(composed);
}

} // namespace sdbench
