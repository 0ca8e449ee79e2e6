#include "engines/record/encoding.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engines/record/encoding_system.h"

namespace fuhyo::record {
namespace {

using Byte = unsigned char;

constexpr bool in(Byte b, unsigned low, unsigned high) { return b >= low && b <= high; }

// Length of the character at the start of `s`; 0 if it is none.
std::size_t utf8_length(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<Byte>(i < s.size() ? s[i] : 0); };
  const Byte b = at(0);
  if (b < 0x80) return 1;
  if (in(b, 0xC2, 0xDF)) return in(at(1), 0x80, 0xBF) ? 2 : 0;
  if (in(b, 0xE0, 0xEF)) {
    const bool shortest = b != 0xE0 || at(1) >= 0xA0;
    const bool surrogate = b == 0xED && at(1) >= 0xA0;
    return shortest && !surrogate && in(at(1), 0x80, 0xBF) && in(at(2), 0x80, 0xBF) ? 3 : 0;
  }
  if (!in(b, 0xF0, 0xF4) || !in(at(1), b == 0xF0 ? 0x90 : 0x80, b == 0xF4 ? 0x8F : 0xBF)) return 0;
  return in(at(2), 0x80, 0xBF) && in(at(3), 0x80, 0xBF) ? 4 : 0;
}

std::size_t euc_length(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<Byte>(i < s.size() ? s[i] : 0); };
  const Byte b = at(0);
  if (b < 0x80) return 1;
  if (b == 0x8E) return in(at(1), 0xA1, 0xDF) ? 2 : 0;
  if (b == 0x8F) return in(at(1), 0xA1, 0xFE) && in(at(2), 0xA1, 0xFE) ? 3 : 0;
  return in(b, 0xA1, 0xFE) && in(at(1), 0xA1, 0xFE) ? 2 : 0;
}

std::size_t sjis_length(std::string_view s) {
  const Byte b = static_cast<Byte>(s[0]);
  if (b < 0x80 || in(b, 0xA1, 0xDF)) return 1;
  const Byte next = static_cast<Byte>(s.size() > 1 ? s[1] : 0);
  return (in(b, 0x81, 0x9F) || in(b, 0xE0, 0xFC)) && in(next, 0x40, 0xFC) && next != 0x7F ? 2 : 0;
}

// How many bytes of plain ASCII begin the text, eight at a time: they are nearly all of every record.
std::size_t ascii_run(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & kHighBits) != 0) break;
  }
  while (i < text.size() && static_cast<Byte>(text[i]) < 0x80) ++i;
  return i;
}

// How badly the bytes fit: a wrong byte weighs most; a half-width kana, rare in real text, is what kanji of EUC-JP look
// like when they are taken for Shift_JIS. So many characters decide, however long the text is.
template <std::size_t (*length)(std::string_view)>
std::size_t misfit(std::string_view bytes) {
  constexpr std::size_t kWrong = 100;
  constexpr int kSample = 4096;
  std::size_t cost = 0;
  for (int n = 0; n < kSample; ++n) {
    bytes.remove_prefix(ascii_run(bytes));
    if (bytes.empty()) break;
    const std::size_t taken = length(bytes);
    if (taken == 0) cost += kWrong;
    if (taken == 1) ++cost;  // of the three, only Shift_JIS has such characters
    bytes.remove_prefix(std::max<std::size_t>(taken, 1));
  }
  return cost;
}

std::expected<Converted, std::string> convert(std::string_view text, Encoding to, Encoding from) {
  if (to == Encoding::utf8) {
    return convert_by_system(text, to, from, "\xEF\xBF\xBD", [](std::string_view) { return std::size_t{1}; });
  }
  return convert_by_system(text, to, from, "?",
                           [](std::string_view rest) { return std::max<std::size_t>(utf8_length(rest), 1); });
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6U);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12U);
    } else {
      put(0xF0 | code >> 18U);
      put(0x80 | (code >> 12U & 0x3FU));
    }
    put(0x80 | (code >> 6U & 0x3FU));
  }
  put(0x80 | (code & 0x3FU));
}

// UTF-16 without its mark. Half a surrogate pair becomes U+FFFD.
std::string from_utf16(std::string_view bytes, bool big_endian) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    if (i + 1 >= bytes.size()) return 0;
    const std::uint32_t first = static_cast<Byte>(bytes[i]), second = static_cast<Byte>(bytes[i + 1]);
    return big_endian ? first << 8U | second : second << 8U | first;
  };
  std::string out;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    const std::uint32_t low = unit(i + 2);
    if (code >= 0xD800 && code < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
      i += 2;
    } else if (code >= 0xD800 && code < 0xE000) {
      code = kReplacement;
    }
    append_utf8(out, code);
  }
  return out;
}

}  // namespace

