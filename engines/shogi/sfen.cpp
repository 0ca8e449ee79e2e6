// Positions as SFEN text: "<board> <b|w> <hands> [<move number>]".

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "engines/shogi/number.h"
#include "engines/shogi/position.h"
#include "engines/shogi/zobrist.h"

namespace fuhyo::shogi {
namespace {

constexpr std::string_view kLetters = " PLNSBRGK";
constexpr std::array<int, 9> kSet = {0, 18, 4, 4, 4, 2, 2, 4, 2};  // pieces of a kind in a set
constexpr std::array<PieceType, 7> kHandOrder = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
constexpr int kMaxMoveNumber = 1'000'000;

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Piece> piece_of(char letter) {
  const std::size_t type = kLetters.find(upper(letter));
  if (type == std::string_view::npos || type == 0) return std::nullopt;
  return make_piece(letter == upper(letter) ? BLACK : WHITE, static_cast<PieceType>(type));
}

char letter_of(Piece piece) {
  const char letter = kLetters[unpromoted(type_of(piece))];
  return color_of(piece) == BLACK ? letter : static_cast<char>(letter - 'A' + 'a');
}

// What somebody sent, cut to a length and to characters that a log can bear.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > kLongest ? "...\"" : "\"");
}

std::string square_name(Square s) {
  return {static_cast<char>('0' + file_of(s)), static_cast<char>('a' + rank_of(s) - 1)};
}

std::string_view name_of(Color c) { return c == BLACK ? "Black" : "White"; }

std::string_view next_word(std::string_view& rest) {
  const std::size_t start = std::min(rest.find_first_not_of(' '), rest.size());
  const std::size_t end = std::min(rest.find(' ', start), rest.size());
  const std::string_view word = rest.substr(start, end - start);
  rest.remove_prefix(end);
  return word;
}

}  // namespace

// Builds a position from the four words; every step returns what is wrong, or nothing.
class SfenReader {
 public:
  using Defect = std::optional<std::string>;

  explicit SfenReader(Pieces pieces) : pieces_(pieces) {}

  std::expected<Position, SfenError> read(std::string_view text) {
    const std::string_view board = next_word(text), turn = next_word(text), hands = next_word(text),
                           number = next_word(text);
    Defect defect = hands.empty() ? Defect("a board, a side to move and hands expected") : read_board(board);
    if (!defect) defect = read_turn(turn);
    if (!defect) defect = read_hands(hands);
    if (!defect) defect = read_number(number);
    if (!defect && !next_word(text).empty()) defect = "text after the move number";
    if (!defect) defect = judge();
    if (defect) return std::unexpected(SfenError{std::move(*defect)});
    return position_;
  }

