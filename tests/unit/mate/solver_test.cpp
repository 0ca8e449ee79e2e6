#include "engines/mate/solver.h"

#include <set>

#include "engines/mate/proof_search.h"
#include "engines/shogi/usi_move.h"
#include "tests/unit/mate/naive.h"
#include "tests/unit/mate/positions.h"

namespace fuhyo::mate {
namespace {

using shogi::Move;
using shogi::Position;
using Kind = Answer::Kind;

class SolverTest : public ::testing::Test {
 protected:
  SolverTest() { solver.resize(16); }

  // Stopped after so many looks at the clock, each some hundred positions apart.
  Answer solve(const Position& position, bool shortest, int looks = 1'000'000) {
    return solver.solve(position, shortest, [&looks](std::uint64_t) { return --looks < 0; });
  }

  // Legal moves, checks and their evasions in turn, to a mate.
  static void expect_mating_line(Position position, const std::vector<Move>& line) {
    ASSERT_EQ(line.size() % 2, 1U) << position.sfen();
    for (std::size_t i = 0; i < line.size(); ++i) {
      ASSERT_TRUE(position.is_legal(line[i])) << position.sfen() << ' ' << shogi::to_usi(line[i]);
      if (i % 2 == 0) {
        ASSERT_TRUE(position.gives_check(line[i])) << position.sfen() << ' ' << shogi::to_usi(line[i]);
      }
      position.do_move(line[i]);
    }
    EXPECT_EQ(shogi::count_legal_moves(position), 0U) << position.sfen();
  }

  void expect_mates(const std::vector<std::string>& problems, std::size_t plies, const std::set<std::size_t>& shorter) {
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const Position position = at(problems[i]);
      const Answer answer = solve(position, true);
      ASSERT_EQ(answer.kind, Kind::mate) << problems[i];
      EXPECT_TRUE(answer.shortest);
      expect_mating_line(position, answer.line);
      EXPECT_EQ(answer.line.size(), shorter.contains(i + 1) ? plies - 2 : plies) << "line " << i + 1;
    }
  }

  Solver solver;
};

TEST_F(SolverTest, SimpleAnswers) {
  const Answer one = solve(at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), true);
  EXPECT_EQ(one.kind, Kind::mate);
  EXPECT_EQ(one.line.size(), 1U);
  EXPECT_EQ(solve(at("4k4/9/9/9/9/9/9/9/4K4 b G 1"), false).kind, Kind::no_mate);
  EXPECT_EQ(solve(Position(), false).kind, Kind::no_mate);                             // no check at all
  EXPECT_EQ(solve(at("9/9/9/9/9/9/9/9/K8 b RG 1"), false).kind, Kind::no_mate);        // no king
  EXPECT_EQ(solve(at("7nk/9/8G/9/9/9/9/9/4K4 b P 1"), false).kind, Kind::no_mate);     // only by dropping the pawn
  EXPECT_EQ(solve(at("8k/6+P2/7G1/9/9/9/9/9/4K4 w - 1"), false).kind, Kind::no_mate);  // it is the other's move
}

