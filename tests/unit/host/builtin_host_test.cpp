// Built-in players in the production core: real threads, real processes, engines that misbehave.
#include "server/host/builtin_host.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <set>

#include "server/core/outbox.h"
#include "server/core/rooms/rules.h"
#include "server/core/server.h"
#include "tests/support/patience.h"

namespace fuhyo::host {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// The least that a node is: the core, an outbox, a store that commits at once. The test's thread is the core's.
class SmallNode final : public core::InputSink {
 public:
  explicit SmallNode(std::int32_t max_moves) : server_({}, rules(max_moves), {}), outbox_({}) {
    core::Effects effects;
    server_.begin(clock(), effects);
    carry_out(effects);
  }

  BuiltinHost::Hooks hooks() {
    return {.post_to_core = [this](std::function<void()> task) { post(std::move(task)); },
            .clock = [this] { return now(); },
            .log =
                [this](bool warning, const std::string& text) {
                  const std::lock_guard lock(mutex_);
                  if (warning) warnings_.push_back(text);
                }};
  }

  core::ConnId open(core::Transport& transport, core::ConnectionKind kind, std::string room, std::string peer,
                    bool) override {
    const core::ConnId conn{++last_conn_};
    transports_[conn] = &transport;
    deliver(core::Opened{.conn = conn, .kind = kind, .room = std::move(room), .peer = std::move(peer)});
    return conn;
  }
  void deliver(core::Input input) override {
    queue_.push_back(std::move(input));
    if (busy_) return;
    busy_ = true;
    while (!queue_.empty()) {
      if (const auto* awaits = std::get_if<core::Awaits>(&queue_.front())) awaited_.emplace_back(awaits->game);
      if (std::holds_alternative<core::ClientLine>(queue_.front())) awaited_.emplace_back("LINE");
      const core::Input next = std::move(queue_.front());
      queue_.pop_front();
      core::Effects effects;
      server_.apply(next, clock(), effects);
      carry_out(effects);
    }
    busy_ = false;
    flush();
  }
  core::Instant now() const override {
    return {std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
                .count()};
  }

  bool run_until(const std::function<bool()>& done) {
    return test::eventually([&] {
      std::deque<std::function<void()>> tasks;
      {
        const std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
      }
      for (const auto& task : tasks) task();
      if (wake_ && *wake_ <= now()) {
        wake_.reset();
        deliver(core::Woke{});
      }
      return done();
    });
  }

  // How many games were ever between their start and their end at once.
  int most_at_once() const {
    int running = 0, most = 0;
    for (const core::Journaled& row : journal_) {
      if (std::holds_alternative<core::GameStarted>(row.fact)) most = std::max(most, ++running);
      if (std::holds_alternative<core::GameEnded>(row.fact)) --running;
    }
    return most;
  }
  // Games of this name.
  std::set<core::GameId> games(std::string_view name) const {
    std::set<core::GameId> games;
    for (const core::GameOpened& opened : facts<core::GameOpened>()) {
      if (opened.game_name == name) games.insert(opened.game);
    }
    return games;
  }
  template <class Fact>
  std::vector<Fact> facts() const {
    std::vector<Fact> found;
    for (const core::Journaled& row : journal_) {
      if (const auto* fact = std::get_if<Fact>(&row.fact)) found.push_back(*fact);
    }
    return found;
  }
  // The games that players have told, and their lines.
  const std::vector<std::string>& awaited() const { return awaited_; }
  std::vector<std::string> warnings() {
    const std::lock_guard lock(mutex_);
    return warnings_;
  }

