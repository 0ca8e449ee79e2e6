// A month of floodgate rounds, every half an hour, 60 players who come and go: what `matching` makes of them and,
// beside it, shogi-server's least-difference pairing. The figures are the same on every machine.
//   bench_floodgate_month [DAYS [PLAYERS [SEEDS]]]
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <string>

#include "tests/sim/floodgate/month.h"

namespace {

using fuhyo::core::floodgate::Method;
using fuhyo::sim::MonthCount;

MonthCount run(Method method, int days, int players, int seeds) {
  MonthCount sum;
  for (int seed = 1; seed <= seeds; ++seed) {
    const MonthCount one = fuhyo::sim::run_month({method, days, players, static_cast<std::uint64_t>(seed)});
    for (int MonthCount::* field :
         {&MonthCount::rounds, &MonthCount::empty_rounds, &MonthCount::pairs, &MonthCount::games, &MonthCount::sit_outs,
          &MonthCount::not_agreed, &MonthCount::broken_off, &MonthCount::late_rounds, &MonthCount::same_again,
          &MonthCount::same_again_avoidable, &MonthCount::same_as_last, &MonthCount::one_owner, &MonthCount::made_good,
          &MonthCount::rated_pairs}) {
      sum.*field += one.*field;
    }
    sum.difference += one.difference;
    sum.players_in_rounds += one.players_in_rounds;
    std::ranges::transform(sum.balance, one.balance, sum.balance.begin(), std::plus{});
    sum.sat_out_of_100.insert(sum.sat_out_of_100.end(), one.sat_out_of_100.begin(), one.sat_out_of_100.end());
  }
  return sum;
}

int most(const std::vector<int>& values) { return values.empty() ? 0 : *std::ranges::max_element(values); }
int farthest(const MonthCount& count) {
  const auto last = std::find_if(count.balance.rbegin(), count.balance.rend(), [](int players) { return players > 0; });
  return static_cast<int>(count.balance.rend() - last) - 1;
}

void row(const char* name, const std::string& ours, const std::string& theirs) {
  fmt::print("| {:<52} | {:>9} | {:>18} |\n", name, ours, theirs);
}
void row(const char* name, const MonthCount& ours, const MonthCount& theirs, int MonthCount::* field) {
  row(name, std::to_string(ours.*field), std::to_string(theirs.*field));
}

void print(const MonthCount& ours, const MonthCount& theirs) {
  row("", "matching", "least_diff_pairing");
  row("---", "---:", "---:");
  row("rounds", ours, theirs, &MonthCount::rounds);
  row("started more than a second from their time", ours, theirs, &MonthCount::late_rounds);
  const auto per_round = [](const MonthCount& c) {
    return fmt::format("{:.1f}", double(c.players_in_rounds) / c.rounds);
  };
  row("players waiting at a round, mean", per_round(ours), per_round(theirs));
  row("pairs", ours, theirs, &MonthCount::pairs);
  row("of them not agreed to", ours, theirs, &MonthCount::not_agreed);
  row("of them broken off", ours, theirs, &MonthCount::broken_off);
  row("pairs that met in the round before", ours, theirs, &MonthCount::same_again);
  row("rounds with such a pair that could do without", ours, theirs, &MonthCount::same_again_avoidable);
  row("pairs where one's last game was against the other", ours, theirs, &MonthCount::same_as_last);
  row("pairs of one owner", ours, theirs, &MonthCount::one_owner);
  const auto points = [](const MonthCount& c) { return fmt::format("{:.0f}", c.mean_difference()); };
  row("games that rounds owed, made good", ours, theirs, &MonthCount::made_good);
  row("difference in rating, mean", points(ours), points(theirs));
  for (const int limit : {0, 1, 2}) {
    const auto share = [limit](const MonthCount& c) { return fmt::format("{:.2f}%", 100 * c.within(limit)); };
    row(fmt::format("player-rounds with Black within {} of White", limit).c_str(), share(ours), share(theirs));
  }
  const auto far = [](const MonthCount& c) { return fmt::format("{}{}", farthest(c), farthest(c) == 7 ? "+" : ""); };
  row("most games with one colour beyond the other", far(ours), far(theirs));
  row("sit-outs", ours, theirs, &MonthCount::sit_outs);
  const auto unlucky = [](const MonthCount& c) { return fmt::format("{}%", most(c.sat_out_of_100)); };
  row("rounds that the unluckiest player sat out", unlucky(ours), unlucky(theirs));
}

}  // namespace

int main(int argc, char** argv) {
  const auto given = [&](int at, int otherwise) { return argc > at ? std::max(1, std::atoi(argv[at])) : otherwise; };
  const int days = given(1, 31), players = given(2, 60), seeds = given(3, 1);
  print(run(Method::matching, days, players, seeds), run(Method::least_diff_pairing, days, players, seeds));
}
