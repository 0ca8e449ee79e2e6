// The exchange of table entries with other engines: what is sent, what is believed, and what it is worth.
#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <span>
#include <thread>

#include "engines/nnue/engine.h"
#include "engines/nnue/net/untrained.h"
#include "engines/nnue/search/exchanged_entries.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/conversation.h"

namespace fuhyo::nnue {
namespace {

using SaidBound = usi::Score::Bound;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMiddlegame =
    "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b";

// One engine of several, in this process.
class Member {
 public:
  explicit Member(std::string_view mode, std::string_view network = {}) {
    set("Threads", "1");
    set("USI_Hash", "4");
    set("USI_OwnBook", "false");
    set("TableExchange", mode);
    set("TableExchangeDepth", "4");
    set("TableExchangeRate", "1000000000");
    if (!network.empty()) set("EvalFile", network);
    exchange.print_to([this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
    });
    EXPECT_TRUE(engine.get_ready());
  }
  void set(std::string_view name, std::string_view value) { ASSERT_TRUE(engine.options().set(name, value)) << name; }
  void hear(std::string_view line) { exchange.hear(line.substr(2)); }
  usi::SearchResult search(std::string_view position, const usi::GoLimits& limits) {
    exchange.begin_search();
    const auto game = usi::parse_position(position);
    EXPECT_TRUE(game) << position;
    const usi::SearchControl control;
    return engine.search(*game, limits, control, [](const usi::Info&) {});
  }
  // What it has said about its searches.
  std::vector<std::string> said() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::vector<usi::TableBatch> batches() {
    std::vector<usi::TableBatch> found;
    for (const std::string& line : said()) {
      const auto read = usi::parse_table_line(std::string_view(line).substr(2));
      EXPECT_TRUE(read && std::holds_alternative<usi::TableBatch>(*read)) << line;
      if (read) found.push_back(std::get<usi::TableBatch>(*read));
    }
    return found;
  }

