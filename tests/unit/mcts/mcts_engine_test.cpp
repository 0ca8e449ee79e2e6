// fuhyo-mcts as an engine: what it owes the GUI, the clock and whoever sets its options. Played without a network, or
// with one of random weights.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <set>

#include "engines/mate/mate_in_one.h"
#include "engines/mcts/engine/engine.h"
#include "engines/mcts/engine/levels.h"
#include "engines/mcts/engine/search_manager.h"
#include "engines/nn/container.h"
#include "engines/nn/random_model.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/bench.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/conversation.h"
#include "tests/unit/usi/search_clock.h"

namespace fuhyo::mcts {
namespace {

using test::count;
using ::testing::HasSubstr;
using ::testing::Not;

class MctsEngine : public ::testing::Test {
 protected:
  MctsEngine() {
    set("DNN_Backend", "uniform");
    set("Threads", "1");
    set("USI_Hash", "16");
    EXPECT_TRUE(engine.get_ready());
  }
  void set(std::string_view name, std::string_view value) { ASSERT_TRUE(engine.options().set(name, value)) << name; }
  void get_ready() {
    const auto ready = engine.get_ready();
    ASSERT_TRUE(ready) << ready.error();
  }

  struct Found {
    usi::SearchResult result;
    std::vector<usi::Info> said;
    std::int64_t ms = 0;
    std::string best() const { return usi::to_text(result.best); }
  };
  Found search(std::string_view position, const usi::GoLimits& limits) {
    const auto game = usi::parse_position(position);
    EXPECT_TRUE(game) << game.error();
    usi::SearchControl control = clock.control(limits.ponder);
    Found found;
    found.result = engine.search(*game, limits, control, [&](const usi::Info& info) {
      found.said.push_back(info);
      if (stop_after_nodes && *info.nodes > *stop_after_nodes) control.stop();
    });
    found.ms = control.elapsed_ms();
    return found;
  }

