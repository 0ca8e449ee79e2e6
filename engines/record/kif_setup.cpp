#include "engines/record/kif_setup.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engines/record/diagnostic.h"
#include "engines/record/kif_text.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using Defect = std::optional<std::string>;

constexpr std::size_t index(Square square) { return static_cast<std::size_t>(square); }

// What White lacks, as squares of the board: file and rank.
struct Named {
  std::string_view name, preset, removed;
};
constexpr std::array<Named, 16> kNamed = {{
    {"平手", "HIRATE", ""},
    {"香落ち", "KY", "11"},
    {"右香落ち", "KY_R", "91"},
    {"角落ち", "KA", "22"},
    {"飛車落ち", "HI", "82"},
    {"飛香落ち", "HIKY", "8211"},
    {"二枚落ち", "2", "8222"},
    {"三枚落ち", "3", "822211"},
    {"四枚落ち", "4", "82221191"},
    {"五枚落ち", "5", "8222119181"},
    {"左五枚落ち", "5_L", "8222119121"},
    {"六枚落ち", "6", "822211918121"},
    {"左七枚落ち", "7_L", "82221191812131"},
    {"右七枚落ち", "7_R", "82221191812171"},
    {"八枚落ち", "8", "8222119181217131"},
    {"十枚落ち", "10", "82221191812171316141"},
}};

const std::vector<KifHandicap>& handicaps() {
  static const std::vector<KifHandicap> all = [] {
    std::vector<KifHandicap> made;
    for (const Named& named : kNamed) {
      Setup setup = Setup::standard();
      for (std::size_t i = 0; i < named.removed.size(); i += 2) {
        setup.board[index(make_square(named.removed[i] - '0', named.removed[i + 1] - '0'))] = NO_PIECE;
      }
      if (!named.removed.empty()) setup.turn = WHITE;
      made.push_back({named.name, named.preset, setup});
    }
    return made;
  }();
  return all;
}

template <class Value>
const KifHandicap* handicap_where(Value KifHandicap::* field, const Value& value) {
  const auto found = std::ranges::find(handicaps(), value, field);
  return found == handicaps().end() ? nullptr : &*found;
}

// The order in which KIF lists a hand.
constexpr std::array kHandOrder = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};

std::string kif_hand(const Hand& hand) {
  std::string out;
  for (const PieceType type : kHandOrder) {
    const int count = hand.count(type);
    if (count == 0) continue;
    out += kif_name(type);
    if (count > 1) out += kif_count(count);
    out += "　";
  }
  return out.empty() ? "なし" : out;
}

}  // namespace

const KifHandicap* handicap_by_name(std::string_view name) { return handicap_where(&KifHandicap::name, name); }
const KifHandicap* handicap_by_preset(std::string_view preset) { return handicap_where(&KifHandicap::preset, preset); }
const KifHandicap* handicap_of(const Setup& setup) { return handicap_where(&KifHandicap::setup, setup); }

bool is_handicap(const Setup& setup) {
  const KifHandicap* handicap = handicap_of(setup);
  return handicap != nullptr && handicap->setup != Setup::standard();
}

Defect KifSetupReader::handicap(std::string_view name) {
  const KifHandicap* known = handicap_by_name(name);
  if (known != nullptr) named_ = known->setup;
  without_squares_ = known == nullptr ? name : std::string_view();
  if (known != nullptr || name == "その他") return std::nullopt;
  return "unknown handicap " + in_quotes(name);
}

// Nine squares; a 'v' before a piece makes it White's. Blanks only separate: not all programs write the same.
Defect KifSetupReader::rank(std::string_view line) {
  if (ranks_ == 9) return "the board has more than nine ranks";
  const int rank = ++ranks_;
  take(line, "|");
  for (int file = 9; file >= 1; --file) {
    skip_blanks(line);
    if (take(line, "・") || take(line, "·") || take(line, ".")) continue;
    const Color color = take(line, "v") || take(line, "V") ? WHITE : BLACK;
    if (color == BLACK) take(line, "^");
    const PieceType type = take_piece(line);
    if (type == NO_PIECE_TYPE) {
      return "no piece on file " + std::to_string(file) + " of rank " + std::to_string(rank) + ": " + in_quotes(line);
    }
    board_.board[index(make_square(file, rank))] = make_piece(color, type);
  }
  skip_blanks(line);
  if (!take(line, "|")) return "rank " + std::to_string(rank) + " does not end after nine squares";
  return std::nullopt;
}

Defect KifSetupReader::hand(Color color, std::string_view list) {
  Hand hand;
  skip_blanks(list);
  if (trimmed(list) == "なし") list = {};
  while (!list.empty()) {
    const std::string_view rest = list;
    const PieceType type = take_piece(list);
    if (type == NO_PIECE_TYPE || type > GOLD) return "a hand cannot hold " + in_quotes(rest);
    const int count = take_count(list).value_or(1);
    if (count + hand.count(type) > set_count(type)) return "more " + std::string(kif_name(type)) + " than a set has";
    hand.add(type, count);
    skip_blanks(list);
  }
  board_.hands[color] = hand;
  hands_ = hands_ || !hand.empty();
  return std::nullopt;
}

std::expected<Setup, std::string> KifSetupReader::finish() const {
  const bool board = ranks_ > 0;
  if (board && ranks_ < 9) return std::unexpected("the board has only " + std::to_string(ranks_) + " ranks");
  if (!board && hands_) return std::unexpected("pieces in hand, but no board");
  if (!board && !without_squares_.empty())
    return std::unexpected("no board for the handicap " + in_quotes(without_squares_));
  Setup setup = board ? board_ : named_.value_or(Setup::standard());
  if (turn_) setup.turn = *turn_;
  if (const PieceType type = excess(setup); type != NO_PIECE_TYPE) {
    return std::unexpected("more " + std::string(kif_name(type)) + " than a set has");
  }
  return setup;
}

std::string kif_board(const Setup& setup) {
  constexpr std::string_view kFrame = "+---------------------------+\n";
  std::string out = "後手の持駒：" + kif_hand(setup.hands[WHITE]) + "\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n";
  out += kFrame;
  for (int rank = 1; rank <= 9; ++rank) {
    out += '|';
    for (int file = 9; file >= 1; --file) {
      const Piece piece = setup.board[index(make_square(file, rank))];
      out += piece != NO_PIECE && color_of(piece) == WHITE ? 'v' : ' ';
      out += piece == NO_PIECE ? "・" : kif_letter(type_of(piece));
    }
    out += '|' + kif_count(rank) + '\n';
  }
  out += kFrame;
  out += "先手の持駒：" + kif_hand(setup.hands[BLACK]) + '\n';
  out += std::string(side_name(setup.turn, false)) + "番\n";
  return out;
}

}  // namespace fuhyo::record
