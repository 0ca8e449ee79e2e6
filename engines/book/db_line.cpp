#include "engines/book/db_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "engines/shogi/usi_move.h"

namespace fuhyo::book {
namespace {

std::string_view next_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && (rest[begin] == ' ' || rest[begin] == '\t')) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && rest[end] != ' ' && rest[end] != '\t') ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

// As next_word(), but a single blank ends a field: ShogiHome once wrote nothing at all where a value is not known.
std::string_view next_field(std::string_view& rest) {
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.starts_with(' ')) return {};
  return next_word(rest);
}

bool is_none(std::string_view word) { return word == "none" || word == "None" || word == "resign" || word == "win"; }

template <class Number>
bool read_number(std::string_view word, Number& number) {
  if (word.empty() || is_none(word)) return true;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [stopped, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && stopped == word.data() + word.size();
}

bool is_remark(std::string_view word) { return word.starts_with('#') || word.starts_with("//"); }

// False: damaged. What follows the reply may be missing; a remark may stand in its place.
bool read_numbers(std::string_view rest, BookMove& move) {
  for (int field = 0; field < 3 && !rest.empty(); ++field) {
    const std::string_view word = next_field(rest);
    if (is_remark(word)) return true;
    const bool read = field == 0   ? read_number(word, move.value)
                      : field == 1 ? read_number(word, move.depth)
                                   : read_number(word, move.count);
    if (!read) return false;
  }
  return true;
}

Line parse_move(std::string_view text) {
  const std::string_view move = next_word(text);
  if (is_none(move)) return {};
  const auto parsed = shogi::parse_usi_move(move);
  if (!parsed) return {.kind = LineKind::damaged};
  // Who writes no count has seen the move once.
  Line line{.kind = LineKind::move, .move = {.move = *parsed, .count = 1}};
  const std::string_view reply = next_word(text);
  if (is_remark(reply)) return line;
  if (!reply.empty() && !is_none(reply)) {
    const auto answer = shogi::parse_usi_move(reply);
    if (!answer) return {.kind = LineKind::damaged};
    line.move.reply = *answer;
  }
  return read_numbers(text, line.move) ? line : Line{.kind = LineKind::damaged};
}

// What a character means in a position, by a table, because a large book has many: letters of pieces are numbered from
// kFirstPiece on, White's after Black's.
constexpr std::uint8_t kOther = 0, kDigit = 1, kSlash = 2, kPlus = 3, kFirstPiece = 4;
constexpr auto kMeaning = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned char c = '1'; c <= '9'; ++c) table[c] = kDigit;
  table['/'] = kSlash;
  table['+'] = kPlus;
  std::uint8_t next = kFirstPiece;
  for (const char c : std::string_view("PLNSBRGKplnsbrgk")) table[static_cast<unsigned char>(c)] = next++;
  return table;
}();
constexpr std::uint8_t meaning(char c) { return kMeaning[static_cast<unsigned char>(c)]; }

// Nine ranks of nine squares. Whether the pieces make a position is nobody's question here.
bool is_board(std::string_view text) {
  int squares = 0, ranks = 1;
  for (const char c : text) {
    const std::uint8_t what = meaning(c);
    if (what >= kFirstPiece) {
      ++squares;
    } else if (what == kDigit) {
      squares += c - '0';
    } else if (what == kSlash) {
      if (squares != 9) return false;
      squares = 0;
      ++ranks;
    } else if (what == kOther) {
      return false;
    }
  }
  return ranks == 9 && squares == 9;
}

bool is_hands(std::string_view text) {
  if (text == "-") return true;
  for (const char c : text) {
    if (meaning(c) < kFirstPiece && (c < '0' || c > '9')) return false;
  }
  return !text.empty();
}

Line parse_position(std::string_view text) {
  constexpr Line kDamaged{.kind = LineKind::damaged};
  std::string_view rest = text;
  const std::string_view board = next_word(rest), turn = next_word(rest), hands = next_word(rest);
  if (!is_board(board) || (turn != "b" && turn != "w") || !is_hands(hands)) return kDamaged;
  Line line{.kind = LineKind::position};
  line.position.key = std::string_view(board.data(), static_cast<std::size_t>(hands.end() - board.begin()));
  const std::string_view number = next_word(rest);
  if (number.empty() || is_remark(number)) return line;
  int ply = 0;
  if (!read_number(number, ply) || ply < 0) return kDamaged;
  line.position.ply = ply;
  return line;
}

constexpr std::uint64_t mix(std::uint64_t sum, std::uint64_t value) {
  sum = (sum ^ value) * 0x9e3779b97f4a7c15;
  return sum ^ sum >> 32;
}

// Board and side to move of a key, and its hands as numbers: how many of each letter.
struct Parts {
  std::string_view board;
  std::array<std::uint8_t, 16> held{};
  bool operator==(const Parts&) const = default;
};

Parts parts_of(std::string_view key) {
  const std::size_t turn = key.find(' ');
  Parts parts{.board = key.substr(0, turn == std::string_view::npos ? turn : turn + 2), .held = {}};
  std::size_t at = key.rfind(' ');
  int count = 0;
  for (at = at == std::string_view::npos ? key.size() : at + 1; at < key.size(); ++at) {
    const char c = key[at];
    if (c >= '0' && c <= '9') {
      count = (count * 10 + (c - '0')) % 100;
    } else if (meaning(c) >= kFirstPiece) {
      auto& held = parts.held[meaning(c) - kFirstPiece];
      held = static_cast<std::uint8_t>(held + (count == 0 ? 1 : count));
      count = 0;
    }
  }
  return parts;
}

}  // namespace

Line parse_db_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.empty() || is_remark(text)) return {};
  if (text.starts_with("sfen ")) return parse_position(text.substr(5));
  return parse_move(text);
}

std::uint64_t digest_of_key(std::string_view key) {
  const Parts parts = parts_of(key);
  std::uint64_t sum = 1;
  std::uint64_t word = 0;
  for (std::string_view rest = parts.board; !rest.empty(); rest.remove_prefix(std::min(rest.size(), sizeof word))) {
    word = 0;
    std::memcpy(&word, rest.data(), std::min(rest.size(), sizeof word));
    sum = mix(sum, word);
  }
  for (std::size_t i = 0; i < parts.held.size(); i += 8) {
    std::memcpy(&word, parts.held.data() + i, sizeof word);
    sum = mix(sum, word);
  }
  return mix(sum, sum >> 17);
}

bool is_usual_key(std::string_view key) {
  constexpr std::string_view kDigits = "0123456789", kOrder = "RBGSNLPrbgsnlp";
  const auto is_digit = [&](char c) { return kDigits.contains(c); };
  const std::size_t hands = key.rfind(' ') + 1;
  const std::string_view board = key.substr(0, hands);
  if (std::ranges::adjacent_find(board, [&](char a, char b) { return is_digit(a) && is_digit(b); }) != board.end()) {
    return false;
  }
  std::size_t next = 0;  // in the order of pieces
  for (std::string_view rest = key.substr(hands); !rest.empty() && rest != "-"; ++next) {
    const std::string_view count = rest.substr(0, rest.find_first_not_of(kDigits));
    if (count == "1" || count.starts_with('0') || count.size() == rest.size()) return false;
    next = kOrder.find(rest[count.size()], next);
    if (next == std::string_view::npos) return false;
    rest.remove_prefix(count.size() + 1);
  }
  return true;
}

bool same_key(std::string_view a, std::string_view b) { return a == b || parts_of(a) == parts_of(b); }

}  // namespace fuhyo::book
