#include "server/net/html_text.h"

#include "server/net/feed_json.h"

namespace fuhyo::net {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : clean_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_escaped_lines(std::string_view text, char left_out) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    const bool is_shown = !text.starts_with(left_out);
    if (is_shown) out += html_escaped(text.substr(0, end));
    if (end == text.npos) return out;
    if (is_shown) out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace fuhyo::net
