#include "engines/record/kif_end.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engines/record/kif_setup.h"
#include "engines/record/kif_text.h"

namespace fuhyo::record {
namespace {

using namespace shogi;

// The first word of a kind is the one that is written.
constexpr std::array<std::pair<std::string_view, EndKind>, 25> kWords = {{
    {"投了", EndKind::toryo},         {"中断", EndKind::chudan},           {"千日手", EndKind::sennichite},
    {"切れ負け", EndKind::time_up},   {"時間切れ", EndKind::time_up},      {"時間切れ負け", EndKind::time_up},
    {"持将棋", EndKind::jishogi},     {"入玉勝ち", EndKind::kachi},        {"勝ち宣言", EndKind::kachi},
    {"宣言勝ち", EndKind::kachi},     {"入玉宣言勝ち", EndKind::kachi},    {"入玉宣言", EndKind::kachi},
    {"入玉", EndKind::kachi},         {"引き分け", EndKind::hikiwake},     {"引分け", EndKind::hikiwake},
    {"引分", EndKind::hikiwake},      {"待った", EndKind::matta},          {"詰み", EndKind::tsumi},
    {"詰", EndKind::tsumi},           {"不詰", EndKind::fuzumi},           {"エラー", EndKind::error},
    {"最大手数", EndKind::max_moves}, {"反則負け", EndKind::illegal_move}, {"反則勝ち", EndKind::illegal_move},
    {"Time-up", EndKind::time_up},  // of 81Dojo
}};

// Ends that are usual, although CSA has no name for them.
constexpr std::array<std::string_view, 5> kOtherWords = {"封じ手", "不戦勝", "不戦敗", "反則", "トライ"};
constexpr std::string_view kUnsayable = "その他";

std::optional<EndKind> kind_of(std::string_view word) {
  const auto found = std::ranges::find(kWords, word, &std::pair<std::string_view, EndKind>::first);
  return found == kWords.end() ? std::nullopt : std::optional(found->second);
}

bool is_other_word(std::string_view word) { return std::ranges::find(kOtherWords, word) != kOtherWords.end(); }

std::string_view word_of(EndKind kind) {
  const auto found = std::ranges::find(kWords, kind, &std::pair<std::string_view, EndKind>::second);
  return found == kWords.end() ? std::string_view() : found->first;
}

// Who fouled in the eyes of the record. A move that nobody could carry out was its side's; else it was the last move,
// if the rules forbid that one, or what the side to move tried.
Color offender(const Game& game) {
  if (game.end.kind == EndKind::black_illegal) return BLACK;
  if (game.end.kind == EndKind::white_illegal) return WHITE;
  const Color next = next_to_move(game);
  if (game.impossible) return ~next;
  const auto illegal = first_illegal(game);
  return illegal && *illegal && (*illegal)->ply == game.plies() ? ~next : next;
}

End foul_by(const Game& game, Color color) {
  const bool tried = game.impossible && color == ~next_to_move(game);
  if (tried) return {.kind = EndKind::illegal_move};
  return {.kind = color == BLACK ? EndKind::black_illegal : EndKind::white_illegal};
}

// "先手の勝ち", "時間切れにより先手の勝ち", "後手の反則勝ち", "先手の入玉勝ち": who, and what of it.
std::optional<End> won_or_lost(const Game& game, std::string_view word) {
  const Color next = next_to_move(game);
  const bool on_time = take(word, "時間切れにより") || take(word, "切れ負けにより");
  const auto side = take_side(word);
  if (side) take(word, "の");
  if (word == "反則勝ち") return foul_by(game, side ? ~*side : ~next);
  if (word == "反則負け") return foul_by(game, side.value_or(next));
  if (!side) return std::nullopt;
  if (word == "勝ち" && *side == ~next) return End{.kind = on_time ? EndKind::time_up : EndKind::toryo};
  if (on_time) return std::nullopt;
  const auto kind = kind_of(word);
  if (kind == EndKind::kachi && *side == next) return End{.kind = *kind};
  if (kind == EndKind::time_up && *side == next) return End{.kind = *kind};
  return std::nullopt;
}

// An end's own word, if a reader would find the same word again: in one piece, and not taken for a move.
bool is_sayable(std::string_view text) {
  constexpr std::string_view kBreaks = " \t\r\n(+";
  if (text.empty() || text.find_first_of(kBreaks) != std::string_view::npos) return false;
  std::string_view rest = text;
  return trimmed(text) == text && !text.contains("　") && !text.contains("（") && !take(rest, "同") &&
         !take_mark(rest) && !take_digit(rest);
}

}  // namespace

Color next_to_move(const Game& game) {
  const bool odd = (game.plies() + (game.impossible ? 1 : 0)) % 2 != 0;
  return odd ? ~game.start.turn : game.start.turn;
}

KifEnd kif_end(const Game& game, std::string_view word) {
  if (auto end = won_or_lost(game, word)) return {.end = std::move(*end)};
  if (const auto kind = kind_of(word)) return {.end = {.kind = *kind}};
  return {.end = {.kind = EndKind::other, .spent_ms = {}, .text = std::string(word)}, .known = is_other_word(word)};
}

bool is_kif_end_word(std::string_view word) { return kind_of(word) || is_other_word(word); }

std::string kif_end_word(const Game& game) {
  const End& end = game.end;
  if (end.kind == EndKind::none) return "";
  if (is_foul(end.kind)) return offender(game) == next_to_move(game) ? "反則負け" : "反則勝ち";
  if (end.kind != EndKind::other) return std::string(word_of(end.kind));
  return is_sayable(end.text) ? end.text : std::string(kUnsayable);
}

std::string kif_last_line(const Game& game) {
  if (game.end.kind == EndKind::none) return "";
  const bool handicap = is_handicap(game.start);
  const Color next = next_to_move(game);
  const std::string mover(side_name(next, handicap)), other(side_name(~next, handicap));
  std::string out = "まで" + std::to_string(game.plies() + (game.impossible ? 1 : 0)) + "手";
  switch (game.end.kind) {
    case EndKind::toryo:
      return out + "で" + other + "の勝ち";
    case EndKind::time_up:
      return out + "で時間切れにより" + other + "の勝ち";
    case EndKind::kachi:
    case EndKind::illegal_move:
    case EndKind::black_illegal:
    case EndKind::white_illegal:
      return out + "で" + mover + "の" + kif_end_word(game);
    default:
      return out + "で" + kif_end_word(game);
  }
}

bool is_usual_end(const End& end) {
  switch (end.kind) {
    case EndKind::toryo:
    case EndKind::chudan:
    case EndKind::sennichite:
    case EndKind::time_up:
    case EndKind::illegal_move:
    case EndKind::black_illegal:
    case EndKind::white_illegal:
    case EndKind::jishogi:
    case EndKind::tsumi:
    case EndKind::fuzumi:
      return true;
    default:
      return end.kind == EndKind::other && end.text == "封じ手";
  }
}

std::optional<LastLine> parse_last_line(std::string_view text) {
  if (!take(text, "まで")) return std::nullopt;
  take(text, "、");
  LastLine line;
  line.plies = take_number(text);
  if (line.plies && !take(text, "手")) return std::nullopt;
  if (!take(text, "にて")) take(text, "で");
  line.word = trimmed(text);
  return line;
}

}  // namespace fuhyo::record