 private:
  Defect read_board(std::string_view text) {
    for (int rank = 1; rank <= 9; ++rank) {
      const std::size_t end = std::min(text.find('/'), text.size());
      if (const Defect defect = read_rank(text.substr(0, end), rank)) return defect;
      if (rank < 9 && end == text.size()) return "the board has " + std::to_string(rank) + " ranks instead of 9";
      if (rank == 9 && end < text.size()) return "the board has more than 9 ranks";
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::nullopt;
  }

  Defect read_rank(std::string_view text, int rank) {
    const std::string where = "rank " + std::to_string(rank) + " " + quoted(text);
    int file = 9;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] >= '1' && text[i] <= '9') {
        file -= text[i] - '0';
        if (file < 0) return where + " has more than 9 squares";
        continue;
      }
      const bool promotion = text[i] == '+';
      if (promotion) ++i;
      const auto piece = i < text.size() ? piece_of(text[i]) : std::nullopt;
      if (!piece) return where + " has something that is no piece at " + quoted(text.substr(i, 1));
      if (promotion && !can_promote(type_of(*piece))) return where + " promotes what cannot be promoted";
      if (file == 0) return where + " has more than 9 squares";
      place(promotion ? static_cast<Piece>(*piece + 8) : *piece, make_square(file--, rank));
    }
    if (file > 0) return where + " has " + std::to_string(9 - file) + " squares instead of 9";
    return std::nullopt;
  }

  void place(Piece piece, Square s) {
    position_.put(piece, s);
    position_.board_key_ ^= detail::kZobrist.on(piece, s);
    const PieceType type = unpromoted(type_of(piece));
    ++used_[type];
    if (type == KING) position_.kings_[color_of(piece)] = s;
  }

  Defect read_turn(std::string_view text) {
    if (text != "b" && text != "w") return "the side to move is " + quoted(text) + " instead of b or w";
    if (text == "b") return std::nullopt;
    position_.side_to_move_ = WHITE;
    position_.board_key_ ^= detail::kZobrist.white_to_move;
    return std::nullopt;
  }

  Defect read_hands(std::string_view text) {
    if (text == "-") return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i) {
      int count = 1;
      if (is_digit(text[i])) {
        const auto [stopped, error] = std::from_chars(text.data() + i, text.data() + text.size(), count);
        if (error != std::errc{} || count < 1 || count > kSet[PAWN]) {
          return "hands " + quoted(text) + " have a number that is not from 1 to 18";
        }
        i = static_cast<std::size_t>(stopped - text.data());
      }
      const auto piece = i < text.size() ? piece_of(text[i]) : std::nullopt;
      if (!piece || type_of(*piece) == KING) return "hands " + quoted(text) + " hold something that cannot be held";
      if (const Defect defect = hold(*piece, count)) return defect;
    }
    return std::nullopt;
  }

  Defect hold(Piece piece, int count) {
    const Color owner = color_of(piece);
    const PieceType type = type_of(piece);
    if (position_.hands_[owner].count(type) + count > kSet[PAWN]) {
      return std::string("hands hold more than 18 of ") + letter_of(piece);
    }
    position_.hands_[owner].add(type, count);
    position_.hand_key_ += static_cast<Key>(count) * detail::kZobrist.hand[owner][type];
    used_[type] += count;
    return std::nullopt;
  }

  Defect read_number(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const auto number = number_of<int>(text);
    if (!number || *number < 0 || *number > kMaxMoveNumber) return "the move number is " + quoted(text);
    position_.ply_ = std::max(*number - 1, 0);  // some programs number from 0
    return std::nullopt;
  }

  // What the parts cannot know of each other.
  Defect judge() {
    if (const Defect defect = judge_number_of_pieces(); defect && pieces_ == Pieces::ONE_SET) return defect;
    for (const Color c : {BLACK, WHITE}) {
      if (const Defect defect = judge_side(c)) return defect;
    }
    position_.set_up_checks();
    const Color waiting = ~position_.side_to_move_;
    const Square king = position_.kings_[waiting];
    if (king != SQ_NONE && position_.attackers(~waiting, king, position_.occupied()).any()) {
      return std::string(name_of(waiting)) + " is in check and not to move";
    }
    return std::nullopt;
  }

  Defect judge_number_of_pieces() const {
    for (std::uint8_t type = PAWN; type <= KING; ++type) {
      if (used_[type] <= kSet[type]) continue;
      return std::to_string(used_[type]) + " pieces of kind " + kLetters[type] + ", a set has " +
             std::to_string(kSet[type]);
    }
    return std::nullopt;
  }

  Defect judge_side(Color c) const {
    const std::string name(name_of(c));
    if (position_.pieces(c, KING).more_than_one()) return name + " has two kings";
    const Bitboard last = c == BLACK ? kFarthestRanks<BLACK, 1> : kFarthestRanks<WHITE, 1>;
    const Bitboard last_two = c == BLACK ? kFarthestRanks<BLACK, 2> : kFarthestRanks<WHITE, 2>;
    const Bitboard dead =
        ((position_.pieces(PAWN) | position_.pieces(LANCE)) & last) | (position_.pieces(KNIGHT) & last_two);
    if ((dead & position_.pieces(c)).any()) {
      return name + "'s piece on " + square_name((dead & position_.pieces(c)).first()) + " can never move";
    }
    for (int file = 1; file <= 9; ++file) {
      if (!(position_.pieces(c, PAWN) & file_mask(file)).more_than_one()) continue;
      return name + " has two pawns on file " + std::to_string(file);
    }
    return std::nullopt;
  }

  Pieces pieces_;
  Position position_{Position::Empty{}};
  std::array<int, 9> used_{};
};

std::expected<Position, SfenError> Position::from_sfen(std::string_view sfen, Pieces pieces) {
  return SfenReader(pieces).read(sfen);
}

namespace {

void append_rank(std::string& out, const Position& position, int rank) {
  int empty = 0;
  const auto flush = [&] {
    if (empty > 0) out += static_cast<char>('0' + std::exchange(empty, 0));
  };
  for (int file = 9; file >= 1; --file) {
    const Piece piece = position.piece_on(make_square(file, rank));
    if (piece == NO_PIECE) {
      ++empty;
      continue;
    }
    flush();
    if (is_promoted(type_of(piece))) out += '+';
    out += letter_of(piece);
  }
  flush();
}

void append_hand(std::string& out, const Position& position, Color c) {
  for (const PieceType type : kHandOrder) {
    const int count = position.hand(c).count(type);
    if (count == 0) continue;
    if (count > 1) out += std::to_string(count);
    out += letter_of(make_piece(c, type));
  }
}

}  // namespace

std::string Position::sfen() const {
  std::string out;
  for (int rank = 1; rank <= 9; ++rank) {
    if (rank > 1) out += '/';
    append_rank(out, *this, rank);
  }
  out += side_to_move_ == BLACK ? " b " : " w ";
  if (hands_[BLACK].empty() && hands_[WHITE].empty()) out += '-';
  append_hand(out, *this, BLACK);
  append_hand(out, *this, WHITE);
  return out + ' ' + std::to_string(ply_ + 1);
}

}  // namespace fuhyo::shogi
