// Cuts a byte stream into lines. Pure; one object a connection.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fuhyo::csa {

// Lines end in LF; a CR right before it belongs to the line end. A line that grows beyond the limit is the end of the
// stream: overlong() stays true and everything after is ignored. Memory held is at most the limit.
class LineFramer {
 public:
  explicit LineFramer(std::size_t limit) : limit_(limit) {}

  // Calls sink(std::string_view line, bool crlf) for every complete line. The view is valid during the call only.
  template <class Sink>
  void feed(std::string_view bytes, Sink&& sink) {
    while (!overlong_ && !bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (partial_.size() + part.size() > limit_ + 1) {  // + 1: the CR is not part of the line
        overlong_ = true;
        partial_.clear();
        return;
      }
      if (end == std::string_view::npos) {
        partial_.append(part);
        return;
      }
      bytes.remove_prefix(end + 1);
      if (partial_.empty()) {
        deliver(part, sink);
      } else {
        partial_.append(part);
        const std::string line = std::move(partial_);
        partial_.clear();
        deliver(line, sink);
      }
    }
  }

  void set_limit(std::size_t limit) { limit_ = limit; }
  bool overlong() const { return overlong_; }
  std::size_t buffered() const { return partial_.size(); }

 private:
  template <class Sink>
  void deliver(std::string_view line, Sink& sink) {
    const bool crlf = !line.empty() && line.back() == '\r';
    if (crlf) line.remove_suffix(1);
    if (line.size() > limit_) {
      overlong_ = true;
      return;
    }
    sink(line, crlf);
  }

  std::size_t limit_;
  std::string partial_;
  bool overlong_ = false;
};

}  // namespace fuhyo::csa
