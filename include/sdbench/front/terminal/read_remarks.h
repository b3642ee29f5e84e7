#pragma once

#include <string>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Prints one line for each row that was left out or is doubtful; for many rows, only the first.
void say_remarks(const ReadRemarks& remarks, const Streams& streams);

/// Tells the user if the Markdown is longer than a comment on a change may be.
void say_too_long_for_a_comment(const std::string& markdown, const Streams& streams);

} // namespace sdbench