std::string_view to_string(Encoding encoding) {
  switch (encoding) {
    case Encoding::shift_jis:
      return "Shift_JIS";
    case Encoding::euc_jp:
      return "EUC-JP";
    case Encoding::utf8:
      break;
  }
  return "UTF-8";
}

std::optional<Encoding> encoding_by_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (plain == "utf8") return Encoding::utf8;
  if (plain == "shiftjis" || plain == "sjis" || plain == "cp932" || plain == "windows31j") return Encoding::shift_jis;
  if (plain == "eucjp") return Encoding::euc_jp;
  return std::nullopt;
}

bool is_ascii(std::string_view bytes) { return ascii_run(bytes) == bytes.size(); }

bool is_utf8(std::string_view bytes) {
  for (;;) {
    bytes.remove_prefix(ascii_run(bytes));
    if (bytes.empty()) return true;
    const std::size_t length = utf8_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
}

std::string_view shortened(std::string_view utf8, std::size_t most) {
  if (utf8.size() <= most) return utf8;
  while (most > 0 && in(static_cast<Byte>(utf8[most]), 0x80, 0xBF)) --most;
  return utf8.substr(0, most);
}

std::string without_controls(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const Byte b = static_cast<Byte>(utf8[i]), next = static_cast<Byte>(i + 1 < utf8.size() ? utf8[i + 1] : 0);
    const bool c1 = b == 0xC2 && in(next, 0x80, 0x9F);
    const bool c0 = (b < ' ' && b != '\t' && b != '\n') || b == 0x7F;
    out += c0 || c1 ? ' ' : utf8[i];
    if (c1) ++i;
  }
  return out;
}

Encoding detect_encoding(std::string_view bytes) {
  const std::size_t utf8 = misfit<utf8_length>(bytes);
  if (utf8 == 0) return Encoding::utf8;
  const std::size_t euc = misfit<euc_length>(bytes);
  const std::size_t sjis = misfit<sjis_length>(bytes);
  if (utf8 < euc && utf8 < sjis) return Encoding::utf8;
  return sjis < euc ? Encoding::shift_jis : Encoding::euc_jp;
}

Encoding choose_encoding(std::string_view bytes, std::optional<Encoding> declared) {
  const Encoding detected = detect_encoding(bytes);
  if (!declared || declared == detected) return detected;
  const auto text = decode_to_utf8(bytes, *declared);
  return text && text->bad == 0 ? *declared : detected;
}

std::optional<std::string> plain_file(std::string_view bytes) {
  std::optional<std::string> plain;
  if (bytes.starts_with("\xFF\xFE")) plain = from_utf16(bytes.substr(2), false);
  if (bytes.starts_with("\xFE\xFF")) plain = from_utf16(bytes.substr(2), true);
  const std::string_view text = plain ? *plain : bytes;
  if (!text.contains('\r') || text.contains('\n')) return plain;
  if (!plain) plain = bytes;
  std::ranges::replace(*plain, '\r', '\n');
  return plain;
}

std::string_view without_mark(std::string_view utf8) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return utf8.starts_with(kMark) ? utf8.substr(kMark.size()) : utf8;
}

std::expected<Converted, std::string> decode_to_utf8(std::string_view bytes, Encoding from) {
  return convert(bytes, Encoding::utf8, from);
}

std::expected<Converted, std::string> encode_from_utf8(std::string_view utf8, Encoding to) {
  if (is_ascii(utf8)) return Converted{.text = std::string(utf8)};
  return convert(utf8, to, Encoding::utf8);
}

std::string missing_from(Encoding encoding, std::string_view utf8) {
  constexpr std::size_t kMost = 40;  // bytes
  std::string found;
  while (!utf8.empty() && found.size() < kMost) {
    const std::string_view one = utf8.substr(0, std::max<std::size_t>(utf8_length(utf8), 1));
    const bool known = is_ascii(one) || found.contains(one);
    if (const auto alone = known ? Converted{} : convert(one, encoding, Encoding::utf8); alone && alone->bad > 0)
      found += one;
    utf8.remove_prefix(one.size());
  }
  return found;
}

std::expected<DecodedFile, std::string> decode_file(std::string_view bytes, std::optional<Encoding> declared) {
  if (const auto plain = plain_file(bytes)) return decode_file(*plain, declared);
  bytes = without_mark(bytes);
  const Encoding encoding = choose_encoding(bytes, declared);
  if (encoding == Encoding::utf8 && is_utf8(bytes)) return DecodedFile{encoding, std::string(bytes), 0};
  auto converted = decode_to_utf8(bytes, encoding);
  if (!converted) return std::unexpected(std::move(converted.error()));
  return DecodedFile{encoding, std::move(converted->text), converted->bad};
}

}  // namespace fuhyo::record