// A bishop that promoted would make the pawn drop a mate, which is forbidden: it must not promote.
TEST_F(SolverTest, KnowsWhenNotToPromote) {
  const std::vector<std::string> positions = lines_of(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/mate/odd.txt");
  ASSERT_FALSE(positions.empty());
  for (const std::string& sfen : positions) {
    const Answer answer = solve(at(sfen), true);
    EXPECT_EQ(answer.kind, Kind::mate) << sfen;
    expect_mating_line(at(sfen), answer.line);
    EXPECT_TRUE(naive_mates_within(at(sfen), static_cast<int>(answer.line.size()))) << sfen;
  }
}

// Random positions: the shortest mate is as long as by definition, and what has none by definition is never mated.
TEST_F(SolverTest, AgreesWithFullSearchOfShortMates) {
  RandomPositions positions(3);
  int mates[6] = {};
  for (int i = 0; i < FUHYO_MANY / 100; ++i) {
    const Position& position = positions.next();
    if (naive_moves(position, true).size() > 12) continue;
    const Answer answer = solve(position, true, 40);
    int shortest = 0;
    for (const int plies : {1, 3}) {
      if (shortest == 0 && naive_mates_within(position, plies)) shortest = plies;
    }
    ++mates[shortest];
    if (shortest > 0) {
      ASSERT_NE(answer.kind, Kind::no_mate) << position.sfen();
    }
    if (answer.kind != Kind::mate) continue;
    expect_mating_line(position, answer.line);
    if (!answer.shortest) continue;
    if (answer.line.size() <= 3 || shortest > 0) {
      ASSERT_EQ(static_cast<int>(answer.line.size()), shortest) << position.sfen();
    }
  }
  EXPECT_GE(mates[1], FUHYO_MANY / 20'000);
  EXPECT_GE(mates[3], FUHYO_MANY / 40'000);
}

// A king, a few pieces about it and little in hand.
std::string small_position(std::mt19937& random) {
  std::vector<std::string> board(81);
  const auto put = [&](std::string_view pieces, bool near) {
    const std::size_t rank = near ? random() % 4 : random() % 9, file = near ? random() % 4 : random() % 9;
    const std::size_t kind = random() % pieces.size();
    const char piece = pieces[kind];
    const bool promotes = piece != 'K' && piece != 'k' && piece != 'G' && piece != 'g' && random() % 2 == 0;
    std::string& square = board[rank * 9 + file];
    if (square.empty()) square = (promotes ? "+" : "") + std::string(1, piece);
  };
  put("k", true);
  for (std::size_t i = 2 + random() % 3; i > 0; --i) put("RBGGSSNLP", true);
  for (std::size_t i = random() % 4; i > 0; --i) put("gsnlprb", true);
  if (random() % 3 == 0) put("K", false);
  std::string text;
  for (std::size_t i = 0; i < board.size(); ++i) {
    if (i > 0 && i % 9 == 0) text += '/';
    text += board[i].empty() ? "1" : board[i];
  }
  constexpr const char* kHands[] = {"-", "-", "P", "N", "G", "S", "Pp", "s"};
  return text + " b " + kHands[random() % 8] + " 1";
}

// Whatever the search left in its table about any position of the graph is true, wherever it came upon it: what it
// found out on a path that runs into a repetition must not be believed elsewhere.
void expect_a_true_table(const NaiveGraph& graph) {
  ProofTable table;
  table.resize(1);
  ProofSearch search(table, graph.positions[0].side_to_move(), [](std::uint64_t) { return false; });
  Position root = graph.positions[0];
  search.solve(root, kNoLimit);
  for (std::size_t i = 0; i < graph.positions.size(); ++i) {
    const Knowledge k = search.known(graph.positions[i], kNoLimit);
    if (k.state == State::unknown) continue;
    ASSERT_NE(k.state, State::conditional);
    ASSERT_EQ(k.state == State::proven, graph.mates[i]) << root.sfen() << " leads to " << graph.positions[i].sfen();
  }
}

// Positions whose whole web of checks and evasions, with its repetitions, is small enough to be drawn.
TEST_F(SolverTest, AgreesWithTheWholeGraph) {
  std::mt19937 random(5);
  int mates = 0, refuted = 0, open = 0;
  std::size_t longest = 0;
  for (int i = 0; i < FUHYO_MANY / 20; ++i) {
    const auto position = Position::from_sfen(small_position(random));
    if (!position) continue;
    const auto graph = naive_graph(*position, 1'000);
    if (!graph) continue;
    const bool truth = graph->mates[0];
    expect_a_true_table(*graph);
    const Answer answer = solve(*position, false, 200);
    if (answer.kind == Kind::unknown) {
      ++open;
      continue;
    }
    ASSERT_EQ(answer.kind == Kind::mate, truth) << position->sfen();
    ++(truth ? mates : refuted);
    longest = std::max(longest, answer.line.size());
  }
  std::printf("%d mates (the longest line %zu plies), %d without, %d left open\n", mates, longest, refuted, open);
  EXPECT_GE(mates, FUHYO_MANY / 50'000);
  EXPECT_GT(refuted, FUHYO_MANY / 1'000);
  EXPECT_EQ(open, 0);
}

// The attacker can give check for ever, and nothing but the rule of repetition ends that: a search without it finds no
// answer. (It would not claim a mate either: a proof goes down, never round.)
TEST_F(SolverTest, ChecksForEverAreNoMate) {
  for (const char* sfen : {"7+R1/9/k8/9/9/9/9/9/9 b - 1", "2R6/k8/9/9/9/9/9/9/9 b - 1", "9/1k7/3+R5/9/9/9/9/9/9 b - 1",
                           "9/3k5/9/9/9/9/9/1R7/9 b - 1", "2k6/9/1R7/9/9/9/9/9/9 b - 1"}) {
    EXPECT_EQ(solve(at(sfen), false, 200).kind, Kind::no_mate) << sfen;
  }
}

TEST_F(SolverTest, SaysUnknownWhenStopped) {
  const auto problems = lines_of(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/mate/mate-11.txt");
  ASSERT_FALSE(problems.empty());
  const Answer answer = solve(at(problems[0]), true, 0);
  EXPECT_EQ(answer.kind, Kind::unknown);
  EXPECT_TRUE(answer.line.empty());
  // However early it is stopped, it never says that there is none.
  for (int looks = 1; looks < 60; ++looks) ASSERT_NE(solve(at(problems[0]), true, looks).kind, Kind::no_mate);
}

TEST_F(SolverTest, OwnProblems) {
  for (const std::size_t plies : {3U, 5U, 7U, 9U, 11U}) {
    const auto name = "/tests/golden/mate/mate-" + std::to_string(plies) + ".txt";
    const auto problems = lines_of(FUHYO_SOURCE_DIR + name);
    ASSERT_FALSE(problems.empty()) << name;
    expect_mates(problems, plies, {});
  }
}

// Shogi Muso 75, 225 plies as its author counts; a thousand looks are 256,000 nodes.
TEST_F(SolverTest, MatesInMoreThanTwoHundredPlies) {
  solver.resize(64);
  const Position position = at("1pg2p1l1/3gG1n2/6S2/1Sbp5/2p2s2L/1l2P1+p2/LR4+R2/k6P1/2+p+s1G1+p1 b B6P3n3p 1");
  const Answer answer = solve(position, false, 1'000);
  ASSERT_EQ(answer.kind, Kind::mate);
  EXPECT_GE(answer.line.size(), 225U);
  expect_mating_line(position, answer.line);
}

// Its paths meet again and again: by plain sums it took 124,000 nodes. Sixty looks are 15,000.
TEST_F(SolverTest, ManyPathsToOnePositionAreNotAsManyPositions) {
  const Position position = at("l3gk2l/r6p1/p2GPp+N2/2p3N1p/1p7/2s5P/PPNS5/3K5/+b1g1B2rL w SNLPgs7p 102");
  const Answer answer = solve(position, false, 60);
  ASSERT_EQ(answer.kind, Kind::mate);
  expect_mating_line(position, answer.line);
}

TEST_F(SolverTest, NeverRefutesAMateInLittleMemory) {
  solver.resize(1);
  for (const char* name : {"mate-7.txt", "mate-9.txt", "mate-11.txt"}) {
    for (const std::string& sfen : lines_of(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/mate/" + name)) {
      EXPECT_EQ(solve(at(sfen), false).kind, Kind::mate) << sfen;
    }
  }
}

// ---- ../shared ----

constexpr std::size_t kShare = FUHYO_MANY >= 50'000 ? 5 : 20;  // one of so many problems

// Those that are counted out are two plies shorter than their file says, as full search has found.
TEST_F(SolverTest, SharedProblemsExactly) {
  if (shared_problems("mate-3-ply.txt").empty()) GTEST_SKIP() << "no ../shared/data/mate";
  const auto first = [](const char* name, std::size_t count) {
    auto all = shared_problems(name);
    all.resize(std::min(all.size(), count));
    return all;
  };
  expect_mates(first("mate-1-ply.txt", 1'097 / kShare), 1, {});
  expect_mates(first("mate-3-ply.txt", 700 / kShare), 3, {});
  expect_mates(first("mate-5-ply.txt", 700 / kShare), 5, {287});
  expect_mates(first("mate-7-ply.txt", 700 / kShare), 7, {119, 164});
  expect_mates(first("mate-9-ply.txt", 430 / kShare), 9, {104, 424});
  expect_mates(first("mate-11-ply.txt", 60 / kShare), 11, {});
}

}  // namespace
}  // namespace fuhyo::mate
