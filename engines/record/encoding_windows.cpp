// Conversions by code pages. EUC-JP is 20932, in which what has three bytes (JIS X 0212) has no counterpart.
#include <algorithm>
#include <optional>
#include <windows.h>

#include "engines/record/encoding_system.h"

namespace fuhyo::record {
namespace {

UINT code_page(Encoding encoding) {
  switch (encoding) {
    case Encoding::shift_jis:
      return 932;
    case Encoding::euc_jp:
      return 20932;
    case Encoding::utf8:
      break;
  }
  return CP_UTF8;
}

std::optional<std::wstring> to_wide(std::string_view text, UINT page) {
  const int size = static_cast<int>(text.size());
  const int units = ::MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
  if (units == 0) return std::nullopt;
  std::wstring wide(static_cast<std::size_t>(units), L'\0');
  ::MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, text.data(), size, wide.data(), units);
  return wide;
}

std::optional<std::string> from_wide(std::wstring_view wide, UINT page) {
  const int units = static_cast<int>(wide.size());
  BOOL lost = FALSE;
  // Of UTF-8, into which everything goes, the system refuses to be asked about losses.
  BOOL* const asked = page == CP_UTF8 ? nullptr : &lost;
  const DWORD flags = page == CP_UTF8 ? 0 : WC_NO_BEST_FIT_CHARS;
  const int size = ::WideCharToMultiByte(page, flags, wide.data(), units, nullptr, 0, nullptr, asked);
  if (size == 0 || lost != FALSE) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  ::WideCharToMultiByte(page, flags, wide.data(), units, text.data(), size, nullptr, asked);
  return lost == FALSE ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> whole(std::string_view text, UINT to, UINT from) {
  const auto wide = to_wide(text, from);
  return wide ? from_wide(*wide, to) : std::nullopt;
}

// Of the character that the rest begins with.
std::size_t bytes_of(std::string_view rest, UINT from, Unit unit) {
  if (from == CP_UTF8) return std::min(unit(rest), rest.size());
  return ::IsDBCSLeadByteEx(from, static_cast<BYTE>(rest[0])) != 0 && rest.size() > 1 ? 2 : 1;
}

Converted in_pieces(std::string_view text, UINT to, UINT from, std::string_view substitute, Unit unit) {
  Converted result;
  while (!text.empty()) {
    std::size_t taken = bytes_of(text, from, unit);
    if (const auto piece = whole(text.substr(0, taken), to, from)) {
      result.text += *piece;
    } else {
      taken = std::min(unit(text), text.size());
      result.text += substitute;
      ++result.bad;
    }
    text.remove_prefix(taken);
  }
  return result;
}

}  // namespace

std::expected<Converted, std::string> convert_by_system(std::string_view text, Encoding to, Encoding from,
                                                        std::string_view substitute, Unit unit) {
  if (text.empty()) return Converted{};
  for (const Encoding encoding : {to, from}) {
    if (::IsValidCodePage(code_page(encoding)) == 0) {
      return std::unexpected("this Windows has no code page for " + std::string(to_string(encoding)));
    }
  }
  if (auto all = whole(text, code_page(to), code_page(from))) return Converted{std::move(*all), 0};
  return in_pieces(text, code_page(to), code_page(from), substitute, unit);
}

}  // namespace fuhyo::record
