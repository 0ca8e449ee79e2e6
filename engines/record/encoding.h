// The character encodings of Japanese record files: which one it is, and to and from UTF-8. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::record {

enum class Encoding : std::uint8_t { utf8, shift_jis, euc_jp };  // Shift_JIS is Microsoft's (code page 932)

std::string_view to_string(Encoding encoding);  // "UTF-8", "Shift_JIS", "EUC-JP"
// Case, '-' and '_' do not matter: "SHIFT_JIS", "utf8".
std::optional<Encoding> encoding_by_name(std::string_view name);

bool is_ascii(std::string_view bytes);
bool is_utf8(std::string_view bytes);
// The text with a blank for every control that a terminal would obey: C0 but tabs and line ends, DEL, C1.
std::string without_controls(std::string_view utf8);
// Its beginning of at most so many bytes; no character is cut.
std::string_view shortened(std::string_view utf8, std::size_t most);
// The encoding under which the bytes make most sense; UTF-8 for plain ASCII.
Encoding detect_encoding(std::string_view bytes);
// The encoding of a whole file: what it says about itself counts if it can be true; otherwise what the bytes look like.
Encoding choose_encoding(std::string_view bytes, std::optional<Encoding> declared);
// The file with LF for line ends of classic Mac OS (CR alone), and in UTF-8 if its mark says UTF-16; nothing if it is
// neither: it can be read as it is.
std::optional<std::string> plain_file(std::string_view bytes);
// UTF-8 without the byte order mark that some programs begin it with.
std::string_view without_mark(std::string_view utf8);

struct Converted {
  std::string text;
  std::size_t bad = 0;  // places that had no counterpart and became U+FFFD (decoding) or '?' (encoding)
};
// Fails only if this system lacks the conversion.
std::expected<Converted, std::string> decode_to_utf8(std::string_view bytes, Encoding from);
std::expected<Converted, std::string> encode_from_utf8(std::string_view utf8, Encoding to);
// The first few characters that the encoding lacks, each once.
std::string missing_from(Encoding encoding, std::string_view utf8);

// A whole file as UTF-8 without a mark, whatever it was written in; `declared` as for choose_encoding().
struct DecodedFile {
  Encoding encoding = Encoding::utf8;
  std::string text;
  std::size_t bad = 0;
};
std::expected<DecodedFile, std::string> decode_file(std::string_view bytes, std::optional<Encoding> declared = {});

}  // namespace fuhyo::record
