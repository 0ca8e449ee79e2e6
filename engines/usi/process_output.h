// What a child process prints, cut into lines, and when it is too much. One thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fuhyo::usi {

// Why a process is killed that lives on after it has closed its output.
inline constexpr std::string_view kClosedOutput = "it closed its output";

class ProcessOutput {
 public:
  // Bytes of the longest line, and of a second; ChildProcess::Options says why.
  ProcessOutput(std::size_t line_limit, std::size_t bytes_per_second)
      : line_limit_(line_limit), bytes_per_second_(bytes_per_second) {}

  // Hands over the lines that are whole now, without their ends (LF or CR LF). Why the process is to be killed: "output
  // flood", "a line over 8192 bytes"; empty: it may go on.
  std::string take(std::string_view bytes, const std::function<void(std::string line)>& line);

 private:
  bool flooded(std::size_t count);

  const std::size_t line_limit_, bytes_per_second_;
  std::string partial_;
  std::chrono::steady_clock::time_point second_begun_;
  std::size_t bytes_this_second_ = 0;
};

// The end of what a process says beside its output.
class LastWords {
 public:
  void take(std::string_view bytes);
  // The last three lines that hold anything, joined by " / "; at most 300 bytes, printable ASCII alone.
  std::string text() const;

 private:
  static constexpr std::size_t kKept = 2'048, kShown = 300, kLines = 3;

  std::string kept_;
};

}  // namespace fuhyo::usi
