#include "engines/record/kif_move.h"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "engines/record/kif_text.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using Side = KifMove::Side;
using Motion = KifMove::Motion;

std::optional<KifMove> parsed(std::string_view text) { return take_kif_move(text); }

TEST(KifMove, ReadsSquaresOfEveryWidth) {
  const KifMove expected{.to = make_square(7, 6), .piece = PAWN, .from = make_square(7, 7)};
  for (const std::string_view text :
       {"７六歩(77)", "76歩(77)", "７６歩（７７）", "7六歩（７七）", "７六歩 (77)", "７六　歩(77)"}) {
    EXPECT_EQ(parsed(text), expected) << text;
  }
}

TEST(KifMove, ReadsPiecesAndWords) {
  EXPECT_EQ(parsed("同　成銀(31)"), (KifMove{.piece = PRO_SILVER, .from = make_square(3, 1)}));
  EXPECT_EQ(parsed("同銀成(31)"), (KifMove{.piece = SILVER, .from = make_square(3, 1), .promote = true}));
  EXPECT_EQ(parsed("５五角打"), (KifMove{.to = make_square(5, 5), .piece = BISHOP, .drop = true}));
  EXPECT_EQ(
      parsed("☖３三同金右上"),
      (KifMove{.color = WHITE, .to = make_square(3, 3), .piece = GOLD, .side = Side::right, .motion = Motion::up}));
  EXPECT_EQ(parsed("▲２三銀左不成")->promote, false);
  EXPECT_EQ(parsed("▲２三銀生")->promote, false);
  EXPECT_EQ(parsed("△１一竜")->piece, DRAGON);
  EXPECT_EQ(parsed("△１一龍入")->motion, Motion::up);
  EXPECT_EQ(parsed("△１一全引")->piece, PRO_SILVER);
  EXPECT_EQ(parsed("▲５九王")->piece, KING);
}

TEST(KifMove, TakesNothingOfWhatIsNoMove) {
  for (const std::string_view text : {"", "投了", "７", "７六", "七", "同", "▲", "歩", "０六歩", "７六兵", "まで"}) {
    std::string_view rest = text;
    EXPECT_EQ(take_kif_move(rest), std::nullopt) << text;
    EXPECT_EQ(rest, text);
  }
}

// Every origin of the piece on the board, as it is told.
struct Case {
  std::string_view sfen;
  std::vector<std::pair<std::string_view, std::string_view>> told;  // moves, and how KI2 writes them
};

// The same for the other side: the board turned, the colours exchanged.
std::string turned_sfen(std::string_view sfen) {
  std::string board(sfen.substr(0, sfen.find(' ')));
  std::ranges::reverse(board);
  std::string out;
  for (std::size_t i = 0; i < board.size(); ++i) {  // the '+' now follows its piece
    if (i + 1 < board.size() && board[i + 1] == '+') out += '+';
    if (board[i] != '+') out += board[i];
  }
  std::string hand(sfen.substr(sfen.find(' ') + 3));
  for (std::string* text : {&out, &hand}) {
    for (char& c : *text)
      c = std::isupper(c) != 0 ? static_cast<char>(std::tolower(c)) : static_cast<char>(std::toupper(c));
  }
  return out + " w " + hand;
}
Square turned(Square s) { return static_cast<Square>(80 - s); }
Move turned(Move m) {
  if (m.is_drop()) return Move::drop(m.dropped(), turned(m.to()));
  return Move::board(turned(m.from()), turned(m.to()), m.is_promotion());
}

Setup setup_of(std::string_view sfen) {
  const auto position = Position::from_sfen(sfen);
  EXPECT_TRUE(position) << sfen << ": " << position.error().message;
  return position ? Setup::of(*position) : Setup::standard();
}

void expect_said(const Setup& board, Move move, std::string_view said) {
  const KifMove words = in_words(board, move);
  const std::string text = to_ki2(words, SQ_NONE);
  EXPECT_EQ(text, said) << board.sfen() << ' ' << to_usi(move);
  std::string_view rest = said;
  const auto read = take_kif_move(rest);
  ASSERT_TRUE(read && rest.empty()) << said;
  const auto csa = meant(board, *read, SQ_NONE);
  ASSERT_TRUE(csa) << said << ": " << csa.error();
  EXPECT_EQ(board.resolve(*csa), move) << said;
}

