// What a service manager is told, and whether it takes the log (sd_notify(3), systemd.exec(5)). Any thread.
#pragma once

#include <string>
#include <string_view>

namespace fuhyo::app {

// "READY=1", "EXTEND_TIMEOUT_USEC=..." (of TimeoutStopSec=, from now on); nothing is sent where nobody asks for it by
// NOTIFY_SOCKET.
void notify_service_manager(std::string_view state);

// Whether what is written to standard error goes to systemd's journal, which has times and levels of its own.
bool is_logged_by_journal();

// Prints lines to standard error: each is an error to the journal, if it takes them.
void print_errors(const std::string& lines);

}  // namespace fuhyo::app
