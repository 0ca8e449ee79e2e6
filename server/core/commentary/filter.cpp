#include "server/core/commentary/filter.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "engines/record/kif_text.h"

namespace fuhyo::core {
namespace {

using Unfit = std::unexpected<std::string>;

constexpr std::string_view kWideBlank = "　";

bool is_digit(char c) { return c >= '1' && c <= '9'; }
bool is_rank(char c) { return c >= 'a' && c <= 'i'; }
bool is_of_token(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("+-*=").contains(c);
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

bool has_markup(std::string_view text) {
  constexpr std::string_view kMarks[] = {"**", "__", "://", "www.", "&#", "&lt"};
  return text.find_first_of("<>`{}[]|\\#") != text.npos ||
         std::ranges::any_of(kMarks, [text](std::string_view mark) { return text.contains(mark); });
}

// "P-76", "Bx22+", "G58-57", "S*55", "7g7f", "P7f", "+7776FU": whatever may be meant for a move.
bool looks_like_move(std::string_view token) {
  if (token.size() == 7 && (token[0] == '+' || token[0] == '-') &&
      std::ranges::all_of(token.substr(1, 4), [](char c) { return is_digit(c) || c == '0'; })) {
    return true;
  }
  if (token.size() >= 4 && is_digit(token[0]) && is_rank(token[1])) return true;
  if (token.starts_with('+')) token.remove_prefix(1);
  if (token.size() < 3 || !std::string_view("PLNSGBRK").contains(token[0])) return false;
  return std::ranges::any_of(token, is_digit) && std::ranges::all_of(token.substr(1), [](char c) {
           return is_digit(c) || is_rank(c) || std::string_view("-x*+=").contains(c);
         });
}

class Allowed {
 public:
  explicit Allowed(const Turn& turn) {
    add(turn.move);
    for (const Words& words : turn.line) add(words);
  }

  bool knows_token(std::string_view token) const { return std::ranges::find(english_, token) != english_.end(); }
  // "７六", "７六歩", "同銀": where one of the moves begins so.
  bool knows(std::string_view begin) const {
    return std::ranges::any_of(japanese_, [begin](const std::string& move) { return move.starts_with(begin); });
  }

 private:
  void add(const Words& words) {
    const std::size_t mark = mark_of(shogi::BLACK).size();
    if (words.ja.size() < mark) return;
    std::string move = words.ja.substr(mark);
    if (const std::size_t blank = move.find(kWideBlank); blank != move.npos) move.erase(blank, kWideBlank.size());
    japanese_.push_back(std::move(move));
    english_.push_back(words.en.substr(mark));
  }

  std::vector<std::string> japanese_, english_;
};

// "７六歩", "7六歩", "76歩" as "７六歩", and "同　銀" as "同銀", if the text begins with one; a square alone if its
// rank is written in kanji, since other pairs of digits are numbers.
std::string japanese_move(std::string_view text) {
  const std::string_view whole = text;
  std::string begin;
  if (record::take(text, "同")) {
    record::skip_blanks(text);
    begin = "同";
  } else if (is_digit(text.front()) || text.front() == '\xef') {
    const auto square = record::take_square(text);
    if (!square) return {};
    begin = record::kif_square(*square);
  } else {
    return {};
  }
  const bool kanji =
      begin != "同" && whole.substr(0, whole.size() - text.size()).find_first_of("\xe4\xe5") != whole.npos;
  const auto piece = record::take_piece(text);
  if (piece == shogi::NO_PIECE_TYPE) return kanji ? begin : std::string();
  return begin.append(record::kif_name(piece));
}

std::string unknown_move(std::string_view text, const Allowed& allowed) {
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(1)) {
    if ((static_cast<unsigned char>(rest.front()) & 0xc0u) == 0x80u) continue;  // within a character
    const std::string move = japanese_move(rest);
    if (!move.empty() && !allowed.knows(move)) return move;
  }
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, is_of_token);
    std::string_view token(text.begin(), end);
    text.remove_prefix(std::max<std::size_t>(token.size(), 1));
    if (looks_like_move(token) && !allowed.knows_token(token)) return std::string(token);
  }
  return {};
}

}  // namespace

std::expected<std::string, std::string> fit_to_say(std::string_view text, const Turn& turn) {
  std::string line = on_one_line(text);
  if (line.empty()) return Unfit("is empty");
  if (line.size() > kLongestSaid) return Unfit(fmt::format("has more than {} bytes", kLongestSaid));
  if (std::ranges::any_of(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; })) {
    return Unfit("has control characters");
  }
  if (has_markup(line)) return Unfit("has markup");
  if (const std::string move = unknown_move(line, Allowed(turn)); !move.empty()) {
    return Unfit(fmt::format("tells of {}, which it was not told of", move));
  }
  return line;
}

}  // namespace fuhyo::core