  Engine engine;
  usi::TableExchange& exchange = *engine.table_exchange();

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

shogi::Position position_of(std::string_view text) { return usi::parse_position(text)->current(); }

// ---- entries ----

TEST(ExchangedEntries, AreTheTables) {
  const TtEntry entry{.move = *shogi::parse_usi_move("7g7f"),
                      .value = -120,
                      .evaluation = 35,
                      .depth = 9,
                      .bound = Bound::lower,
                      .pv = false};
  const auto told = to_exchange(42, entry);
  ASSERT_TRUE(told);
  EXPECT_EQ(
      *told,
      (usi::TableEntry{
          .key = 42, .move = entry.move, .depth = 9, .bound = SaidBound::lower, .value = -120, .evaluation = 35}));
  const auto back = from_exchange(*told);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_exchange(42, *back), told);
  EXPECT_FALSE(to_exchange(42, {.evaluation = 35, .depth = TranspositionTable::kNoDepth}));               // no value
  EXPECT_EQ(to_exchange(42, {.evaluation = kUnknown, .bound = Bound::upper})->evaluation, std::nullopt);  // in check
}

TEST(ExchangedEntries, AreRefusedWhereNoTableHasThem) {
  EXPECT_TRUE(from_exchange({.depth = TranspositionTable::kNoDepth}));
  EXPECT_FALSE(from_exchange({.depth = TranspositionTable::kNoDepth - 1}));
  EXPECT_TRUE(from_exchange({.depth = TranspositionTable::kMaxDepth}));
  EXPECT_FALSE(from_exchange({.depth = TranspositionTable::kMaxDepth + 1}));
  EXPECT_TRUE(from_exchange({.value = -kMate}));
  EXPECT_FALSE(from_exchange({.value = kMate + 1}));
  EXPECT_TRUE(from_exchange({.evaluation = -kMaxEvaluation}));
  EXPECT_FALSE(from_exchange({.evaluation = kMaxEvaluation + 1}));
  EXPECT_EQ(from_exchange({})->evaluation, kUnknown);
}

// Whoever says that a game is decided is believed that it is good, or bad.
TEST(ExchangedEntries, DecideNoGame) {
  struct Claim {
    int value;
    SaidBound bound;
    int believed;
    Bound as;
  };
  for (const Claim& claim : {Claim{mate_in(3), SaidBound::exact, kMaxEvaluation, Bound::lower},
                             Claim{mate_in(3), SaidBound::lower, kMaxEvaluation, Bound::lower},
                             Claim{mate_in(3), SaidBound::upper, 0, Bound::none},
                             Claim{mated_in(2), SaidBound::exact, -kMaxEvaluation, Bound::upper},
                             Claim{mated_in(2), SaidBound::upper, -kMaxEvaluation, Bound::upper},
                             Claim{mated_in(2), SaidBound::lower, 0, Bound::none},
                             Claim{kRepetitionWin, SaidBound::exact, kMaxEvaluation, Bound::lower},
                             Claim{kMaxEvaluation, SaidBound::exact, kMaxEvaluation, Bound::exact},
                             Claim{-kMaxEvaluation, SaidBound::lower, -kMaxEvaluation, Bound::lower}}) {
    const auto taken = from_exchange({.depth = 20, .bound = claim.bound, .value = claim.value});
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->value, claim.believed) << claim.value;
    EXPECT_EQ(taken->bound, claim.as) << claim.value;
    EXPECT_EQ(taken->depth, claim.as == Bound::none ? TranspositionTable::kNoDepth : 20) << claim.value;
  }
}

TEST(ExchangedEntries, ReplaceOnlyWhatTellsLess) {
  const TtEntry told{.value = 50, .depth = 9, .bound = Bound::lower};
  EXPECT_TRUE(tells_more(told, std::nullopt));
  EXPECT_TRUE(tells_more(told, TtEntry{.depth = 20, .bound = Bound::none}));
  EXPECT_TRUE(tells_more(told, TtEntry{.value = 40, .depth = 8, .bound = Bound::exact}));
  EXPECT_FALSE(tells_more(told, TtEntry{.value = 40, .depth = 9, .bound = Bound::upper}));
  EXPECT_FALSE(tells_more(told, TtEntry{.value = mate_in(5), .depth = 3, .bound = Bound::exact}));
  EXPECT_FALSE(tells_more(told, TtEntry{.value = mated_in(5), .depth = 3, .bound = Bound::upper}));
}

TEST(ExchangedEntries, WaitForATable) {
  Searcher searcher;
  const std::array<usi::TableEntry, 2> entries{};
  EXPECT_EQ(searcher.take(entries), 2U);
}

// ---- what is sent ----

TEST(TableExchange, IsOffUnlessItIsWanted) {
  Engine engine;
  const std::string out = test::converse(
      engine,
      "Threads 1\nUSI_Hash 4\nisready\ntt search 3\ntt 3 0123456789abcdef,7g7f,12,e,-35,40\ngo depth 4\nwait\nquit\n");
  EXPECT_THAT(out, Not(HasSubstr("\ntt ")));
  EXPECT_EQ(test::count(out, "info string tt is ignored: the option TableExchange is off\n"), 1U);
}

TEST(TableExchange, SpeaksThroughTheLoop) {
  Engine engine;
  const std::string out = test::converse(engine,
                                         "Threads 1\nUSI_Hash 4\nUSI_OwnBook false\nTableExchange lines\nisready\n"
                                         "tt search 3\ngo depth 6\nwait\ntt 3 0123456789abcdef,7g7f,12,e,-35,40\n"
                                         "tt 4 0123456789abcdef,7g7f,12,e,-35,40\ngo depth 1\nwait\nquit\n");
  EXPECT_EQ(test::count(out, "\ntt keys "), 1U);
  EXPECT_LT(out.find("\ntt keys "), out.find("\nreadyok"));
  EXPECT_GT(test::count(out, "\ntt 3 "), 0U);
  EXPECT_LT(out.rfind("\ntt 3 "), out.find("\nbestmove "));  // and nothing of the search that has no number
  EXPECT_THAT(out, HasSubstr("info string tt: left out: 1 lines of other searches, "));
}

TEST(TableExchange, BenchSendsNothing) {
  Engine engine;
  const std::string out = test::converse(
      engine,
      "Threads 1\nUSI_Hash 4\nUSI_OwnBook false\nTableExchange lines\ntt search 3\ngo depth 3\nwait\nbench 3\n"
      "quit\n");
  ASSERT_NE(out.rfind("\ntt 3 "), std::string::npos);
  EXPECT_LT(out.rfind("\ntt 3 "), out.find("\nbestmove "));
  EXPECT_THAT(out, HasSubstr("\nnodes: "));
}

// After each iteration the entries of the line, from the root on.
TEST(TableExchange, SendsTheLineOfEveryIteration) {
  Member member("lines");
  member.hear("tt search 3");
  member.search(kMiddlegame, {.depth = 8});
  const auto batches = member.batches();
  ASSERT_EQ(batches.size(), 8U);
  for (const usi::TableBatch& batch : batches) {
    EXPECT_EQ(batch.search, 3);
    shogi::Position position = position_of(kMiddlegame);
    EXPECT_EQ(batch.entries.front().key, position.key());
    // Each is reached by the moves of those before it: entries without a move end the chain.
    for (std::size_t i = 0; i + 1 < batch.entries.size() && batch.entries[i].move; ++i) {
      const shogi::Move move = batch.entries[i].move;
      ASSERT_TRUE(position.is_legal(move)) << shogi::to_usi(move);
      position.do_move(move);
      if (batch.entries[i + 1].key != position.key()) break;
      EXPECT_GT(batch.entries[i + 1].depth, 0);
    }
  }
  EXPECT_GE(batches.back().entries.size(), 3U);
  EXPECT_GT(batches.back().entries.front().depth, batches.front().entries.front().depth);
}

// The best of some moves says nothing about the position.
TEST(TableExchange, KeepsARestrictedRootToItself) {
  for (const std::string_view mode : {"lines", "depth"}) {
    Member member(mode);
    member.hear("tt search 3");
    member.search("startpos", {.depth = 6, .searchmoves = {*shogi::parse_usi_move("1g1f")}});
    EXPECT_FALSE(member.batches().empty());
    for (const usi::TableBatch& batch : member.batches()) {
      for (const usi::TableEntry& entry : batch.entries) EXPECT_NE(entry.key, shogi::Position().key());
    }
  }
}

TEST(TableExchange, SendsWhatIsSavedFromADepthOn) {
  Member member("depth");
  member.hear("tt search 3");
  member.search(kMiddlegame, {.depth = 8});
  std::size_t entries = 0;
  for (const usi::TableBatch& batch : member.batches()) {
    entries += batch.entries.size();
    for (const usi::TableEntry& entry : batch.entries) EXPECT_GE(entry.depth, 4);
  }
  EXPECT_GT(entries, 100U);
}

// A level is the same player wherever it plays, and noise is one game's.
TEST(TableExchange, InLockstepItWaitsAndSaysTheSameEveryTime) {
  std::vector<std::vector<std::string>> runs;
  for (int run = 0; run < 2; ++run) {
    Member member("depth");
    std::vector<std::string>& said = runs.emplace_back();
    member.exchange.print_to([&](std::string_view line) {
      said.emplace_back(line);
      if (line == "tt waits 3") member.hear("tt next 3");
    });
    member.hear("tt search 3 500");
    member.search(kMiddlegame, {.nodes = 5'000});
    const auto waits = std::ranges::count(said, "tt waits 3");
    EXPECT_GE(waits, 5);
    EXPECT_LE(waits, 10);
    EXPECT_GT(said.size(), static_cast<std::size_t>(waits)) << "and batches";
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(TableExchange, WhoPlaysAloneTellsNothing) {
  for (const auto& [name, value] : {std::pair{"Level", "20"}, {"EvalNoise", "10"}}) {
    Member member("lines");
    member.set(name, value);
    EXPECT_TRUE(member.engine.get_ready());
    member.hear("tt search 3");
    member.search("startpos", {.depth = 4});
    EXPECT_TRUE(member.said().empty()) << name;
    member.hear("tt 3 0123456789abcdef,7g7f,12,e,-35,40");
    member.exchange.tell();
    EXPECT_THAT(member.said().front(), HasSubstr(" 1 entries refused"));
  }
}

TEST(TableExchange, KeysTellEvaluationsApart) {
  const auto keys_of = [](const std::string& options) {
    Engine engine;
    const std::string out =
        test::converse(engine, "Threads 1\nUSI_Hash 1\nTableExchange lines\n" + options + "isready\nquit\n");
    const std::size_t at = out.find("tt keys ");
    return at == std::string::npos ? std::string() : out.substr(at, 24);
  };
  const std::string keys = keys_of("");
  EXPECT_FALSE(keys.empty());
  EXPECT_EQ(keys_of(""), keys);
  EXPECT_EQ(keys_of("SimdPath plain\n"), keys);
  EXPECT_NE(keys_of("FV_SCALE 24\n"), keys);
}

// ---- what it is worth ----

constexpr std::string_view kPositions[] = {
    kMiddlegame,
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "startpos moves 7g7f 8c8d 7i7h 3c3d 6g6f 7a6b 7h6g 5a4b 2h5h 4b3b 5i4h 5c5d 3i3h 6a5b 4h3i 6b5c 3i2h",
    "startpos moves 7g7f 3c3d 2g2f 5c5d 5g5f 7a6b 2f2e 4a3b 3i4h 8c8d 6i7h 8d8e 5i6i 8e8f 8g8f 8b8f 4h5g 8f8b P*8g",
    "startpos moves 7g7f 3c3d 6g6f 7a6b 2h7h 5a4b 5i4h 4b3b 4h3h 8c8d 3h2h 8d8e 8h7g 2b3c 3i3h 3b2b",
    "startpos moves 7g7f 8c8d 2g2f 8d8e 2f2e 4a3b 8h7g 3c3d 7i8h 2b3c 7g3c+ 2a3c 8h7g 3a2b 3i4h 6a5b",
    "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 1g1f 8e8f 8g8f 8b8f P*8g 8f8d 1f1e 9c9d 9g9f 7a6b 5i6i",
    "startpos moves 7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 3i4h 3a3b 5g5f 8b4b 5i6h 5a6b 6h7h 6b7b 4i5h 4a5b 9g9f 9c9d",
};

// What one finds that has heard another one's search of the position.
usi::SearchResult search_after(Member& teacher, std::string_view network, std::string_view position, int depth) {
  Member pupil("lines", network);
  pupil.hear("tt search 3");
  for (const std::string& line : teacher.said()) pupil.hear(line);
  return pupil.search(position, {.depth = depth});
}

TEST(TableExchange, WhatAnotherHasSearchedNeedsLessSearch) {
  if (test::kSanitized) GTEST_SKIP() << "how much less is the same in every build";
  constexpr int kDepth = 12;
  // How much less is of a network, too; this one does not change when a better one is built in.
  const test::TemporaryFolder folder;
  const std::string network = folder.write("untrained.bin", untrained_network()).string();
  std::int64_t alone = 0, lines = 0, depth = 0;
  for (const std::string_view position : kPositions) {
    Member sends_lines("lines", network), sends_all("depth", network);
    sends_lines.hear("tt search 3");
    sends_all.hear("tt search 3");
    const std::int64_t nodes = sends_lines.search(position, {.depth = kDepth}).nodes;
    EXPECT_EQ(sends_all.search(position, {.depth = kDepth}).nodes, nodes);  // to send changes nothing
    alone += nodes;
    lines += search_after(sends_lines, network, position, kDepth).nodes;
    depth += search_after(sends_all, network, position, kDepth).nodes;
  }
  RecordProperty("alone", static_cast<int>(alone));
  RecordProperty("lines", static_cast<int>(lines));
  RecordProperty("depth", static_cast<int>(depth));
  EXPECT_NE(lines, alone);  // heard, but too few to save nodes
  EXPECT_LT(depth, alone * 2 / 3);
}

TEST(TableExchange, EntriesOfAnotherSearchChangeNothing) {
  Member teacher("depth"), pupil("depth");
  teacher.hear("tt search 3");
  const std::int64_t nodes = teacher.search(kMiddlegame, {.depth = 8}).nodes;
  pupil.hear("tt search 4");
  for (const std::string& line : teacher.said()) pupil.hear(line);
  EXPECT_EQ(pupil.search(kMiddlegame, {.depth = 8}).nodes, nodes);
}

// ---- what is believed ----

// Lies about the root, all positions after one move and all after two: every move a mate, or none, and illegal ones.
std::vector<usi::TableEntry> lies(shogi::Position root, int value, SaidBound bound) {
  std::vector<usi::TableEntry> entries;
  const auto lie = [&](int sign) {
    entries.push_back({.key = root.key(),
                       .move = *shogi::parse_usi_move("5e5d+"),
                       .depth = 127,
                       .bound = bound,
                       .value = sign * value,
                       .evaluation = sign * 27'000});
  };
  lie(1);
  for (const shogi::Move first : shogi::legal_moves(root)) {
    const auto undo = root.do_move(first);
    lie(-1);
    for (const shogi::Move second : shogi::legal_moves(root)) {
      const auto undo_second = root.do_move(second);
      lie(1);
      root.undo_move(second, undo_second);
    }
    root.undo_move(first, undo);
  }
  return entries;
}

TEST(TableExchange, LiesClaimNoMateAndPlayNoIllegalMove) {
  const shogi::Position root = position_of(kMiddlegame);
  for (const int value : {usi::kTableMate - 1, -usi::kTableMate, 0}) {
    for (const SaidBound bound : {SaidBound::exact, SaidBound::lower, SaidBound::upper}) {
      Member member("lines");
      member.hear("tt search 3");
      const auto entries = lies(root, value, bound);
      for (std::size_t i = 0; i < entries.size(); i += usi::kMostTableEntries) {
        const auto batch = std::span(entries).subspan(i, std::min(usi::kMostTableEntries, entries.size() - i));
        member.hear(usi::to_text(3, batch));
      }
      const usi::SearchResult result = member.search(kMiddlegame, {.depth = 5});
      ASSERT_EQ(result.best.kind, usi::BestMove::Kind::move);
      EXPECT_TRUE(root.is_legal(result.best.move)) << value;
      ASSERT_TRUE(result.score);
      EXPECT_EQ(result.score->kind, usi::Score::Kind::cp) << value;
    }
  }
}

// What it has proven it does not give away for what somebody says.
TEST(TableExchange, AMateThatWasFoundStays) {
  constexpr std::string_view kMateInOne = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
  Member member("lines");
  member.hear("tt search 3");
  const auto entries = lies(position_of(kMateInOne), -usi::kTableMate, SaidBound::exact);
  member.hear(usi::to_text(3, std::span(entries).first(usi::kMostTableEntries)));
  const usi::SearchResult result = member.search(kMateInOne, {.depth = 4});
  ASSERT_TRUE(result.score);
  EXPECT_EQ(result.score->kind, usi::Score::Kind::win);
}

// Two threads search and send while a third hears what is true and what is not.
TEST(TableExchange, HearsWhileItSearches) {
  Member teacher("depth"), member("depth");
  teacher.hear("tt search 3");
  teacher.search(kMiddlegame, {.depth = 7});
  member.set("Threads", "2");
  EXPECT_TRUE(member.engine.get_ready());
  member.hear("tt search 3");
  member.exchange.begin_search();
  const auto game = usi::parse_position(kMiddlegame);
  const usi::SearchControl control;
  usi::SearchResult result;
  {
    const std::jthread search(
        [&] { result = member.engine.search(*game, {.depth = 7}, control, [](const usi::Info&) {}); });
    for (const std::string& line : teacher.said()) member.hear(line);
    for (const usi::TableEntry& lie : lies(game->current(), usi::kTableMate - 1, SaidBound::exact)) {
      member.hear(usi::to_text(3, std::span(&lie, 1)));
    }
  }
  ASSERT_TRUE(result.score);
  EXPECT_TRUE(game->current().is_legal(result.best.move));
  EXPECT_EQ(result.score->kind, usi::Score::Kind::cp);
}

}  // namespace
}  // namespace fuhyo::nnue