// What is told by the rules of the Japan Shogi Association. Squares by file and rank: 5e is 5五.
const Case kCases[] = {
    // One piece: no words.
    {"4k4/9/9/9/9/5G3/9/9/4K4 b - 1", {{"4f5e", "▲５五金"}}},
    // Two golds: one up, one aside, one back.
    {"4k4/9/9/9/5G3/4G4/9/9/4K4 b - 1", {{"5f5e", "▲５五金上"}, {"4e5e", "▲５五金寄"}}},
    {"4k4/9/9/4G4/9/4G4/9/9/4K4 b - 1", {{"5d5e", "▲５五金引"}, {"5f5e", "▲５五金上"}}},
    // Two that move alike: from the left, the right, straight up.
    {"4k4/9/9/9/9/3G1G3/9/9/4K4 b - 1", {{"6f5e", "▲５五金左"}, {"4f5e", "▲５五金右"}}},
    {"4k4/9/9/9/9/3GG4/9/9/4K4 b - 1", {{"5f5e", "▲５五金直"}, {"6f5e", "▲５五金左"}}},
    {"4k4/9/9/9/3G1G3/9/9/9/4K4 b - 1", {{"6e5e", "▲５五金左"}, {"4e5e", "▲５五金右"}}},
    // Three in a row.
    {"4k4/9/9/9/9/3GGG3/9/9/4K4 b - 1", {{"6f5e", "▲５五金左"}, {"5f5e", "▲５五金直"}, {"4f5e", "▲５五金右"}}},
    // Both words: two on the right, one of which moves like the one on the left.
    {"4k4/9/9/9/5G3/3G1G3/9/9/4K4 b - 1", {{"4f5e", "▲５五金右上"}, {"4e5e", "▲５五金寄"}, {"6f5e", "▲５五金左"}}},
    {"4k4/9/9/9/3G1G3/3G1G3/9/9/4K4 b - 1",
     {{"6e5e", "▲５五金左寄"}, {"6f5e", "▲５五金左上"}, {"4e5e", "▲５五金右寄"}}},
    // Silvers go back to both sides.
    {"4k4/9/9/3S1S3/9/9/9/9/4K4 b - 1", {{"6d5e", "▲５五銀左"}}},
    {"4k4/9/9/3S1S3/9/4S4/9/9/4K4 b - 1", {{"5f5e", "▲５五銀上"}}},
    {"4k4/9/9/3S1S3/9/3SS4/9/9/4K4 b - 1",
     {{"5f5e", "▲５五銀直"}, {"6d5e", "▲５五銀左引"}, {"6f5e", "▲５五銀左上"}, {"4d5e", "▲５五銀右"}}},
    // Promoted pawns, five of them.
    {"4k4/9/9/4+P4/3+P1+P3/3+P1+P3/9/9/4K4 b - 1",
     {{"5d5e", "▲５五と引"}, {"6f5e", "▲５五と左上"}, {"4e5e", "▲５五と右寄"}}},
    // Knights, bishops, rooks.
    {"4k4/9/9/9/9/9/3N1N3/9/4K4 b - 1", {{"6g5e", "▲５五桂左"}, {"4g5e", "▲５五桂右"}}},
    {"7k1/9/9/9/9/9/2B3B2/9/K8 b - 1", {{"7g5e", "▲５五角左"}}},
    {"7k1/9/6B2/9/9/9/6B2/9/K8 b - 1", {{"3c5e", "▲５五角引不成"}}},
    {"7k1/4R4/9/9/9/9/4R4/9/K8 b - 1", {{"5b5e", "▲５五飛引不成"}}},
    // Horses and dragons: seen from each other, and never 直.
    {"7k1/9/9/9/9/3+B+B4/9/9/K8 b - 1", {{"5f5e", "▲５五馬右"}, {"6f5e", "▲５五馬左"}}},
    {"7k1/9/9/9/9/4+B+B3/9/9/K8 b - 1", {{"5f5e", "▲５五馬左"}}},
    {"7k1/9/9/9/9/4+B4/9/1+B7/K8 b - 1", {{"5f5e", "▲５五馬右"}}},
    {"7k1/9/9/9/9/3+R+R4/9/9/K8 b - 1", {{"6f5e", "▲５五龍左"}, {"5f5e", "▲５五龍右"}}},
    {"7k1/9/9/4+R4/9/4+R4/9/9/K8 b - 1", {{"5d5e", "▲５五龍引"}}},
    {"7k1/9/9/9/+R7+R/9/9/9/K8 b - 1", {{"9e5e", "▲５五龍左"}, {"1e5e", "▲５五龍右"}}},
    // Promotion comes last; 不成 only where there is a choice.
    {"4k4/9/9/3S1S3/9/9/9/9/4K4 b - 1", {{"6d5c+", "▲５三銀左成"}, {"4d5c", "▲５三銀右不成"}}},
    {"4k4/9/9/9/4P4/9/9/9/4K4 b - 1", {{"5e5d", "▲５四歩"}}},
    {"4k4/9/4S4/9/9/9/9/9/4K4 b - 1", {{"5c4d", "▲４四銀不成"}}},
    // A drop is told only where a piece on the board could go as well.
    {"4k4/9/9/9/9/5G3/9/9/4K4 b G 1", {{"G*5e", "▲５五金打"}}},
    {"4k4/9/9/9/9/9/9/9/4K4 b G 1", {{"G*5e", "▲５五金"}}},
    // A pinned piece counts: people look at how pieces move.
    {"4k4/9/4r4/9/9/3GG4/9/9/4K4 b - 1", {{"6f6e", "▲６五金直"}}},
};