  test::SearchClock clock{10};
  std::optional<std::int64_t> stop_after_nodes;  // by the GUI
  Engine engine;
};

TEST_F(MctsEngine, PlaysSoManyPlayoutsAndTellsOfThem) {
  const Found found = search("startpos", {.nodes = 3'000});
  EXPECT_LE(found.result.nodes, 3'000);
  EXPECT_GT(found.result.nodes, 1'000);
  ASSERT_FALSE(found.said.empty());
  const usi::Info& last = found.said.back();
  EXPECT_EQ(last.nodes, found.result.nodes);
  EXPECT_TRUE(last.score && last.depth && last.seldepth && last.hashfull && last.nps && last.time_ms);
  ASSERT_GT(last.pv.size(), 1U);
  EXPECT_EQ(last.pv[0], found.result.best.move);
  EXPECT_EQ(last.pv[1], found.result.best.ponder);
  shogi::Position position;
  for (const shogi::Move move : last.pv) {
    ASSERT_TRUE(position.is_legal(move));
    position.do_move(move);
  }
}

// White has checked all the time, and the position comes back; but in the corner a pawn mates.
TEST_F(MctsEngine, WhatComesBackFromTheGameDecidesNothing) {
  const Found found = search("sfen 8k/9/9/9/9/9/p8/8r/K8 w g 1 moves 1h1i 9i8h 1i1h", {.nodes = 300});
  EXPECT_THAT(found.best(), Not(HasSubstr("bestmove 8h9i")));
}

TEST_F(MctsEngine, PlaysAProvenMateAndSaysSo) {
  set("Mate_Root_Search", "false");
  get_ready();
  const Found found = search("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {.nodes = 2'000});
  EXPECT_EQ(found.best(), "bestmove G*5b");
  EXPECT_EQ(found.result.score, (usi::Score{.kind = usi::Score::Kind::win, .value = 1}));
  EXPECT_LT(found.result.nodes, 2'000) << "nothing is left to find out";
}

TEST_F(MctsEngine, FindsLongMatesAtTheRoot) {
  std::ifstream problems(std::filesystem::path(FUHYO_SOURCE_DIR) / "tests/golden/mate/mate-11.txt");
  std::string sfen;
  int solved = 0;
  for (int i = 0; i < 10 && std::getline(problems, sfen); ++i) {
    const Found found = search("sfen " + sfen, {.nodes = 3'000});
    ASSERT_TRUE(found.result.score);
    solved += found.result.score->kind == usi::Score::Kind::win ? 1 : 0;
  }
  EXPECT_GE(solved, 9);
}

TEST_F(MctsEngine, ResignsWhenMatedAndDeclaresWhenItMay) {
  EXPECT_EQ(search("sfen 9/9/9/9/9/9/4g4/4g4/4K4 b - 1", {.nodes = 100}).best(), "bestmove resign");
  const Found found = search("sfen K+R+R+B+B+P+P+P+P/+P+P+P+P5/9/9/9/9/9/9/4k4 b 4G4S4N4L4P 1", {.nodes = 100});
  EXPECT_EQ(found.best(), "bestmove win");
}

TEST_F(MctsEngine, SearchesTheMovesAskedForOnly) {
  const auto move = *shogi::parse_usi_move("9g9f"), other = *shogi::parse_usi_move("1g1f");
  const Found found = search("startpos", {.nodes = 500, .searchmoves = {move, other}});
  EXPECT_TRUE(found.result.best.move == move || found.result.best.move == other);
  // Also where all other moves are known from before.
  search("startpos", {.nodes = 3'000});
  EXPECT_EQ(search("startpos", {.nodes = 200, .searchmoves = {other}}).result.best.move, other);
}

TEST_F(MctsEngine, TellsAsManyLinesAsAskedFor) {
  set("MultiPV", "4");
  get_ready();
  const Found found = search("startpos", {.nodes = 1'000});
  ASSERT_EQ(found.result.lines.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found.result.lines[i].multipv, static_cast<int>(i) + 1);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(found.result.lines[i].pv[0], found.result.lines[j].pv[0]);
  }
  EXPECT_EQ(found.result.lines[0].pv[0], found.result.best.move);
  // More lines than playouts could have given by themselves, and than there are moves.
  set("MultiPV", "30");
  get_ready();
  EXPECT_EQ(search("startpos moves 7g7f", {.nodes = 60}).result.lines.size(), 30U);
  EXPECT_EQ(search("sfen 9/9/9/9/9/9/9/4R4/K3k4 w - 1", {.nodes = 500}).result.lines.size(), 3U);
}

TEST_F(MctsEngine, KeepsItsTime) {
  for (const int threads : {1, 2}) {
    set("Threads", std::to_string(threads));
    get_ready();
    const Found found = search("startpos", {.movetime_ms = 2'000});
    EXPECT_GE(found.ms, 1'800);
    EXPECT_LE(found.ms, 2'000 + 50) << "a few looks at the clock";
  }
  // Byoyomi of a second, with a delay of 120 ms: the answer comes in the first second.
  const Found found = search("startpos", {.byoyomi_ms = 1'000, .timed = true});
  EXPECT_GE(found.ms, 500);
  EXPECT_LE(found.ms, 1'000);
}

TEST_F(MctsEngine, PlaysAMoveThatItIsToldToAlthoughNobodyNeedsIt) {
  const auto unpromoted = *shogi::parse_usi_move("5c5b");
  const Found found = search("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b P 1", {.nodes = 50, .searchmoves = {unpromoted}});
  EXPECT_EQ(found.result.best.move, unpromoted);
}

TEST_F(MctsEngine, ALevelIsTheSamePlayerEachTime) {
  set("Level", "3");
  set("LevelSeed", "5");
  set("Threads", "2");
  std::vector<std::string> first, second;
  for (auto* const played : {&first, &second}) {
    get_ready();
    engine.new_game();
    for (const std::string_view position : {"startpos", "startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d"}) {
      const Found found = search(position, {.nodes = 100'000});
      played->push_back(found.best());
      EXPECT_LE(found.result.nodes, level(3).nodes);
      ASSERT_FALSE(found.said.empty());
      EXPECT_EQ(found.said.back().pv.front(), found.result.best.move) << "the line that is played is told last";
      for (const usi::Info& info : found.said) EXPECT_FALSE(info.multipv) << "nobody asked for several";
    }
  }
  EXPECT_EQ(first, second);
}

TEST_F(MctsEngine, LevelsChooseAmongSeveralMovesByChance) {
  set("Level", "1");
  get_ready();
  engine.new_game();
  std::set<std::string> played;
  for (int i = 0; i < 20; ++i) played.insert(search("startpos", {}).best());
  EXPECT_GT(played.size(), 3U);
}

TEST_F(MctsEngine, NoLevelMissesAMateInOneOrAllowsIt) {
  set("Level", "1");
  get_ready();
  engine.new_game();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(search("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {}).best(), "bestmove G*5b");
    // White threatens G*5h; all that helps is to move the king, or to guard the square.
    const std::string_view threatened = "4k4/9/9/9/9/9/4p4/9/4K4 b Gg 1";
    const shogi::Move defence = search(fmt::format("sfen {}", threatened), {}).result.best.move;
    auto position = *shogi::Position::from_sfen(threatened);
    position.do_move(defence);
    EXPECT_FALSE(mate::mate_in_one(position)) << shogi::to_usi(defence);
  }
}

TEST_F(MctsEngine, AnAnalysisHasNoLevel) {
  set("Level", "1");
  get_ready();
  stop_after_nodes = 10 * level(1).nodes;
  EXPECT_GT(search("startpos", {.infinite = true}).result.nodes, 10 * level(1).nodes);
}

TEST_F(MctsEngine, StopsEarlyWhenTheSecondCannotOvertake) {
  // All but one move lose at once: the rest of the time changes nothing.
  set("Mate_Root_Search", "false");
  get_ready();
  const auto only = *shogi::parse_usi_move("5i4i");
  const Found found =
      search("startpos moves 7g7f", {.time_ms = {60'000, 60'000}, .timed = true, .searchmoves = {only}});
  EXPECT_LE(found.ms, 3'000);
  const Found nodes = search("sfen 9/9/9/9/9/9/9/4R4/K3k4 w - 1", {.nodes = 100'000});
  EXPECT_LT(nodes.result.nodes, 100'000);
}

TEST_F(MctsEngine, GoesOnFromWhatItKnows) {
  const auto first = search("startpos", {.nodes = 5'000});
  const std::string after =
      "startpos moves " + shogi::to_usi(first.result.best.move) + " " + shogi::to_usi(first.result.best.ponder);
  const usi::GoLimits limits{.nodes = 50};
  set("Gumbel_Playouts", "0");
  get_ready();
  const auto kept = search(after, limits);
  engine.new_game();
  const auto fresh = search(after, limits);
  ASSERT_FALSE(kept.said.empty() || fresh.said.empty());
  EXPECT_GT(*kept.said.back().depth, *fresh.said.back().depth) << "what was known goes deeper than 50 playouts";
  set("ReuseSubtree", "false");
  get_ready();
  search("startpos", {.nodes = 5'000});
  EXPECT_EQ(search(after, limits).said.back().depth, fresh.said.back().depth);
}

// The tree of a former game, or of other rules, must not speak for this one.
TEST_F(MctsEngine, AnotherRuleMakesAnotherTree) {
  const auto before = search("startpos", {.nodes = 2'000});
  set("MaxMovesToDraw", "1");
  get_ready();
  const auto after = search("startpos", {.nodes = 2'000});
  EXPECT_EQ(after.result.score->value, to_centipawns(to_chance(-2))) << "every move draws";
  EXPECT_NE(after.result.nodes, before.result.nodes);
}

TEST_F(MctsEngine, FewPlayoutsAreHalved) {
  const Found found = search("startpos", {.nodes = 16});
  EXPECT_EQ(found.result.nodes, 16);
  EXPECT_EQ(found.result.best.kind, usi::BestMove::Kind::move);
}

TEST_F(MctsEngine, TheBenchHasATraceThatIsTheSameEachTime) {
  std::vector<std::int64_t> traces;
  for (int i = 0; i < 2; ++i) {
    const auto total = usi::bench(engine, {.nodes = 300}, [](std::string_view) {});
    traces.push_back(total.trace);
    EXPECT_LE(total.nodes, 6 * 300);
  }
  EXPECT_EQ(traces[0], traces[1]);
  EXPECT_GT(traces[0], 0);
}

// ---- networks ----

TEST(MctsNetwork, ThereIsNoPlayWithoutOne) {
  Engine engine;
  ASSERT_TRUE(engine.options().set("EvalDir", "/nowhere"));
  const std::string out = test::converse(engine, "usi\nisready\nposition startpos\ngo nodes 10\nwait\nquit\n");
  EXPECT_THAT(out, HasSubstr("Error! there is no network '/nowhere/model.onnx'"));
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
  EXPECT_THAT(out, HasSubstr("bestmove resign"));
}

TEST(MctsNetwork, TheUniformOneSaysThatItIsNone) {
  Engine engine;
  ASSERT_TRUE(engine.options().set("DNN_Backend", "uniform"));
  ASSERT_TRUE(engine.options().set("USI_Hash", "1"));
  ASSERT_TRUE(engine.get_ready());
  EXPECT_THAT(engine.ready_notes().front(), HasSubstr("NO NETWORK"));
}

// An engine over a folder with a network.
class MctsNetworkOfAFile : public ::testing::Test {
 protected:
  void write(const std::string& name, const nn::Shape& shape) const {
    std::ofstream out(folder.path() / name, std::ios::binary);
    nn::write_container(nn::random_model(shape, 7), "", out);
  }
  void set(const std::vector<std::pair<std::string_view, std::string_view>>& options) {
    ASSERT_TRUE(engine.options().set("EvalDir", folder.path().string()));
    for (const auto& [name, value] : options) ASSERT_TRUE(engine.options().set(name, value)) << name;
  }
  std::string why_not_ready() { return test::error_of(engine.get_ready()); }
  std::string notes() const {
    std::string all;
    for (const std::string& note : engine.ready_notes()) all += note + "\n";
    return all;
  }

  const test::TemporaryFolder folder;
  Engine engine;
};

TEST_F(MctsNetworkOfAFile, PlaysOnSeveralThreads) {
  write("net.bin", {.channels = 16, .blocks = 2});
  set({{"DNN_Model", "net.bin"}, {"Threads", "3"}, {"USI_Hash", "8"}, {"DNN_Batch_Size", "4"}});
  ASSERT_EQ(why_not_ready(), "");
  usi::Game game;
  for (int ply = 0; ply < 3; ++ply) {
    const usi::SearchControl control;
    const auto result = engine.search(game, {.nodes = 200}, control, [](const usi::Info&) {});
    ASSERT_EQ(result.best.kind, usi::BestMove::Kind::move);
    ASSERT_TRUE(game.current().is_legal(result.best.move));
    game.moves.push_back(result.best.move);
  }
  EXPECT_EQ(engine.eval_lines(game.current()).size(), 11U) << "the value, and ten moves";
}

// With a GPU or without one, and however this was built.
TEST_F(MctsNetworkOfAFile, SaysWhyNoGpuComputesIt) {
  write("model.onnx", {.channels = 4, .blocks = 1});
  set({{"USI_Hash", "1"}, {"DNN_Backend", "cuda"}, {"DNN_Device", "63"}});
  const std::string why = why_not_ready();
  EXPECT_THAT(why, HasSubstr("the network cannot be used: "));
  EXPECT_THAT(why, ::testing::AnyOf(HasSubstr("no GPU"), HasSubstr("built without CUDA")));
  // The same file by another back end, without another name for it.
  set({{"DNN_Backend", "cpu"}});
  EXPECT_EQ(why_not_ready(), "");
}

TEST_F(MctsNetworkOfAFile, AnIniBesideItSetsWhatNobodyHasSet) {
  write("model.onnx", {.channels = 4, .blocks = 1});
  folder.write("model.onnx.ini", "DNN_Batch_Size=3\nSoftmax_Temperature=120\n");
  set({{"USI_Hash", "1"}});
  ASSERT_EQ(why_not_ready(), "");
  EXPECT_THAT(notes(), HasSubstr("batches of 3"));
  set({{"DNN_Batch_Size", "5"}});
  ASSERT_EQ(why_not_ready(), "");
  EXPECT_THAT(notes(), HasSubstr("batches of 5"));
}

TEST_F(MctsNetworkOfAFile, AnIniThatIsWrongIsNamed) {
  write("model.onnx", {.channels = 4, .blocks = 1});
  folder.write("model.onnx.ini", "DNN_Batch_Size=many\n");
  set({});
  EXPECT_THAT(why_not_ready(), HasSubstr("model.onnx.ini: "));
}

// ---- through USI ----

std::string converse(const std::string& input) {
  Engine engine;
  return test::converse(engine, "DNN_Backend uniform\nThreads 1\nUSI_Hash 4\n" + input);
}

TEST(MctsProgram, SpeaksUsi) {
  const std::string out = converse(
      "usi\nisready\nusinewgame\nposition startpos moves 7g7f\ngo nodes 400\nwait\ngo infinite\nstop\n"
      "go ponder btime 60000 wtime 60000\nponderhit\nstop\ngo mate infinite\nwait\neval\nbench 50\nquit\n");
  EXPECT_THAT(out, HasSubstr("id name Fuhyo MCTS"));
  EXPECT_THAT(out, HasSubstr("usiok"));
  EXPECT_THAT(out, HasSubstr("readyok"));
  EXPECT_THAT(out, HasSubstr(" wdl "));
  EXPECT_THAT(out, HasSubstr("checkmate nomate"));
  EXPECT_THAT(out, HasSubstr("eval = 0"));
  EXPECT_THAT(out, HasSubstr("trace: "));
  EXPECT_EQ(count(out, "\nbestmove "), 3U + 6U);
  EXPECT_EQ(count(out, "Error"), 0U) << out;
}

TEST(MctsProgram, PondersStochasticallyAndGoesOnFromThere) {
  const std::string out = converse(
      "Stochastic_Ponder true\nUSI_Ponder true\nisready\nposition startpos moves 7g7f 3c3d\n"
      "go ponder btime 1000 wtime 1000 byoyomi 100\nponderhit\nwait\nquit\n");
  EXPECT_EQ(count(out, "bestmove"), 1U);
  const auto game = usi::parse_position("startpos moves 7g7f 3c3d");
  const auto best = usi::parse_bestmove(out.substr(out.find("bestmove") + 9));
  ASSERT_TRUE(best);
  EXPECT_TRUE(game->current().is_legal(best->move));
}

TEST(MctsProgram, ItsOptionsAreDocumented) {
  Engine engine;
  test::expect_documented(engine, "fuhyo-mcts");
}

}  // namespace
}  // namespace fuhyo::mcts