 private:
  static core::Rules rules(std::int32_t max_moves) {
    core::Rules rules;
    rules.event = "ev";
    rules.max_moves = max_moves;
    rules.trip_hash = [](std::string_view trip) { return std::string(trip); };
    return rules;
  }
  core::Now clock() const { return {now(), core::Wall{now().us}}; }
  void post(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  void carry_out(core::Effects& effects) {
    std::optional<core::Seq> appended;
    for (core::Effect& effect : effects) {
      if (auto* send = std::get_if<core::Send>(&effect)) outbox_.push(*send);
      if (auto* close = std::get_if<core::Close>(&effect)) outbox_.push(*close);
      if (auto* wake = std::get_if<core::WakeAt>(&effect)) wake_ = wake->when;
      if (auto* pass = std::get_if<core::ReadPass>(&effect))
        transports_.at(pass->conn)->read_pass(pass->conn, pass->token);
      if (auto* append = std::get_if<core::Append>(&effect)) {
        appended = append->row.seq;
        journal_.push_back(append->row);
      }
    }
    if (!appended) return;
    outbox_.durable(*appended);
    queue_.push_back(core::Durable{*appended});
  }
  void flush() {
    for (core::Outbox::Ready& ready : outbox_.take()) {
      if (!ready.bytes.empty()) transports_.at(ready.conn)->write(ready.conn, std::move(ready.bytes));
      if (ready.close) transports_.at(ready.conn)->close(ready.conn, ready.why);
    }
  }

  core::Server server_;
  core::Outbox outbox_;
  std::map<core::ConnId, core::Transport*> transports_;
  std::deque<core::Input> queue_;
  std::vector<core::Journaled> journal_;
  std::optional<core::Instant> wake_;
  std::vector<std::string> awaited_;
  std::uint64_t last_conn_ = 0;
  bool busy_ = false;

  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::string> warnings_;
};

BuiltinPlayer player(const std::string& name, char turn, const std::string& manners) {
  BuiltinPlayer player;
  player.name = name;
  player.password = "secret" + name;
  player.room = "demo";
  player.game = "demo-0-0";
  player.turn = turn;
  player.command = {FAKE_ENGINE, manners};
  player.restart_ms = 1;
  player.unlimited = usi::GoLimits{.movetime_ms = std::chrono::milliseconds(test::kPatience).count()};
  return player;
}

// Two for each of these games.
std::vector<BuiltinPlayer> pairs(std::initializer_list<std::string> games, std::int64_t min_move_ms = 0) {
  std::vector<BuiltinPlayer> players;
  for (const std::string& game : games) {
    for (const auto& [colour, turn] : {std::pair{"black", '+'}, {"white", '-'}}) {
      players.push_back(player(game.substr(0, 1) + colour, turn, "good"));
      players.back().game = game;
      players.back().min_move_ms = min_move_ms;
    }
  }
  return players;
}

class BuiltinHostTest : public ::testing::Test {
 protected:
  void seat(const std::string& black, const std::string& white, std::int32_t max_moves) {
    node.emplace(max_moves);
    host.emplace(*node, std::vector{player("Black", '+', black), player("White", '-', white)}, node->hooks());
    host->start();
  }
  std::size_t ended() const { return node->facts<core::GameEnded>().size(); }
  bool play(std::size_t games) {
    return node->run_until([&] { return ended() >= games; });
  }
  core::GameEnded last() const { return node->facts<core::GameEnded>().back(); }