TEST(KifMove, TellsPiecesApartAsTheAssociationDoes) {
  for (const auto& [sfen, told] : kCases) {
    for (const auto& [usi, said] : told) expect_said(setup_of(sfen), *parse_usi_move(usi), said);
  }
}

// 左 and 右 are the mover's own: White's words of the turned board are the same.
TEST(KifMove, SaysTheSameForWhite) {
  for (const auto& [sfen, told] : kCases) {
    for (const auto& [usi, said] : told) {
      const Move move = turned(*parse_usi_move(usi));
      const std::string words(said.substr(std::string_view("▲５五").size()));
      expect_said(setup_of(turned_sfen(sfen)), move, "△" + kif_square(move.to()) + words);
    }
  }
}

std::string refusal(std::string_view sfen, std::string_view said, Square last_to = SQ_NONE) {
  const auto csa = meant(setup_of(sfen), *parsed(said), last_to);
  return csa ? to_csa(*csa) : csa.error();
}

TEST(KifMove, RefusesWhatIsNotOneMove) {
  constexpr std::string_view kTwo = "4k4/9/9/9/9/3G1G3/9/9/4K4 b - 1";
  EXPECT_EQ(refusal(kTwo, "▲５五金"), "'５五金': several pieces can go there");
  EXPECT_EQ(refusal(kTwo, "▲５五金上"), "'５五金': several pieces can go there");
  EXPECT_EQ(refusal(kTwo, "▲５五銀右"), "'５五銀': no such piece can go there");
  EXPECT_EQ(refusal(kTwo, "▲５五金直"), "'５五金': no such piece can go there");
  EXPECT_EQ(refusal(kTwo, "△５五金左"), "it is the other side's turn");
  EXPECT_EQ(refusal(kTwo, "▲５五金左成"), "'５五金' cannot promote");
  EXPECT_EQ(refusal(kTwo, "同金左"), "同 without a move before it");
  EXPECT_EQ(refusal(kTwo, "同金左", make_square(5, 5)), "+6655KI");
  // Words that are of no use are no reason to refuse; nor is that only one of two may move.
  EXPECT_EQ(refusal("4k4/9/9/9/9/5G3/9/9/4K4 b - 1", "▲５五金左"), "+4655KI");
  constexpr std::string_view kPinned = "4k4/9/4r4/9/9/3GG4/9/9/4K4 b - 1";
  EXPECT_EQ(refusal(kPinned, "▲６五金"), "+6665KI");
  EXPECT_EQ(refusal(kPinned, "▲６五金右"), "+5665KI");  // illegal, but said
}

}  // namespace
}  // namespace fuhyo::record
