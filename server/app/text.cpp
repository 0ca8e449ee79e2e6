#include "server/app/text.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engines/record/encoding.h"

namespace fuhyo::app {
namespace {

constexpr std::string_view kBlanks = " \t\r";

bool printable(char c) { return c >= 0x20 && c < 0x7f; }

// A control of U+0080 to U+009F, which terminals obey as well.
bool is_c1(std::string_view text) {
  return text.size() > 1 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Takes the next word off `text`, with the blanks before it.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::string escape(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (const char c : bytes) {
    if (printable(c) && c != '\\') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string escape_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (const auto byte = static_cast<unsigned char>(c); byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

std::string escape_json(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  const bool readable = record::is_utf8(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_control = readable && is_c1(bytes.substr(i));
    if (is_control) ++i;  // its second byte is its number
    const char c = bytes[i];
    const bool of_character = readable && !is_control && static_cast<unsigned char>(c) >= 0x80;
    if (c == '"' || c == '\\') out += '\\';
    if (printable(c) || of_character) {
      out += c;
    } else {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string utc(core::Wall wall) {
  const std::int64_t seconds = (wall.us >= 0 ? wall.us : wall.us - (core::kSecond - 1)) / core::kSecond;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(static_cast<std::time_t>(seconds)),
                     wall.us - seconds * core::kSecond);
}

std::string mask_password(std::string_view line) {
  std::string_view rest = line;
  std::string command(next_word(rest));
  std::ranges::transform(command, command.begin(), upper);
  if (!command.starts_with("LOGIN")) return std::string(line);
  const std::string_view name = next_word(rest);
  if (next_word(rest).empty()) return std::string(line);
  const bool x1 = next_word(rest) == "x1";
  return fmt::format("{} {} ***{}", command, name, x1 ? " x1" : "");
}

}  // namespace fuhyo::app
