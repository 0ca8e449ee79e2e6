#include "server/net/csv_text.h"

#include "server/net/feed_json.h"

namespace fuhyo::net {
namespace {

constexpr std::string_view kFormulaBegins = "=+-@\t\r";

}  // namespace

std::string csv_quoted(std::string_view text) {
  std::string out = "\"";
  if (!text.empty() && kFormulaBegins.contains(text.front())) out += '\'';
  for (const char c : clean_utf8(text)) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace fuhyo::net
