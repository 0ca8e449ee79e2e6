#include "engines/record/kif_text.h"

#include <array>
#include <utility>

namespace fuhyo::record {

using namespace shogi;

namespace {

constexpr std::array<std::string_view, 10> kWide = {"０", "１", "２", "３", "４", "５", "６", "７", "８", "９"};
constexpr std::array<std::string_view, 10> kKanji = {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr std::array<std::string_view, PIECE_TYPE_NB> kNames = {"",   "歩", "香",   "桂",   "銀",   "角", "飛", "金",
                                                                "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
constexpr std::array<std::string_view, PIECE_TYPE_NB> kLetters = {"",   "歩", "香", "桂", "銀", "角", "飛", "金",
                                                                  "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::array<std::pair<std::string_view, PieceType>, 2> kOtherNames = {{{"竜", DRAGON}, {"王", KING}}};

std::optional<int> take_one_of(std::string_view& text, const std::array<std::string_view, 10>& digits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (take(text, digits[i])) return static_cast<int>(i);
  }
  return std::nullopt;
}

// 0..9 in ASCII or wide.
std::optional<int> take_arabic(std::string_view& text) {
  if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    const int digit = text[0] - '0';
    text.remove_prefix(1);
    return digit;
  }
  return take_one_of(text, kWide);
}

}  // namespace

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  while (take(text, " ") || take(text, "　") || take(text, "\t") || take(text, "\r")) {
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWideBlank = "　";
  skip_blanks(text);
  for (;;) {
    if (text.ends_with(kWideBlank)) {
      text.remove_suffix(kWideBlank.size());
    } else if (!text.empty() && std::string_view(" \t\r").contains(text.back())) {
      text.remove_suffix(1);
    } else {
      return text;
    }
  }
}

std::optional<int> take_digit(std::string_view& text) {
  std::string_view rest = text;
  auto digit = take_arabic(rest);
  if (!digit) digit = take_one_of(rest, kKanji);
  if (!digit || *digit == 0) return std::nullopt;
  text = rest;
  return digit;
}

std::optional<Square> take_square(std::string_view& text) {
  std::string_view rest = text;
  const auto file = take_digit(rest);
  const auto rank = file ? take_digit(rest) : std::nullopt;
  if (!rank) return std::nullopt;
  text = rest;
  return make_square(*file, *rank);
}

std::optional<int> take_number(std::string_view& text) {
  constexpr int kMaxDigits = 9;
  std::string_view rest = text;
  int value = 0, digits = 0;
  for (auto digit = take_arabic(rest); digit; digit = take_arabic(rest)) {
    if (++digits > kMaxDigits) return std::nullopt;
    value = value * 10 + *digit;
  }
  if (digits == 0) return std::nullopt;
  text = rest;
  return value;
}

std::optional<int> take_count(std::string_view& text) {
  if (const auto number = take_number(text)) return number;
  if (!take(text, "十")) return take_digit(text);
  const auto ones = take_digit(text);
  return 10 + ones.value_or(0);
}

PieceType take_piece(std::string_view& text) {
  for (std::size_t t = PAWN; t < kNames.size(); ++t) {
    if (take(text, kNames[t]) || take(text, kLetters[t])) return static_cast<PieceType>(t);
  }
  for (const auto& [name, type] : kOtherNames) {
    if (take(text, name)) return type;
  }
  return NO_PIECE_TYPE;
}

std::string_view kif_name(PieceType type) { return kNames[type]; }
std::string_view kif_letter(PieceType type) { return kLetters[type]; }

std::string kif_square(Square square) {
  return std::string(kWide[static_cast<std::size_t>(file_of(square))]) +
         std::string(kKanji[static_cast<std::size_t>(rank_of(square))]);
}

std::string kif_count(int count) {
  std::string out = count >= 10 ? "十" : "";
  if (count % 10 != 0) out += kKanji[static_cast<std::size_t>(count % 10)];
  return out;
}

std::string_view side_name(Color color, bool handicap) {
  if (handicap) return color == BLACK ? "下手" : "上手";
  return color == BLACK ? "先手" : "後手";
}

std::optional<Color> take_side(std::string_view& text) {
  if (take(text, "先手") || take(text, "下手")) return BLACK;
  if (take(text, "後手") || take(text, "上手")) return WHITE;
  return std::nullopt;
}

std::optional<Color> take_mark(std::string_view& text) {
  for (const std::string_view mark : {"▲", "▼", "☗"}) {
    if (take(text, mark)) return BLACK;
  }
  for (const std::string_view mark : {"△", "▽", "☖"}) {
    if (take(text, mark)) return WHITE;
  }
  return std::nullopt;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) ++count;
    if (byte >= 0xC0) count += 2;
  }
  return count;
}

}  // namespace fuhyo::record
