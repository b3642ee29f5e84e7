#include "sdbench/front/report/prices.h"

#include <algorithm>
#include <cmath>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/plain_text.h"
#include "sdbench/base/core/suggestion.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/record/csv_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostPriceBytes = 1 << 20;
constexpr const char* kColumns = "gpu, price, currency and hourly";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  const auto last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

/// Where something stands in the file, for messages.
struct Place {
  const std::filesystem::path& file;
  std::size_t line;
};

[[noreturn]] void fail(const Place& place, const std::string& column, const std::string& what) {
  throw Error(place.file.string() + ", line " + std::to_string(place.line) +
              (column.empty() ? "" : ", column " + column) + ": " + what);
}

std::vector<std::string> checked_header(const std::vector<std::string>& line, const Place& place) {
  static const std::vector<std::string> known = {"gpu", "price", "currency", "hourly"};
  std::vector<std::string> header;
  for (const std::string& field : line) {
    const std::string name = trimmed(field);
    if (std::ranges::find(known, name) == known.end()) {
      fail(place, "",
           std::string("the columns must be ") + kColumns + ", but one is " + in_quotes(name) +
               did_you_mean(name, known));
    }
    if (std::ranges::find(header, name) != header.end()) {
      fail(place, "", "each column must stand once, but " + name + " stands twice");
    }
    header.push_back(name);
  }
  if (std::ranges::find(header, "gpu") == header.end()) {
    fail(place, "", std::string("the columns must be ") + kColumns + ", but there is no gpu");
  }
  return header;
}

std::optional<double> money(const std::string& text, const Place& place, const std::string& name) {
  if (text.empty()) {
    return std::nullopt;
  }
  const auto value = parse_number(text);
  if (!value || !(*value > 0) || !std::isfinite(*value)) {
    fail(place, name, "must be a number above 0, or empty, but is " + in_quotes(text));
  }
  return value;
}

Price price_of_line(const std::vector<std::string>& line, const std::vector<std::string>& header,
                    const Place& place) {
  if (line.size() != header.size()) {
    fail(place, "",
         "must have " + std::to_string(header.size()) + " fields as the header, but has " +
             std::to_string(line.size()));
  }
  Price price;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string text = trimmed(line[i]);
    if (header[i] == "gpu") {
      price.gpu = text;
    } else if (header[i] == "currency") {
      price.currency = text;
    } else {
      (header[i] == "price" ? price.price : price.hourly) = money(text, place, header[i]);
    }
  }
  if (price.gpu.empty()) {
    fail(place, "gpu", "must name a GPU, but is empty");
  }
  if (!price.price && !price.hourly) {
    fail(place, "", "must have a price or an hourly one, but has neither");
  }
  return price;
}

} // namespace

std::vector<Price> read_prices(const std::filesystem::path& file) {
  const std::string text = read_plain_text(file, kMostPriceBytes);
  std::vector<std::vector<std::string>> lines;
  try {
    lines = parse_csv(text);
  } catch (const Error& error) {
    throw Error(file.string() + ", " + error.what());
  }
  std::vector<Price> prices;
  std::vector<std::string> header;
  std::size_t line_number = 1;
  for (const std::vector<std::string>& line : lines) {
    const Place place{file, line_number++};
    for (const std::string& field : line) {
      line_number += static_cast<std::size_t>(std::ranges::count(field, '\n'));
    }
    if (line.size() == 1 && trimmed(line.front()).empty()) {
      continue; // an empty line
    }
    if (header.empty()) {
      header = checked_header(line, place);
    } else {
      prices.push_back(price_of_line(line, header, place));
    }
  }
  if (prices.empty()) {
    throw Error(file.string() + " must hold a header (" + kColumns +
                ") and prices, but holds no price");
  }
  return prices;
}

bool names_same_gpu(std::string_view a, std::string_view b) {
  const std::string name = short_gpu_name(a);
  return !name.empty() && name == short_gpu_name(b);
}

} // namespace sdbench