  std::optional<SmallNode> node;
  std::optional<BuiltinHost> host;
};

struct Manners {
  const char *black, *white;
  std::int32_t max_moves;
  std::size_t games;
  core::EndKind end;
  const char* warning;  // one of those that come; "": whatever
};

TEST_F(BuiltinHostTest, PlaysGameAfterGameWhateverTheMannersOfItsEngines) {
  using enum core::EndKind;
  constexpr Manners kManners[] = {{"good", "good", 12, 3, max_moves, ""},
                                  {"garbage", "double", 12, 2, max_moves, ""},
                                  {"illegal", "good", 12, 2, toryo, "illegal move, 5e5d"},
                                  // It comes back into its game.
                                  {"crash", "good", 4, 1, max_moves, "killed by signal 6"},
                                  {"flood", "good", 12, 1, toryo, "output flood"}};
  for (const Manners& each : kManners) {
    SCOPED_TRACE(each.black);
    host.reset();
    seat(each.black, each.white, each.max_moves);
    ASSERT_TRUE(play(each.games));
    EXPECT_EQ(last().kind, each.end);
    if (each.end == toryo) EXPECT_EQ(last().outcome, core::Outcome::white_wins);
    if (each.end == max_moves) EXPECT_EQ(last().plies, each.max_moves);
    if (*each.warning != 0) EXPECT_THAT(node->warnings(), Contains(HasSubstr(each.warning)));
    const auto opened = node->facts<core::GameOpened>();
    EXPECT_EQ(opened.front().room, "demo");
    EXPECT_TRUE(opened.front().black.builtin);
    EXPECT_FALSE(opened.front().rated);
  }
}

TEST_F(BuiltinHostTest, AProgramThatIsNotThereIsReported) {
  node.emplace(12);
  BuiltinPlayer lost = player("Lost", '*', "good");
  lost.command = {"/nonexistent/engine"};
  host.emplace(*node, std::vector{lost}, node->hooks());
  host->start();
  EXPECT_TRUE(node->run_until([&] { return !node->warnings().empty(); }));
  EXPECT_THAT(node->warnings(), Contains(HasSubstr("cannot run '/nonexistent/engine'")));
  EXPECT_EQ(ended(), 0u);
}

// The attempts of another player, whose machine is there, show that there was time for more.
TEST_F(BuiltinHostTest, AnEngineOfAMachineThatIsAwayIsStartedWhenItComesBack) {
  node.emplace(12);
  std::atomic<bool> refused = true;
  std::array<std::atomic<int>, 2> tried{};
  const std::array seats = {std::make_shared<CpuScheduler>(1), std::make_shared<CpuScheduler>(1)};
  seats[0]->set_open(false);
  std::array<std::optional<BuiltinHost>, 2> hosts;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    BuiltinPlayer brought = player(i == 0 ? "Away" : "There", '*', "good");
    brought.spawn = [&refused, &count = tried[i], spawn = EngineRunner::child({.command = brought.command})](
                        usi::ChildProcess::Events events, const std::vector<int>& cores) {
      ++count;
      return refused ? std::unexpected<std::string>("it is not connected") : spawn(std::move(events), cores);
    };
    hosts[i].emplace(*node, std::vector{brought}, node->hooks(), seats[i]);
    hosts[i]->start();
  }
  using enum core::EngineState;
  EXPECT_TRUE(node->run_until([&] { return tried[1] > 3 && hosts[0]->state().is == waits_for_a_seat; }));
  EXPECT_EQ(tried[0], 1);
  EXPECT_EQ(hosts[0]->state().fault, "");
  EXPECT_EQ(hosts[1]->state().is, away);
  EXPECT_EQ(hosts[1]->state().fault, "it is not connected");
  refused = false;
  seats[0]->set_open(true);
  EXPECT_TRUE(node->run_until([&] { return hosts[0]->state().is == in_the_lobby; }));
}

// The second game of the others tells that the host has heard of the real ones, and the core what came of it.
TEST_F(BuiltinHostTest, WhoGivesWayPlaysItsGameToTheEndAndBeginsNoneWhileRealGamesRun) {
  for (const bool seated : {false, true}) {
    host.reset();
    node.emplace(6);
    std::vector<BuiltinPlayer> players = pairs({"way-0-0", "go-0-0"}, 5);
    for (BuiltinPlayer& each : players) each.gives_way = each.game == "way-0-0";
    host.emplace(*node, players, node->hooks(), seated ? std::make_shared<CpuScheduler>(1) : nullptr);
    host->start();
    const auto more_games = [&](const char* game, std::size_t count) {
      const std::size_t before = node->games(game).size();
      return node->run_until([&] { return node->games(game).size() >= before + count; });
    };
    ASSERT_TRUE(more_games("way-0-0", 2));
    host->set_real_games(2);
    ASSERT_TRUE(more_games("go-0-0", 2));
    const auto begun = node->games("way-0-0");
    EXPECT_TRUE(node->run_until([&] {
      std::set<core::GameId> over;
      for (const core::GameEnded& end : node->facts<core::GameEnded>()) over.insert(end.game);
      return std::ranges::includes(over, begun);
    })) << "a game stands still";
    ASSERT_TRUE(more_games("go-0-0", 3));
    EXPECT_EQ(node->games("way-0-0"), begun);
    host->set_real_games(0);
    EXPECT_TRUE(more_games("way-0-0", 2));
  }
}

TEST_F(BuiltinHostTest, KeepsThePace) {
  node.emplace(6);
  host.emplace(*node, pairs({"demo-0-0"}, 20), node->hooks());
  host->start();
  ASSERT_TRUE(play(1));
  // By the clock of the core, which the host does not look at: a millisecond a move is lost to rounding.
  EXPECT_GE(last().at.us - node->facts<core::GameStarted>().front().at.us, 6 * (20 - 1) * 1'000);
}

// Two pairs want to play, and there is a thread for one game: they take turns, and nobody waits within a game.
TEST_F(BuiltinHostTest, PlaysNoMoreGamesAtOnceThanThereAreSeats) {
  for (const int threads : {1, 2}) {
    host.reset();
    node.emplace(6);
    const auto seats = std::make_shared<CpuScheduler>(threads);
    host.emplace(*node, pairs({"a-0-0", "b-0-0"}, 5), node->hooks(), seats);
    host->start();
    const auto played = [&](const char* game) {
      const auto opened = node->facts<core::GameOpened>();
      return std::ranges::count(opened, game, &core::GameOpened::game_name);
    };
    ASSERT_TRUE(node->run_until(
        [&] { return ended() >= 6 && played("a-0-0") > 1 && played("b-0-0") > 1 && node->most_at_once() >= threads; }));
    EXPECT_EQ(node->most_at_once(), threads);
    // The host hears of the last move a little after the journal.
    EXPECT_TRUE(node->run_until([&] { return host->thinking_times().moves >= 36; }));
    EXPECT_EQ(host->thinking_times().waited_most_ms, 0);
    EXPECT_THAT(node->warnings(), ::testing::Each(::testing::Not(HasSubstr("no seat for game"))));
  }
}

// Both ponder, and want more threads together than there are: they play, one after the other's move.
TEST_F(BuiltinHostTest, TwoThatCannotPonderTogetherPlayAllTheSame) {
  node.emplace(6);
  std::vector<BuiltinPlayer> players = pairs({"a-300-0"});
  for (BuiltinPlayer& each : players) {
    each.threads = 3;
    each.ponder = true;
  }
  host.emplace(*node, players, node->hooks(), std::make_shared<CpuScheduler>(4));
  host->start();
  EXPECT_TRUE(play(2));
  EXPECT_THAT(node->warnings(), ::testing::Each(::testing::Not(HasSubstr("no seat for game"))));
}

// It has no seat as long as somebody else thinks: the core knows what it waits for all the same.
TEST_F(BuiltinHostTest, TellsWhatItWaitsForBeforeItLogsIn) {
  node.emplace(6);
  const auto seats = std::make_shared<CpuScheduler>(1);
  const auto other = seats->join("other", {.threads = 1}, [] {});
  seats->claim(other, "a game of somebody else", "a guest", false);
  BuiltinPlayer oni = player("Oni", '*', "good"), guest = player("Guest", '*', "good");
  oni.game = "cup-900-0";
  guest.game.clear();
  host.emplace(*node, std::vector{oni, guest}, node->hooks(), seats);
  host->start();
  ASSERT_TRUE(node->run_until([&] { return std::ranges::count(node->awaited(), "LINE") >= 2; }));
  EXPECT_EQ(node->awaited().front(), "cup-900-0");
  EXPECT_EQ(std::ranges::count(node->awaited(), "LINE"), 2) << "LOGIN alone";
  EXPECT_THAT(node->awaited(), ::testing::SizeIs(3)) << "who waits for no game says nothing";
}

TEST_F(BuiltinHostTest, GoesAwayInTheMiddleOfAGame) {
  seat("hang", "good", 12);
  ASSERT_TRUE(node->run_until([&] { return node->facts<core::GameStarted>().size() == 1; }));
  host.reset();
}

TEST(DemoPlayers, PlayInPairsWithClocksAtALevel) {
  const auto players = demo_players("/usr/bin/fuhyo-nnue", "", "0123456789abcdef", 2);
  ASSERT_EQ(players.size(), 4u);
  std::set<std::string> names, passwords;
  for (const BuiltinPlayer& p : players) {
    names.insert(p.name);
    passwords.insert(p.password);
    EXPECT_EQ(p.room, "demo");
    ASSERT_TRUE(p.game.starts_with("demo-")) << p.game;
    const auto time = core::read_time(p.game.substr(5));
    ASSERT_TRUE(time) << p.game;
    EXPECT_GT(time->total_s + time->byoyomi_s, 0);
    EXPECT_LE(time->total_s, 300);
    EXPECT_TRUE(p.comments);
    EXPECT_EQ(p.nice, 19);
    EXPECT_TRUE(p.gives_way);
    EXPECT_GE(p.min_move_ms, 1'000);
    EXPECT_LE(p.min_move_ms + p.more_move_ms, 6'000);
    EXPECT_EQ(p.rest_ms, 10'000);
    EXPECT_THAT(p.options, ::testing::IsSupersetOf({::testing::Pair("Threads", "1"), ::testing::Pair("Level", "26")}));
    EXPECT_THAT(p.command, ::testing::ElementsAre("/usr/bin/fuhyo-nnue"));
  }
  EXPECT_EQ(names.size(), 4u);
  EXPECT_EQ(passwords.size(), 4u);
  EXPECT_EQ(players[0].game, players[1].game);
  EXPECT_EQ(players[2].game, players[3].game);
  EXPECT_NE(players[0].game, players[2].game) << "a pair for itself";
}

TEST(DemoPlayers, HaveABoardACoreAndFourAtMostWithOneOfEachEngineIfBothCanPlay) {
  for (const auto& [cores, count] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}, {1, 2}, {2, 4}, {4, 8}, {5, 8}, {256, 8}}) {
    const auto players = demo_players("/usr/bin/fuhyo-nnue", "/usr/bin/fuhyo-mcts", "0123456789abcdef", cores);
    EXPECT_EQ(players.size(), count) << cores;
    for (std::size_t i = 0; i < players.size(); ++i) {
      EXPECT_THAT(players[i].command,
                  ::testing::ElementsAre(i % 2 == 0 ? "/usr/bin/fuhyo-nnue" : "/usr/bin/fuhyo-mcts"));
    }
  }
}

}  // namespace
}  // namespace fuhyo::host
