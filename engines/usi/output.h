// Where a USI program writes: one line at a time, from either thread, and to a log file as well if one is wanted.
#pragma once

#include <fstream>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>

namespace fuhyo::usi {

// Thread-safe.
class Output {
 public:
  explicit Output(std::ostream& stream) : stream_(stream) {}

  // Writes the line, flushed.
  void line(std::string_view text);
  // Whether all lines could be written.
  bool intact();
  // For people: "info string ...".
  void note(std::string_view text) { line("info string " + std::string(text)); }

  // From now on lines are appended to this file as well, with the time of day: "<" what was read, ">" what was written.
  // An empty name ends it. False: the file cannot be written, and nothing is logged.
  bool log_to(const std::string& file);
  // A line that was read, for the log.
  void heard(std::string_view text);

 private:
  void log(char direction, std::string_view text);

  std::ostream& stream_;
  std::mutex mutex_;
  std::ofstream log_;
  std::string log_file_;
};

}  // namespace fuhyo::usi
