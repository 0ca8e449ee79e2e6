#include "engines/usi/process_output.h"

#include <utility>

namespace fuhyo::usi {

std::string ProcessOutput::take(std::string_view bytes, const std::function<void(std::string line)>& line) {
  if (flooded(bytes.size())) return "output flood";
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    partial_.append(bytes.substr(0, end));
    if (partial_.size() > line_limit_) return "a line over " + std::to_string(line_limit_) + " bytes";
    if (end == std::string_view::npos) return {};
    bytes.remove_prefix(end + 1);
    if (partial_.ends_with('\r')) partial_.pop_back();
    line(std::exchange(partial_, {}));
  }
  return {};
}

bool ProcessOutput::flooded(std::size_t count) {
  const auto now = std::chrono::steady_clock::now();
  if (now - second_begun_ >= std::chrono::seconds(1)) {
    second_begun_ = now;
    bytes_this_second_ = 0;
  }
  bytes_this_second_ += count;
  return bytes_this_second_ > bytes_per_second_;
}

}  // namespace fuhyo::usi
