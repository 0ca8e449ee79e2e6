// The characters of Japanese notation: squares, pieces and numbers, in every width in which programs write them.
// Text is UTF-8. What is taken comes off the front of `text`; where nothing fits, `text` stays as it was.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engines/shogi/types.h"

namespace fuhyo::record {

// True if `text` began with it, which is taken.
bool take(std::string_view& text, std::string_view expected);
// Blanks, tabs, carriage returns, and blanks as wide as a kanji.
void skip_blanks(std::string_view& text);
std::string_view trimmed(std::string_view text);

// 1..9 as "7", "７" or "七".
std::optional<int> take_digit(std::string_view& text);
// File and rank: "７六", "76", "７６".
std::optional<shogi::Square> take_square(std::string_view& text);
// A number in ASCII or wide digits, at most nine of them.
std::optional<int> take_number(std::string_view& text);
// 1..19 as "五", "十八"; or in digits.
std::optional<int> take_count(std::string_view& text);
// "歩", "成香" or "杏", "龍" or "竜", "玉" or "王"; NO_PIECE_TYPE for anything else.
shogi::PieceType take_piece(std::string_view& text);

std::string_view kif_name(shogi::PieceType type);           // "歩" ... "成香" ... "龍"; "" for NO_PIECE_TYPE
std::string_view kif_letter(shogi::PieceType type);         // the same in one character: "杏", "圭", "全"
std::string kif_square(shogi::Square square);               // "７六"
std::string kif_count(int count);                           // 1..19: "十八"
std::string_view side_name(shogi::Color c, bool handicap);  // "先手", "後手"; "下手", "上手"
// "先手", "下手", "後手" or "上手", if the text begins with one.
std::optional<shogi::Color> take_side(std::string_view& text);
// "▲" or "△", in all their shapes, with which moves of KI2 begin.
std::optional<shogi::Color> take_mark(std::string_view& text);

// Columns on a screen where a kanji takes two.
std::size_t columns(std::string_view text);

}  // namespace fuhyo::record
