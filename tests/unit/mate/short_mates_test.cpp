// Checks, mates in one and in few moves, against all legal moves asked one by one.
#include <algorithm>

#include "engines/mate/mate_in_few.h"
#include "engines/mate/mate_in_one.h"
#include "engines/shogi/checks.h"
#include "engines/shogi/usi_move.h"
#include "tests/unit/mate/naive.h"
#include "tests/unit/mate/positions.h"

namespace fuhyo::mate {
namespace {

using shogi::Move;
using shogi::Position;

std::vector<shogi::Move> checks_of(const shogi::Position& position) {
  shogi::Move moves[shogi::MAX_LEGAL_MOVES];
  std::vector<shogi::Move> all(moves, shogi::generate_checks(position, moves));
  std::ranges::sort(all);
  return all;
}

TEST(Checks, AreTheLegalMovesThatGiveCheck) {
  RandomPositions positions(11);
  std::size_t total = 0, in_check = 0;
  for (int i = 0; i < FUHYO_MANY; ++i) {
    const shogi::Position& position = positions.next();
    std::vector<shogi::Move> expected;
    for (const shogi::Move move : shogi::legal_moves(position)) {
      if (position.gives_check(move)) expected.push_back(move);
    }
    std::ranges::sort(expected);
    ASSERT_EQ(checks_of(position), expected) << position.sfen();
    total += expected.size();
    in_check += position.in_check() && !expected.empty() ? 1 : 0;
  }
  EXPECT_GT(total, static_cast<std::size_t>(FUHYO_MANY));
  EXPECT_GT(in_check, static_cast<std::size_t>(FUHYO_MANY / 1'000));
}

TEST(Checks, KnowTheRulesOfPawns) {
  EXPECT_EQ(checks_of(at("7nk/9/8G/9/9/9/9/9/4K4 b P 1")).size(), 2U);   // the gold only: the pawn would mate
  EXPECT_TRUE(checks_of(at("4k4/9/9/9/9/9/4P4/9/4K4 b P 1")).empty());   // two pawns on a file
  EXPECT_EQ(checks_of(at("4k4/9/9/9/9/9/3P5/9/4K4 b P 1")).size(), 1U);  // P*5b
  EXPECT_TRUE(checks_of(at("9/9/9/9/9/9/9/9/K8 b RBGS 1")).empty());     // no king to check
}

std::string answer(std::string_view sfen) {
  const Move move = mate_in_one(at(sfen));
  return move ? shogi::to_usi(move) : "none";
}

TEST(MateInOne, ByHand) {
  constexpr std::pair<std::string_view, std::string_view> kAnswers[] = {
      {"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"},
      {"4k4/9/3S1S3/9/9/9/9/9/4K4 b - 1", "4c5b+"},
      {"3gkg3/9/4P4/9/4L4/9/9/9/4K4 b - 1", "none"},  // the golds take
      {"6gpk/7np/9/6N2/9/9/9/9/4K4 b N 1", "N*2c"},
      {"k8/9/1G7/9/9/9/9/9/K8 w - 1", "none"},  // it is the mated side's move
      {"9/9/9/9/9/9/9/9/K8 b G 1", "none"},     // no king
      {"7nk/9/8G/9/9/9/9/9/4K4 b P 1", "none"},
      {"7nk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b+"},    // moving a pawn is allowed, dropping it is not
      {"7lk/7g1/8P/9/4B4/9/9/9/4K4 b G 1", "G*1b"},  // the gold that could take is pinned by the bishop
      {"7lk/7g1/8P/9/9/5B3/9/9/4K4 b G 1", "none"},  // and here it is not
      {"4k4/9/4P4/9/9/9/9/9/r3K4 b G 1", "none"},    // Black is in check: only a drop in between would do
  };
  for (const auto& [sfen, move] : kAnswers) EXPECT_EQ(answer(sfen), move) << sfen;
}

// Against every legal move tried out.
TEST(MateInOne, AgainstBruteForce) {
  RandomPositions positions(7);
  int near = 0, distant = 0, found = 0, distant_found = 0;
  for (int i = 0; i < FUHYO_MANY; ++i) {
    const Position& position = positions.next();
    const shogi::Square king = position.king_square(~position.side_to_move());
    bool is_near = false, is_distant = false;
    for (const Move move : shogi::legal_moves(position)) {
      if (!is_mate(position, move)) continue;
      Position next = position;
      next.do_move(move);
      const bool by_itself = next.checkers().test(move.to());
      const bool jumps = shogi::type_of(next.piece_on(move.to())) == shogi::KNIGHT;
      const bool looked_at = by_itself && (jumps || shogi::king_attacks(king).test(move.to()));
      (looked_at ? is_near : is_distant) = true;
    }
    const Move move = mate_in_one(position);
    if (move) {
      ASSERT_TRUE(position.is_legal(move)) << position.sfen() << ' ' << shogi::to_usi(move);
      ASSERT_TRUE(is_mate(position, move)) << position.sfen() << ' ' << shogi::to_usi(move);
    }
    ASSERT_EQ(static_cast<bool>(move), is_near) << position.sfen();
    near += is_near ? 1 : 0;
    distant += is_distant && !is_near ? 1 : 0;
    found += move ? 1 : 0;
    distant_found += move && !is_near ? 1 : 0;
  }
  RecordProperty("near", near);
  RecordProperty("only_distant", distant);
  std::printf("%d positions: %d with a near mate, %d found; %d with distant ones only\n", FUHYO_MANY, near, found,
              distant);
  EXPECT_EQ(found, near + distant_found);
  EXPECT_GT(near, FUHYO_MANY / 100);
}

TEST(MateInOne, SharedProblems) {
  const auto problems = shared_problems("mate-1-ply.txt");
  const auto others = shared_problems("no-mate-1-ply.txt");
  if (problems.empty() || others.empty()) GTEST_SKIP() << "no ../shared/data/mate";
  int missed = 0;
  for (const std::string& sfen : problems) {
    const Position position = at(sfen);
    const Move move = mate_in_one(position);
    if (!move) {
      ++missed;
    } else {
      EXPECT_TRUE(position.is_legal(move) && is_mate(position, move)) << sfen;
    }
  }
  std::printf("%zu problems, %d missed\n", problems.size(), missed);
  for (const std::string& sfen : others) EXPECT_FALSE(mate_in_one(at(sfen))) << sfen;
}

// By definition: after the move, every defence is mated within what is left.
bool starts_a_mate(Position position, Move move, int plies) {
  if (!position.is_legal(move) || !position.gives_check(move)) return false;
  position.do_move(move);
  for (const Move defence : naive_moves(position, false)) {
    Position next = position;
    next.do_move(defence);
    if (plies < 3 || !naive_mates_within(next, plies - 2)) return false;
  }
  return true;
}

// mate_in_few() with so many moves to make.
Move within(Position& position, int plies, int moves) {
  const int granted = moves;
  const Move mate = mate_in_few(position, plies, moves);
  EXPECT_TRUE(moves >= 0 && moves <= granted);
  return mate;
}

TEST(MateInFew, NeverFalse) {
  RandomPositions positions(21);
  int found = 0, missed = 0;
  for (int i = 0; i < FUHYO_MANY / 100; ++i) {
    Position position = positions.next();
    if (naive_moves(position, true).size() > 12) continue;
    const std::string before = position.sfen();
    const Move move = within(position, 3, 10'000);
    ASSERT_EQ(position.sfen(), before);
    const bool exists = naive_mates_within(position, 3);
    if (move) {
      ASSERT_TRUE(exists && starts_a_mate(position, move, 3)) << before << ' ' << shogi::to_usi(move);
    }
    if (exists) ++(move ? found : missed);
  }
  std::printf("%d mates within three found, %d missed\n", found, missed);
  EXPECT_LE(missed, found / 4);
}

TEST(MateInFew, FindsOurProblems) {
  for (const int plies : {3, 5, 7}) {
    const auto name = "/tests/golden/mate/mate-" + std::to_string(plies) + ".txt";
    const auto problems = lines_of(FUHYO_SOURCE_DIR + name);
    int missed = 0;
    for (const std::string& sfen : problems) {
      Position position = at(sfen);
      EXPECT_FALSE(within(position, plies - 2, 1'000'000)) << sfen;
      const Move move = within(position, plies, 1'000'000);
      missed += move ? 0 : 1;
      if (move && plies <= 5) {
        EXPECT_TRUE(starts_a_mate(position, move, plies)) << sfen;
      }
    }
    EXPECT_FALSE(problems.empty());
    EXPECT_LE(missed, static_cast<int>(problems.size()) / 10) << plies;
  }
}

TEST(MateInFew, KeepsItsBounds) {
  Position position = at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  EXPECT_TRUE(within(position, 1, 0));  // mate in one is no search
  const auto problems = lines_of(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/mate/mate-7.txt");
  for (const std::string& sfen : problems) {
    Position problem = at(sfen);
    EXPECT_FALSE(within(problem, 7, 1)) << sfen;
  }
}

}  // namespace
}  // namespace fuhyo::mate
