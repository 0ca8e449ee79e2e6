// The parts that the search is made of, each by itself: table, path, statistics, order of moves, scores.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "engines/nnue/search/history.h"
#include "engines/nnue/search/move_picker.h"
#include "engines/nnue/search/search_manager.h"
#include "engines/nnue/search/transposition_table.h"
#include "engines/shogi/checks.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/path.h"
#include "tests/unit/shogi/boards.h"

namespace fuhyo::nnue {
namespace {

using shogi::at;
using shogi::usi;

TEST(Score, MatesCountPliesAndPawnsAreHundreds) {
  using Kind = usi::Score::Kind;
  const auto exact = usi::Score::Bound::exact;
  EXPECT_EQ(to_usi_score(mate_in(3), exact), (usi::Score{.kind = Kind::win, .value = 3}));
  EXPECT_EQ(to_usi_score(mated_in(2), exact), (usi::Score{.kind = Kind::lose, .value = 2}));
  EXPECT_EQ(to_usi_score(-90, exact), usi::Score{.value = -100});
  EXPECT_EQ(to_usi_score(-91, exact), usi::Score{.value = -101});  // toward zero
}

// ---- table ----

class TableTest : public ::testing::Test {
 protected:
  TableTest() {
    table.resize(1);
    table.clear(1);
  }
  void store(shogi::Key key, int depth, Bound bound, shogi::Move best = {}) {
    table.store(key, {.move = best,
                      .value = 50,
                      .evaluation = -7,
                      .depth = static_cast<std::int8_t>(depth),
                      .bound = bound,
                      .pv = false});
  }
  TranspositionTable table;
  const shogi::Move move = usi("7g7f");
};

TEST_F(TableTest, GivesBackWhatWasStored) {
  for (const int value : {-32'000, -1, 0, 1, 31'999}) {
    table.store(42, {.move = move,
                     .value = static_cast<std::int16_t>(value),
                     .evaluation = -300,
                     .depth = 9,
                     .bound = Bound::exact,
                     .pv = true});
    const auto found = table.probe(42);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->move, move);
    EXPECT_EQ(found->value, value);
    EXPECT_EQ(found->evaluation, -300);
    EXPECT_EQ(found->depth, 9);
    EXPECT_EQ(found->bound, Bound::exact);
    EXPECT_TRUE(found->pv);
  }
  EXPECT_FALSE(table.probe(43));
  table.clear(2);
  EXPECT_FALSE(table.probe(42));
}

TEST_F(TableTest, AResultWithoutAMoveDoesNotForgetOne) {
  store(1, 8, Bound::exact, move);
  store(1, 9, Bound::upper);
  EXPECT_EQ(table.probe(1)->move, move);
  EXPECT_EQ(table.probe(1)->depth, 9);
}

TEST_F(TableTest, AMuchDeeperResultOfThisSearchStays) {
  store(1, 12, Bound::lower, move);
  store(1, 3, Bound::upper);
  EXPECT_EQ(table.probe(1)->depth, 12);
  store(1, 3, Bound::exact);  // exact always counts
  EXPECT_EQ(table.probe(1)->depth, 3);
  store(2, 12, Bound::lower, move);
  table.new_search();
  store(2, 3, Bound::upper);
  EXPECT_EQ(table.probe(2)->depth, 3);
}

TEST_F(TableTest, ABucketKeepsTheDeepAndForgetsTheOld) {
  for (shogi::Key key = 1; key <= 4; ++key) store(key, static_cast<int>(10 * key), Bound::exact);  // fills a bucket
  store(5, 1, Bound::exact);
  EXPECT_FALSE(table.probe(1));  // the shallowest gave way
  EXPECT_TRUE(table.probe(2) && table.probe(3) && table.probe(4) && table.probe(5));
  for (int searches = 0; searches < 6; ++searches) table.new_search();
  store(5, 1, Bound::exact);
  store(6, 1, Bound::exact);
  EXPECT_FALSE(table.probe(2));  // six searches old: 20 - 48 is below 1
  EXPECT_TRUE(table.probe(5) && table.probe(6));
}

// Four threads write entries whose every field follows from the key: none is ever read that does not.
TEST_F(TableTest, TornEntriesAreNeverFound) {
  const auto entry_of = [](shogi::Key key) {
    return TtEntry{.move = shogi::Move::from_bits(static_cast<std::uint16_t>(key * 7)),
                   .value = static_cast<std::int16_t>(key % 20'000),
                   .evaluation = static_cast<std::int16_t>(key % 15'000),
                   .depth = static_cast<std::int8_t>(key % 100),
                   .bound = Bound::exact,
                   .pv = key % 2 == 0};
  };
  std::atomic<int> wrong = 0, found = 0;
  const auto work = [&](unsigned seed) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < 100'000; ++i) {
      const shogi::Key key = 1 + random() % 64;  // all in one bucket
      table.store(key, entry_of(key));
      const shogi::Key other = 1 + random() % 64;
      const auto known = table.probe(other);
      if (!known) continue;
      ++found;
      const TtEntry expected = entry_of(other);
      if (known->value != expected.value || known->move != expected.move || known->depth != expected.depth) ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(found, 1'000);
}

// ---- path ----

class PathTest : public ::testing::Test {
 protected:
  // Plays the moves and gives what the last position means, if the search has chosen so many of them.
  shogi::Recurrence after(std::string_view sfen, std::string_view moves, int searched = 100) {
    path.clear();
    position = at(sfen);
    path.push(position);
    for (std::string_view rest = moves; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const shogi::Move move = usi(word);
      EXPECT_TRUE(position.is_legal(move)) << word;
      position.do_move(move);
      path.push(position);
    }
    return path.recurrence(searched);
  }
  shogi::Path path;
  shogi::Position position;
};
constexpr std::string_view kStart = shogi::Position::kStartSfen;

TEST_F(PathTest, TheSecondTimeIsADraw) {
  EXPECT_EQ(after(kStart, "2h3h 8b7b 3h2h"), shogi::Recurrence::none);
  EXPECT_EQ(after(kStart, "2h3h 8b7b 3h2h 7b8b"), shogi::Recurrence::draw);
  EXPECT_EQ(after(kStart, "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b"), shogi::Recurrence::draw);
}

TEST_F(PathTest, PerpetualCheckLoses) {
  // The rook checks on every move; back at the start White has been chased: the checker, who is to move, loses.
  constexpr std::string_view kSfen = "4k4/9/9/9/4R4/9/9/9/K8 w - 1";
  EXPECT_EQ(after(kSfen, "5a4a 5e4e 4a5a"), shogi::Recurrence::none);
  EXPECT_EQ(after(kSfen, "5a4a 5e4e 4a5a 4e5e"), shogi::Recurrence::win);
  EXPECT_EQ(after(kSfen, "5a4a 5e4e 4a5a 4e5e 5a4a"), shogi::Recurrence::loss);
}

TEST_F(PathTest, TheSameBoardWithMoreInHandIsSuperior) {
  // Black drops a pawn in the rook's way, White takes it, and all go home: the same board, a pawn has changed hands.
  EXPECT_EQ(after("4k4/9/9/9/r8/9/9/9/4K4 b 2P 1", "P*9f 9e9f 5i5h 9f9d 5h5i 9d9e"), shogi::Recurrence::inferior);
  EXPECT_EQ(after("4k4/9/9/9/R8/9/9/9/4K4 b 2p 1", "5i5h P*9d 9e9d 5a5b 9d9e 5b4a 5h5i 4a5a"),
            shogi::Recurrence::superior);
  EXPECT_EQ(after("4k4/9/9/9/R8/9/9/9/4K4 b 2p 1", "5i5h P*9d 9e9d 5a5b 9d9e 5b4a 5h5i"), shogi::Recurrence::none);
}

TEST_F(PathTest, WhatTheSearchHasNotChosenDecidesTheFourthTime) {
  const std::string round = "2h3h 8b7b 3h2h 7b8b";
  EXPECT_EQ(after(kStart, round, 4), shogi::Recurrence::draw);
  EXPECT_EQ(after(kStart, round, 3), shogi::Recurrence::none);
  EXPECT_EQ(after(kStart, round + " " + round, 3), shogi::Recurrence::none) << "the third time";
  EXPECT_EQ(after(kStart, round + " " + round + " " + round, 3), shogi::Recurrence::draw) << "the fourth";
  EXPECT_EQ(after("4k4/9/9/9/r8/9/9/9/4K4 b 2P 1", "P*9f 9e9f 5i5h 9f9d 5h5i 9d9e", 5), shogi::Recurrence::none);
}

TEST_F(PathTest, TheFourthTimeCountsChecksSinceTheFirst) {
  constexpr std::string_view kSfen = "4k4/9/9/9/4R4/9/9/9/K8 w - 1";
  const std::string checks = "5a4a 5e4e 4a5a 4e5e", quiet = "5a4a 5e3e 4a5a 3e5e";
  const std::string twice = checks + " " + checks;
  EXPECT_EQ(after(kSfen, checks, 0), shogi::Recurrence::none);
  EXPECT_EQ(after(kSfen, twice + " " + checks, 0), shogi::Recurrence::win);
  EXPECT_EQ(after(kSfen, quiet + " " + twice, 0), shogi::Recurrence::draw) << "one move gave none";
}

TEST_F(PathTest, PassingForgetsWhatWasBefore) {
  after(kStart, "2h3h 8b7b 3h2h");
  position.do_null_move();
  path.push_null(position);
  EXPECT_EQ(path.recurrence(100), shogi::Recurrence::none);
}

// ---- statistics ----

TEST(History, PartKeysKeptUpEqualThoseWorkedOut) {
  std::mt19937 random(7);
  for (int game = 0; game < 50; ++game) {
    shogi::Position position;
    PartKeys keys = PartKeys::of(position);
    for (int ply = 0; ply < 200; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      const shogi::Move move = moves[random() % moves.size()];
      const auto undo = position.do_move(move);
      keys.update(position, move, undo.captured);
      const PartKeys expected = PartKeys::of(position);
      ASSERT_EQ(keys.pawns, expected.pawns) << position.sfen();
      ASSERT_EQ(keys.minors, expected.minors);
      ASSERT_EQ(keys.others, expected.others);
    }
  }
}

TEST(History, StatisticsStayWithinTheirLimit) {
  StatsEntry<1'000> value;
  for (int i = 0; i < 100; ++i) value.add(5'000);
  EXPECT_EQ(value, 1'000);
  for (int i = 0; i < 1'000; ++i) value.add(-300);
  EXPECT_GE(value, -1'000);
  EXPECT_LT(value, -990);
}

// ---- the order of moves ----

class PickerTest : public ::testing::Test {
 protected:
  PickerTest() : storage(1), shared_storage(1), history(storage[0]), shared(shared_storage[0]) {
    history.clear();
    shared.clear();
    none.fill(&history.continuation[0][shogi::NO_PIECE][0]);
  }
  std::vector<shogi::Move> drain(MovePicker&& picker) {
    std::vector<shogi::Move> all;
    while (const shogi::Move move = picker.next()) all.push_back(move);
    return all;
  }
  OrderingContext context(const shogi::Position& position) { return {position, history, shared, none, 0, 9}; }

  LargeArray<History> storage;
  LargeArray<SharedHistory> shared_storage;
  History& history;
  SharedHistory& shared;
  std::array<const PieceToHistory*, 6> none;
};

TEST_F(PickerTest, HandsOutEveryMoveOnce) {
  std::mt19937 random(3);
  for (int game = 0; game < 40; ++game) {
    shogi::Position position;
    for (int ply = 0; ply < 150; ++ply) {
      const auto legal = shogi::legal_moves(position);
      if (legal.empty()) break;
      const shogi::MoveList<shogi::GenKind::SEARCH> list(position);
      std::vector<shogi::Move> expected(list.begin(), list.end());
      const shogi::CheckInfo checks(position);
      const auto order = context(position);
      const shogi::Move tt_move = legal[random() % legal.size()];  // maybe one that the picker would not generate
      if (std::ranges::find(expected, tt_move) == expected.end()) expected.push_back(tt_move);
      auto all = drain(MovePicker(order, checks, tt_move));
      ASSERT_EQ(all.front(), tt_move);
      std::ranges::sort(all);
      std::ranges::sort(expected);
      ASSERT_EQ(all, expected) << position.sfen();
      position.do_move(legal[random() % legal.size()]);
    }
  }
}

// The rook can take a free gold, or a pawn that a silver covers.
class PickerOfCapturesTest : public PickerTest {
 protected:
  const shogi::Position position = at("4k4/9/9/3s5/4p3R/8g/9/9/4K4 b - 1");
  const shogi::CheckInfo checks{position};
  const OrderingContext order = context(position);
};

TEST_F(PickerOfCapturesTest, GoodCapturesThenQuietsThenLosingCaptures) {
  const auto all = drain(MovePicker(order, checks, {}));
  EXPECT_EQ(all.front(), usi("1e1f"));
  const auto losing = std::ranges::find(all, usi("1e5e")), quiet = std::ranges::find(all, usi("5i5h"));
  ASSERT_NE(losing, all.end());
  EXPECT_LT(quiet, losing);
}

TEST_F(PickerOfCapturesTest, SkippedQuietsAreLeftOut) {
  MovePicker picker(order, checks, {});
  EXPECT_EQ(picker.next(), usi("1e1f"));
  picker.skip_quiets();
  EXPECT_EQ(picker.next(), usi("1e5e"));
  EXPECT_FALSE(picker.next());
}

TEST_F(PickerOfCapturesTest, ProbcutTakesOnlyWhatWinsEnough) {
  EXPECT_EQ(drain(MovePicker::for_probcut(order, checks, {}, 500)), std::vector{usi("1e1f")});
  EXPECT_TRUE(drain(MovePicker::for_probcut(order, checks, {}, 600)).empty());
}

TEST_F(PickerTest, QuiescenceTakesCapturesAndThenChecksIfWanted) {
  std::mt19937 random(5);
  int checks_seen = 0;
  for (int game = 0; game < 40; ++game) {
    shogi::Position position;
    for (int ply = 0; ply < 120; ++ply) {
      const auto legal = shogi::legal_moves(position);
      if (legal.empty()) break;
      if (!position.in_check()) {
        const shogi::CheckInfo checks(position);
        const auto order = context(position);
        const auto captures = drain(MovePicker::for_quiescence(order, checks, {}, false));
        for (const shogi::Move move : captures) ASSERT_TRUE(is_tactical(position, move)) << position.sfen();
        auto all = drain(MovePicker::for_quiescence(order, checks, {}, true));
        ASSERT_GE(all.size(), captures.size());
        ASSERT_TRUE(std::equal(captures.begin(), captures.end(), all.begin())) << position.sfen();
        std::vector<shogi::Move> expected;
        for (const shogi::Move move : legal) {
          const bool quiet_check = position.gives_check(move) && !is_tactical(position, move);
          if (quiet_check && !shogi::declines_promotion(position, move)) expected.push_back(move);
        }
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(captures.size()));
        checks_seen += static_cast<int>(all.size());
        std::ranges::sort(all);
        std::ranges::sort(expected);
        ASSERT_EQ(all, expected) << position.sfen();
      }
      position.do_move(legal[random() % legal.size()]);
    }
  }
  EXPECT_GT(checks_seen, 1'000);
}

}  // namespace
}  // namespace fuhyo::nnue
