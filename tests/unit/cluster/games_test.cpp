// Whole games of clusters whose nodes are prompt, late, silent, dying or talking nonsense by chance, in no time: no
// time loss, no illegal move, no hang, whether the GUI lets it ponder, hits, misses or stops.
#include <gtest/gtest.h>
#include <random>

#include "tests/support/sanitized.h"
#include "tests/unit/cluster/world.h"

namespace fuhyo::cluster {
namespace {

#ifdef CLUSTER_GAMES
constexpr int kGames = CLUSTER_GAMES;
#else
constexpr int kGames = test::kSanitized ? 4 : 40;
#endif

class RandomGame {
 public:
  explicit RandomGame(std::uint64_t seed) : random_(seed), world_(scripts(), modes(), roles()) {}

  void play() {
    for (int turn = 0; turn < 12 && !over(); ++turn) {
      break_something();
      if (turn > 0 && one_in(2)) {
        ponder_and_move();
      } else {
        move();
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  static constexpr std::size_t kNodes = 5;

  bool one_in(unsigned n) { return random_() % n == 0; }
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(random_() % static_cast<unsigned>(most + 1));
  }

  Script script() {
    Script script{.move = ""};
    script.declares = {"option name MultiPV type spin default 1 min 1 max 99"};
    if (!one_in(4)) script.declares.push_back("tt keys 000000000000000" + std::to_string(1 + random_() % 2));
    if (!one_in(4)) script.entry = "000000000000000a,7g7f,5,e,10,-";
    script.honours_movetime = !one_in(4);
    script.answers = !one_in(6);
    script.speaks = !one_in(6);
    script.delay = up_to(one_in(5) ? 1'000 : 20);
    if (one_in(6)) script.dies_after = up_to(400);
    if (one_in(8)) script.answer = one_in(2) ? "5e5d" : "win";
    if (one_in(4)) script.mate = one_in(2) ? "nomate" : "G*5b";
    return script;
  }
  std::vector<Script> scripts() {
    std::vector<Script> all;
    for (std::size_t i = 0; i < kNodes; ++i) all.push_back(script());
    return all;
  }
  Modes modes() {
    return {
        .exchange_bytes = 1'000, .ponder_replies = 1 + static_cast<int>(up_to(3)), .split = one_in(2), .list_ms = 10};
  }
  static std::vector<Role> roles() { return {Role::search, Role::root, Role::mate, Role::search, Role::mate}; }

  // Between moves the pool starts again who has ended.
  void break_something() {
    for (const auto& engine : world_.engines) {
      engine->script = script();
      if (engine->member.state() == members::Member::State::off) engine->start(world_.now);
      if (!one_in(6)) engine->pass(world_.now);
      if (one_in(20))
        engine->member.line("tt 3 nonsense", world_.now), engine->member.line("\xff bestmove", world_.now);
    }
  }

  bool over() const {
    const shogi::Position position = game_.current();
    return shogi::count_legal_moves(position) == 0 || position.ply() > 60;
  }
  shogi::Move any_move() {
    const shogi::Position position = game_.current();
    const auto moves = shogi::legal_moves(position);
    return moves[random_() % moves.size()];
  }
  Request request(bool ponder) {
    const std::int64_t main = up_to(1'000);
    return World::request(
        game_, {.time_ms = {main, main}, .inc_ms = {200, 200}, .timed = true, .ponder = ponder},
        {.network_delay_ms = 10, .network_delay2_ms = 10, .minimum_thinking_ms = 1, .whole_seconds = false});
  }

  void move() {
    const Request asked = request(false);
    const std::int64_t most = asked.plan.maximum_ms();
    world_.begin(asked);
    if (one_in(8)) {
      world_.run(up_to(most));
      world_.cluster->stop(world_.now);
      ASSERT_TRUE(world_.run(500)) << "after stop";
    }
    take_move(most, world_.begun);
  }

  void take_move(std::int64_t most, std::int64_t clock_began) {
    world_.run(most);
    ASSERT_TRUE(world_.cluster->outcome());
    ASSERT_LE(world_.now - clock_began, most);
    const shogi::Move played = world_.cluster->outcome()->move;
    ASSERT_TRUE(game_.current().is_legal(played));
    game_.moves.push_back(played);
    if (!over()) game_.moves.push_back(any_move());
  }

  // The opponent's last move is the one that was expected, or not.
  void ponder_and_move() {
    const shogi::Move actual = game_.moves.back();
    const bool hit = one_in(3);
    game_.moves.pop_back();
    game_.moves.push_back(hit ? actual : any_move());
    if (over()) {
      game_.moves.back() = actual;
      return move();
    }
    const Request asked = request(true);
    world_.begin(asked);
    world_.run(up_to(300));
    ASSERT_FALSE(world_.cluster->outcome()) << "nobody has asked yet";
    if (hit) {
      world_.cluster->ponderhit(world_.now, world_.now);
      const std::int64_t clock_began = world_.now;
      world_.pass();
      return take_move(asked.plan.maximum_ms(), clock_began);
    }
    world_.cluster->stop(world_.now);
    ASSERT_TRUE(world_.cluster->outcome()) << "at once";
    game_.moves.back() = actual;
    if (one_in(4)) world_.cluster->rest(world_.now);
    move();
  }

  std::mt19937_64 random_;
  World world_;
  usi::Game game_;
};

TEST(ClusterGames, NoFlagFallsAndEveryMoveIsLegalWhateverNodesDo) {
  for (std::uint64_t seed = 1; seed <= kGames; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomGame(seed).play();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace fuhyo::cluster
