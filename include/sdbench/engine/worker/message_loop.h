#pragma once

namespace sdbench {

/// Runs the worker: says hello on descriptor `events`, then answers the requests on `requests`
/// until that pipe ends or SIGTERM comes. Returns the exit code.
int run_message_loop(int requests, int events);

} // namespace sdbench
