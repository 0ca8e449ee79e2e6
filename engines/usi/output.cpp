#include "engines/usi/output.h"

#include <chrono>
#include <fmt/format.h>
#include <ostream>

namespace fuhyo::usi {

void Output::line(std::string_view text) {
  const std::lock_guard lock(mutex_);
  stream_ << text << '\n' << std::flush;
  log('>', text);
}

bool Output::intact() {
  const std::lock_guard lock(mutex_);
  return stream_.good();
}

void Output::heard(std::string_view text) {
  const std::lock_guard lock(mutex_);
  log('<', text);
}

bool Output::log_to(const std::string& file) {
  const std::lock_guard lock(mutex_);
  if (file == log_file_) return true;
  log_.close();
  log_.clear();
  log_file_.clear();
  if (file.empty()) return true;
  log_.open(file, std::ios::app | std::ios::binary);
  if (!log_) return false;
  log_file_ = file;
  return true;
}

void Output::log(char direction, std::string_view text) {
  if (!log_.is_open()) return;
  using namespace std::chrono;
  const auto today = duration_cast<milliseconds>(system_clock::now().time_since_epoch()) % 24h;
  const auto ms = today.count();
  log_ << fmt::format("{:02}:{:02}:{:02}.{:03} {} {}\n", ms / 3'600'000, ms / 60'000 % 60, ms / 1'000 % 60, ms % 1'000,
                      direction, text)
       << std::flush;
}

}  // namespace fuhyo::usi
