#include "engines/usi/loop.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <streambuf>
#include <thread>
#include <utility>

#include "engines/shogi/usi_move.h"
#include "engines/usi/common_options.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/conversation.h"

namespace fuhyo::usi {
namespace {

using test::converse;
using test::count;
using ::testing::HasSubstr;
using ::testing::Not;

// Answers 7g7f. A search to a depth ends at once, one of so many nodes after a while, any other when it is stopped.
class Puppet final : public Engine {
 public:
  Puppet() {
    add_common_options(table_);
    table_.add_spin("Strength", 5, 1, 9, {"how hard it pulls", "力の強さ"});
  }
  std::string name() const override { return "Puppet"; }
  std::string author() const override { return "the tests"; }
  OptionTable& options() override { return table_; }
  std::expected<void, std::string> get_ready() override {
    if (broken) return std::unexpected(std::string("no strings attached"));
    return {};
  }
  void new_game() override { ++games; }
  SearchResult search(const Game& game, const GoLimits& limits, const SearchControl& control,
                      const std::function<void(const Info&)>& report) override {
    report({.depth = 1, .text = "moves " + std::to_string(game.moves.size()) + " " + to_text(limits)});
    for (int turns = 0; !limits.depth && !control.stopped() && (!limits.nodes || turns < 1'000); ++turns)
      std::this_thread::yield();
    if (limits.nodes && control.stopped()) report({.text = "stopped"});
    ++searches;
    return {.best = {.kind = BestMove::Kind::move, .move = *shogi::parse_usi_move("7g7f")},
            .nodes = 10,
            .score = Score{.value = value}};
  }
  int evaluate(const shogi::Position&) override { return 77; }
  GoLimits bench_limits() const override { return {.depth = 2}; }

  OptionTable table_;
  bool broken = false;
  int games = 0;
  int value = 0;                  // centipawns
  std::atomic<int> searches = 0;  // that are over
};

// A stream whose lines arrive one by one, and whose other end can be watched.
class Console {
 public:
  explicit Console(Engine& engine)
      : thread_([this, &engine] {
          std::istream in(&input_);
          std::ostream out(&output_);
          run_loop(engine, in, out);
        }) {}
  ~Console() {
    type("quit");
    thread_.join();
  }
  void type(const std::string& line) { input_.push(line + "\n"); }
  // Returns once the engine's program reads the line.
  void type_and_see_it_read(const std::string& line) {
    type(line);
    EXPECT_TRUE(test::eventually([&] { return input_.all_read(); }));
  }
  // Whoever writes this waits behind it, until it is released; it can be read.
  void hold_writer_of(std::string_view text) { output_.hold(text); }
  void release_writer() { output_.hold({}); }
  // Waits for it.
  bool shows(std::string_view text) { return output_.wait_for(text); }
  // So far, with everything that the lines typed before have led to.
  bool has_shown(std::string_view text) {
    type("nonsense" + std::to_string(++asked_));
    EXPECT_TRUE(shows("'nonsense" + std::to_string(asked_) + "'"));
    return output_.contains(text);
  }

 private:
  class Input : public std::streambuf {
   public:
    void push(const std::string& text) {
      const std::lock_guard lock(mutex_);
      waiting_ += text;
      changed_.notify_all();
    }
    bool all_read() {
      const std::lock_guard lock(mutex_);
      return waiting_.empty();
    }

   private:
    int_type underflow() override {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty(); });
      current_.swap(waiting_);
      waiting_.clear();
      setg(current_.data(), current_.data(), current_.data() + current_.size());
      return traits_type::to_int_type(current_.front());
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string waiting_, current_;
  };
  class Output : public std::streambuf {
   public:
    bool wait_for(std::string_view text) {
      std::unique_lock lock(mutex_);
      return changed_.wait_for(lock, test::kPatience, [&] { return text_.contains(text); });
    }
    bool contains(std::string_view text) {
      const std::lock_guard lock(mutex_);
      return text_.contains(text);
    }
    void hold(std::string_view text) {
      const std::lock_guard lock(mutex_);
      held_ = text;
      changed_.notify_all();
    }

   private:
    int sync() override {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return held_.empty() || !text_.contains(held_); });
      return 0;
    }
    std::streamsize xsputn(const char* data, std::streamsize size) override {
      const std::lock_guard lock(mutex_);
      text_.append(data, static_cast<std::size_t>(size));
      changed_.notify_all();
      return size;
    }
    int_type overflow(int_type c) override {
      const char byte = traits_type::to_char_type(c);
      xsputn(&byte, 1);
      return c;
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string text_, held_;
  };
  int asked_ = 0;
  Input input_;
  Output output_;
  std::thread thread_;
};

constexpr std::size_t kSome = 1'000;  // once at least

struct Conversation {
  const char* name;
  const char* typed;
  std::vector<std::pair<const char*, std::size_t>> heard;  // texts, and how often each is said
};

// Each with an engine that is asked for the first time.
const Conversation kConversations[] = {
    {"introduces the engine",
     "usi\nisready\nquit\n",
     {{"id name Puppet\nid author the tests\n", 1},
      {"option name Strength type spin default 5 min 1 max 9\nusiok\nreadyok\n", 1}}},
    {"every go is answered once",
     "position startpos moves 7g7f\ngo depth 1\ngo depth 1\ngo infinite\nstop\nquit\n",
     {{"bestmove 7g7f\n", 3}, {"info depth 1 string moves 1 go depth 1\n", kSome}}},
    {"the end of the input stops a search", "go infinite\n", {{"bestmove", 1}}},
    {"a byte order mark is passed over", "\xEF\xBB\xBFusi\nquit\n", {{"usiok\n", 1}, {"unknown command", 0}}},
    {"limits that leave nothing to search",
     "go depth 0\ngo nodes 0\ngo depth 1 searchmoves 1a1b 9a9b\ngo depth 1 searchmoves here\nquit\n",
     {{"info string go: depth must be 1 at least, and is taken for that\n", kSome},
      {"go depth 1\n", kSome},
      {"info string go: nodes must be 1 at least", kSome},
      {"go nodes 1\n", kSome},
      {"info string go: none of the searchmoves is a legal move\n", 2},
      {"bestmove 7g7f\n", 4}}},
    {"options and wrong ones, but for those that GUIs send to everybody",
     "setoption name Strength value 7\nsetoption name Strength value 10\nsetoption name X value 1\n"
     "setoption name USI_Variant value 1\nsetoption Strength 8\ngetoption Strength\nquit\n",
     {{"info string option Strength: a number from 1 to 9 expected, not '10'", 1},
      {"no option named 'X'", kSome},
      {"USI_Variant", 0},
      {"Strength = 8\n", 1}}},
    {"options by their names alone",
     "Strength 7\nStrength\nstrength=9\ngetoption Strength\nStrength = 3\n"
     "getoption\ngetoption Weakness\nStrength x\nquit\n",
     {{"Strength = 7\n", 1},
      {"Strength = 9\n", 1},
      {"Strength = 3\n", 1},
      {"Threads = 4\n", kSome},
      {"no option named 'Weakness'", kSome},
      {"a number from 1 to 9 expected, not 'x'", kSome}}},
    {"several options on a line, all or none of them",
     "Strength=7 MultiPV=3\ngetoption\nStrength=8 MultiPV=4 deep\nStrength=9 Weakness=1\nWeakness=1 Strength=9\n"
     "DebugLogFile=my log\ngetoption\nquit\n",
     {{"Strength = 7\n", 2},
      {"MultiPV = 3\n", 2},
      {"'deep' is no option=value, and nothing is set: a value with blanks wants setoption name NAME value VALUE", 1},
      {"'Weakness=1' is no option=value", 1},
      {"unknown command 'Weakness=1'", 1},
      {"'log' is no option=value", 1},
      {"DebugLogFile = \n", 2}}},
    // A GUI that lets the user change the number of lines during analysis says so without waiting.
    {"options change between searches",
     "go infinite\nsetoption name MultiPV value 3\nstop\nsetoption name MultiPV value 5\ngo depth 1\nwait\n"
     "getoption MultiPV\nquit\n",
     {{"MultiPV = 5\n", 1}, {"setoption is ignored while a search runs", 1}, {"bestmove", 2}}},
    {"limits of the options",
     "DepthLimit 6\nNodesLimit 100\ngo\ngo depth 2\nquit\n",
     {{"go nodes 100 depth 6\n", kSome}, {"go nodes 100 depth 2\n", kSome}}},
    {"help in one language", "help en\nquit\n", {{"\nStrength = 5: how hard it pulls\n", kSome}}},
    {"nonsense is told, and it goes on",
     "\n  \nfrobnicate\nposition nowhere\ngo depth 1\nposition startpos\ngo depth x\nisready\r\nquit\n",
     {{"unknown command 'frobnicate'", kSome},
      {"Error! position: ", kSome},
      {"bestmove resign\n", 2},
      {"readyok\n", kSome}}},
    {"perft, one line a root move",
     "perft 3\nperft 0\nperft 13\nquit\n",
     {{"7g7f: 1110\n", 1}, {"nodes: 25470\n", 1}, {"time: ", 1}, {"perft: a depth from 1", 2}, {": ", 30 + 2 + 2}}},
    {"board and evaluation",
     "d\neval\nquit\n",
     {{"P1-KY-KE-GI-KI-OU", kSome},
      {"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", kSome},
      {"eval: 77", kSome}}},
    {"a bench adds up the nodes", "bench\nquit\n", {{"nodes: 60\n", kSome}, {"nps: ", kSome}}},
    {"entries of a table, to an engine that exchanges none", "tt search 1\nquit\n", {{"unknown command 'tt'", 1}}},
    {"mates are not looked for", "go mate 1000\nquit\n", {{"checkmate notimplemented\n", 1}}},
    {"mates where there is nothing to look at, as bad limits are",
     "position nowhere\ngo mate infinite\ngo mate 5 nodes abc\nquit\n",
     {{"checkmate timeout\n", kSome}, {"bestmove", 0}}},
    {"mates after an illegal move",
     "position startpos moves 1a1b\ngo mate infinite\nquit\n",
     {{"checkmate timeout\n", 1}, {"bestmove", 0}}},
};

TEST(Loop, SaysWhatItShall) {
  for (const Conversation& each : kConversations) {
    Puppet engine;
    const std::string out = converse(engine, each.typed);
    for (const auto& [text, times] : each.heard) {
      SCOPED_TRACE(std::string(each.name) + ": " + text + " in\n" + out);
      const std::size_t found = count(out, text);
      EXPECT_EQ(times == kSome && found > 0 ? kSome : found, times);
    }
  }
}

// As it does for the same list as arguments.
TEST(Loop, AListOfCommandsWaitsForASearchThatEndsByItself) {
  for (const char* next : {"", "go depth 1\n", "usinewgame\n", "d\n", "eval\n", "perft 1\n", "bench\n", "isready\n",
                           "getoption Strength\n", "setoption name Strength value 7\n", "position startpos\n"}) {
    Puppet engine;
    const std::string out = converse(engine, std::string("isready\ngo nodes 5\n") + next);
    EXPECT_THAT(out, HasSubstr("go nodes 5\n")) << next;
    EXPECT_THAT(out, HasSubstr("bestmove 7g7f\n")) << next;
    EXPECT_THAT(out, Not(HasSubstr("stopped"))) << next;
  }
}

TEST(Loop, AListOfCommandsSetsOptionsInItsOrder) {
  Puppet engine;
  const std::string out = converse(engine, "go nodes 5\nStrength 7\nStrength 8\ngetoption Strength\nStrength 9\n");
  EXPECT_LT(out.find("bestmove"), out.find("Strength = 8\n"));
  EXPECT_THAT(converse(engine, "Strength\n"), HasSubstr("Strength = 9\n"));
}

TEST(Loop, StopAndQuitNeverWait) {
  for (const char* go : {"go btime 1000 wtime 1000", "go"}) {
    for (const char* end : {"stop", "quit", "gameover draw"}) {
      Puppet engine;
      EXPECT_EQ(count(converse(engine, std::string(go) + "\n" + end + "\n"), "\n"), 2) << go << end;
    }
  }
}

TEST(Loop, IsreadyDuringASearchIsAnsweredAndNothingElse) {
  Puppet engine;
  Console console(engine);
  for (const char* line : {"go infinite", "isready"}) console.type(line);
  EXPECT_TRUE(console.shows("readyok\n"));
  EXPECT_FALSE(console.has_shown("bestmove"));
  console.type("stop");
  EXPECT_TRUE(console.shows("bestmove 7g7f\n"));
}

TEST(Loop, WhereThereIsNothingToSearchTheAnswerWaitsToo) {
  for (const char* said : {"position nowhere\ngo infinite", "position nowhere\ngo ponder btime 100",
                           "go infinite nodes abc", "go ponder depth x", "broken\ngo infinite"}) {
    Puppet engine;
    engine.broken = std::string_view(said).starts_with("broken");
    Console console(engine);
    console.type(said);
    EXPECT_TRUE(console.shows("Error!")) << said;
    EXPECT_FALSE(console.has_shown("bestmove")) << said;
    console.type("stop");
    EXPECT_TRUE(console.shows("bestmove resign\n")) << said;
  }
}

TEST(Program, TellsItsNameAndHowItIsUsed) {
  Puppet engine;
  const auto said = [&](const std::string& flag) {
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(run_program(engine, std::array{flag}, "/opt/fuhyo/puppet"), 0);
    return ::testing::internal::GetCapturedStdout();
  };
  EXPECT_THAT(said("--version"), ::testing::MatchesRegex("puppet [0-9.]+\n"));
  EXPECT_THAT(said("--help"), HasSubstr("usage: puppet [COMMAND"));
}

TEST(Program, TellsByItsExitCodeThatACommandIsUnknown) {
  for (const auto& [word, code] : {std::pair{"wait", 0}, {"benhc", 64}}) {
    Puppet engine;
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(run_program(engine, std::array{std::string(word)}, "/opt/fuhyo/puppet"), code) << word;
    ::testing::internal::GetCapturedStdout();
  }
}

TEST(Loop, InfiniteAndPonderKeepTheAnswerBack) {
  for (const auto& [go, release] :
       {std::pair{"go infinite depth 1", "stop"}, std::pair{"go ponder depth 1 btime 1000 wtime 1000", "ponderhit"}}) {
    Puppet engine;
    Console console(engine);
    console.type(go);
    EXPECT_TRUE(test::eventually([&] { return engine.searches == 1; }));
    EXPECT_FALSE(console.has_shown("bestmove")) << go;
    console.type(release);
    EXPECT_TRUE(console.shows("bestmove 7g7f\n")) << go;
  }
}

TEST(Loop, WaitsForTheAnswerIfAsked) {
  Puppet engine;
  const std::string said = converse(engine, "isready\ngo depth 1\nwait\ngetoption Strength\nwait\nquit\n");
  const auto answer = said.find("bestmove 7g7f"), option = said.find("Strength");
  ASSERT_NE(option, std::string::npos);
  EXPECT_LT(answer, option);
}

TEST(Loop, HelpsOfOneOptionAlone) {
  Puppet engine;
  EXPECT_EQ(converse(engine, "help Strength ja\nquit\n"),
            "option name Strength type spin default 5 min 1 max 9\nStrength = 5: 力の強さ\n");
}

TEST(Loop, OptionsThatFollowAnAnswerAtOnceAreTaken) {
  for (const auto& [go, answer] : {std::pair{"go depth 1", "bestmove"}, std::pair{"go mate 10", "checkmate"}}) {
    Puppet engine;
    {
      Console console(engine);
      console.hold_writer_of(answer);
      console.type(go);
      ASSERT_TRUE(console.shows(answer));
      console.type_and_see_it_read("setoption name Strength value 7");
      console.release_writer();
    }
    EXPECT_EQ(engine.options().spin("Strength"), 7) << go;
  }
}

TEST(Loop, ResignsAtTheResignValueButNotInAnalysis) {
  Puppet engine;
  engine.value = -600;
  for (const auto& [typed, best] : {std::pair{"go depth 1\n", "7g7f"},
                                    {"ResignValue 500\ngo depth 1\n", "resign"},
                                    {"go infinite\nstop\n", "7g7f"},
                                    {"ConsiderationMode true\ngo depth 1\n", "7g7f"}}) {
    EXPECT_THAT(converse(engine, std::string(typed) + "quit\n"), HasSubstr(std::string("bestmove ") + best)) << typed;
  }
}

TEST(Loop, LogsBothDirections) {
  const test::TemporaryFolder folder;
  Puppet engine;
  converse(engine, "setoption name DebugLogFile value " + folder.file("log") + "\ngo depth 1\nquit\n");
  const std::string log = folder.read("log");
  EXPECT_THAT(log, HasSubstr(" < go depth 1\n"));
  EXPECT_THAT(log, HasSubstr(" > bestmove 7g7f\n"));
  EXPECT_THAT(converse(engine, "setoption name DebugLogFile value /nowhere/at/all\nquit\n"),
              HasSubstr("cannot be written"));
}

// ---- ponder ----

// The clocks come with the hit: the search begins anew, with them, on the same position.
TEST(Loop, PonderhitMayBringTheClocks) {
  Puppet engine;
  Console console(engine);
  console.type("position startpos moves 7g7f 3c3d");
  console.type("go ponder");
  EXPECT_TRUE(console.shows("moves 2 go ponder\n"));
  console.type("ponderhit btime 1000 wtime 2000 byoyomi 500 depth 3");
  EXPECT_TRUE(console.shows("moves 2 go btime 1000 wtime 2000 byoyomi 500 depth 3\n"));
  EXPECT_TRUE(console.shows("bestmove 7g7f\n"));
}

// Thinks about the position before his move, and about the real one from the hit on.
TEST(Loop, StochasticPonderRestartsAtTheHit) {
  Puppet engine;
  Console console(engine);
  console.type("setoption name Stochastic_Ponder value true");
  console.type("position startpos moves 7g7f 3c3d");
  console.type("go ponder btime 1000 wtime 1000 byoyomi 500");
  EXPECT_TRUE(console.shows("moves 1 go ponder infinite\n"));
  console.type("ponderhit");
  EXPECT_TRUE(console.shows("moves 2 go btime 1000 wtime 1000 byoyomi 500\n"));
  EXPECT_FALSE(console.has_shown("bestmove")) << "the first search has no answer";
  console.type("stop");
  EXPECT_TRUE(console.shows("bestmove 7g7f\n"));
}

TEST(Loop, AnyEndOfAPonderSearchIsAnswered) {
  for (const char* stochastic : {"true", "false"}) {
    for (const char* end : {"stop", "gameover lose"}) {
      Puppet engine;
      Console console(engine);
      console.type(std::string("Stochastic_Ponder ") + stochastic);
      console.type("position startpos moves 7g7f 3c3d\ngo ponder btime 1000 wtime 1000");
      console.type(end);
      EXPECT_TRUE(console.shows("bestmove 7g7f\n")) << stochastic << end;
    }
  }
}

TEST(Loop, AnEngineThatCannotGetReadySaysWhy) {
  Puppet engine;
  engine.broken = true;
  const std::string out = converse(engine, "isready\ngo depth 1\nquit\n");
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
  EXPECT_THAT(out, HasSubstr("Error! no strings attached"));
  EXPECT_THAT(out, HasSubstr("bestmove resign"));
}

TEST(Loop, AGameIsPreparedBeforeItsClockRuns) {
  Puppet engine;
  converse(engine, "isready\nquit\n");
  EXPECT_EQ(engine.games, 1);
}

TEST(Loop, BenchBeginsANewGameEachTime) {
  Puppet engine;
  converse(engine, "bench\nquit\n");
  EXPECT_EQ(engine.games, 6);
}

TEST(Values, CheckmateAsText) {
  using Kind = Checkmate::Kind;
  EXPECT_EQ(to_text(Checkmate{.kind = Kind::no_mate}), "checkmate nomate");
  EXPECT_EQ(to_text(Checkmate{.kind = Kind::timeout}), "checkmate timeout");
  EXPECT_EQ(to_text(Checkmate{.kind = Kind::mate, .line = {*shogi::parse_usi_move("G*5b")}}), "checkmate G*5b");
  for (const char* const words : {"nomate", "timeout", "notimplemented", "G*5b 5a4a 5b4b"}) {
    const auto read = parse_checkmate(words);
    ASSERT_TRUE(read) << words;
    EXPECT_EQ(to_text(*read), "checkmate " + std::string(words));
  }
  for (const char* const words : {"", "  ", "mate", "G*5b resign"}) EXPECT_FALSE(parse_checkmate(words)) << words;
}

}  // namespace
}  // namespace fuhyo::usi
