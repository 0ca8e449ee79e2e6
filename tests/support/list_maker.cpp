#include "tests/support/list_maker.h"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <vector>

#include "tests/sim/rng.h"

namespace fuhyo::test {
namespace {

constexpr std::int64_t kEnd_s = 1'767'225'600;  // 2026-01-01 00:00:00 UTC
constexpr std::int64_t kDay_s = 86'400;

class Dice : sim::Rng {
 public:
  explicit Dice(std::uint64_t seed) : Rng(seed) {}
  std::uint64_t bits() { return next(); }
  int below(int n) { return static_cast<int>(Rng::below(static_cast<std::size_t>(n))); }
  bool one_in(int n) { return below(n) == 0; }
};

struct Player {
  std::string name, trip;
  int strength = 0;  // wins against another one in proportion to it
  int club = 0;
  bool rare = false;
};

std::string local_time(std::int64_t utc_s) {
  using namespace std::chrono;
  const sys_seconds at{seconds(utc_s)};
  const year_month_day day(floor<days>(at));
  const hh_mm_ss time(at - floor<days>(at));
  return fmt::format("{:04}/{:02}/{:02} {:02}:{:02}:{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

class ListMaker {
 public:
  explicit ListMaker(const ListPlan& plan) : plan_(plan), dice_(plan.seed) {
    for (int i = 0; i < plan.players; ++i) enrol(i);
  }

  std::string make() {
    for (int game = 0; game < plan_.games; ++game) {
      // More and more games a day.
      const std::int64_t left = plan_.games - game, all = plan_.games;
      const std::int64_t at = kEnd_s - plan_.days * kDay_s * left / all * left / all + dice_.below(600) - 601;
      const std::string line = play(game, at);
      text_ += line;
      if (dice_.one_in(500)) text_ += line;
    }
    text_ += fmt::format("{}\ttoryo\twin\tcut\n", local_time(kEnd_s - 1));
    text_ += play(plan_.games, kEnd_s + kDay_s);
    return std::move(text_);
  }

 private:
  void enrol(int i) {
    Player player;
    player.name = fmt::format("player{:03}", i);
    player.trip = fmt::format("{:016x}{:016x}", dice_.bits(), dice_.bits());
    player.strength = 40 + dice_.below(60) + (dice_.one_in(3) ? dice_.below(900) : 0);
    player.club = i < plan_.players / 2 || plan_.clubs == 1 ? 0 : 1 + i % (plan_.clubs - 1);
    player.rare = dice_.one_in(12);
    if (dice_.one_in(40)) player.name += "@NORATE";
    players_.push_back(std::move(player));
  }

  const Player& someone() {
    for (;;) {
      const Player& player = players_[static_cast<std::size_t>(dice_.below(plan_.players))];
      if (!player.rare || dice_.one_in(20)) return player;
    }
  }

  std::string id(const Player& player) {
    const bool away = dice_.one_in(15) && !player.name.contains('@');
    return fmt::format("{}{}+{}", player.name, away ? "@home" : "", player.trip);
  }

  std::string play(int number, std::int64_t at) {
    const Player& black = someone();
    const Player* white = &someone();
    while (white->club != black.club || (white == &black && !dice_.one_in(50))) white = &someone();
    const bool black_wins = dice_.below(black.strength + white->strength) < black.strength;
    std::string_view kind = "toryo";
    std::array<std::string_view, 2> marks = {black_wins ? "win" : "lose", black_wins ? "lose" : "win"};
    if (dice_.one_in(16)) {
      kind = dice_.one_in(2) ? "sennichite" : "max_moves";
      marks = {"draw", "draw"};
    } else if (dice_.one_in(14)) {
      kind = "abnormal";
    } else if (dice_.one_in(10)) {
      kind = "time up";
    }
    const int plies = kind == "abnormal" ? 10 + dice_.below(45) : 40 + dice_.below(150);
    const std::string black_id = id(black), white_id = id(*white);
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}/{}.csa\t{}\n", local_time(at), kind, marks[0], black_id, white_id,
                       marks[1], plan_.folder, number, plies);
  }

  const ListPlan plan_;
  Dice dice_;
  std::vector<Player> players_;
  std::string text_;
};

}  // namespace

std::string make_list(const ListPlan& plan) { return ListMaker(plan).make(); }

ListPlan small_list() { return {.seed = 11, .games = 200, .players = 9, .clubs = 1, .days = 120}; }
ListPlan middle_list() { return {.seed = 12, .games = 3'000, .players = 40, .clubs = 3, .days = 900}; }
ListPlan large_list() { return {.seed = 13, .games = 20'000, .players = 260, .clubs = 5, .days = 900}; }
ListPlan huge_list() { return {.seed = 14, .games = 100'000, .players = 500, .clubs = 2, .days = 700}; }

}  // namespace fuhyo::test
