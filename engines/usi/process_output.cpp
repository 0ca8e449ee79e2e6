#include "engines/usi/process_output.h"

#include <algorithm>
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

void LastWords::take(std::string_view bytes) {
  kept_ += bytes.substr(bytes.size() - std::min(bytes.size(), kKept));
  kept_.erase(0, kept_.size() - std::min(kept_.size(), kKept));
}

std::string LastWords::text() const {
  std::string text;
  std::string_view rest = kept_;
  for (std::size_t lines = 0; lines < kLines && !rest.empty();) {
    const std::size_t begin = rest.rfind('\n') + 1;  // 0 where there is none
    std::string line;
    for (const char c : rest.substr(begin)) {
      if (c >= ' ' && c <= '~') line += c;
    }
    rest = rest.substr(0, begin == 0 ? 0 : begin - 1);
    if (line.find_first_not_of(' ') == line.npos) continue;
    text = text.empty() ? line : line + " / " + text;
    ++lines;
  }
  return text.substr(text.size() - std::min(text.size(), kShown));
}

}  // namespace fuhyo::usi
