#pragma once

#include <string>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// What was left out or is doubtful, a line each; of many rows the first ones.
void say_remarks(const ReadRemarks& remarks, const Streams& streams);

/// Markdown is for comments on a change, which have a limit: says where a text is longer.
void say_too_long_for_a_comment(const std::string& markdown, const Streams& streams);

} // namespace sdbench
