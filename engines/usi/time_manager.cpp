#include "engines/usi/time_manager.h"

#include <algorithm>

namespace fuhyo::usi {
namespace {

constexpr std::string_view kNetworkDelay = "NetworkDelay";
constexpr std::string_view kNetworkDelay2 = "NetworkDelay2";
constexpr std::string_view kMinimumThinkingTime = "MinimumThinkingTime";
constexpr std::string_view kSlowMover = "SlowMover";
constexpr std::string_view kMaxMovesToDraw = "MaxMovesToDraw";
constexpr std::string_view kRoundUpToFullSecond = "RoundUpToFullSecond";
constexpr std::int64_t kEnoughForMatesMs = 40;

// Own moves still to be made, for dealing out the main time. Shogi games between programs last 100 to 200 plies, and
// the middle game, around ply 40 to 80, deserves the most. Without byoyomi and increment nothing comes back: be
// thrifty.
std::int64_t moves_to_go(const GoLimits& limits, shogi::Color us, int ply, const TimeOptions& options) {
  const bool sudden_death = limits.byoyomi_ms == 0 && limits.inc_ms[us] == 0;
  std::int64_t plies = 160 - std::clamp(ply, 0, 80) + (sudden_death ? 40 : 0);
  if (options.max_moves > 0) plies = std::min(plies, std::max<std::int64_t>(options.max_moves - ply, 1));
  return std::max<std::int64_t>((plies + 1) / 2, 1);
}

// What may be spent on this move in all, kept clear of the flag. A budget smaller than the delay still buys half of
// itself: moving at once would be no safer against a delay that long.
std::int64_t ceiling(std::int64_t budget, const TimeOptions& options) {
  return std::max<std::int64_t>(budget - std::min(options.network_delay2_ms, budget / 2), 1);
}

// How many shares of its time a hard position may take: fewer on a short clock to which nothing is ever added.
std::int64_t most_shares_percent(const GoLimits& limits, shogi::Color us) {
  const bool sudden_death = limits.byoyomi_ms == 0 && limits.inc_ms[us] == 0;
  return sudden_death ? std::clamp<std::int64_t>(limits.time_ms[us] * 100 / 60'000, 150, 400) : 400;
}

bool is_on(const OptionTable& table, std::string_view name) {
  const OptionTable::Option* const option = table.find(name);
  return option != nullptr && option->value == "true";
}

}  // namespace

void add_time_options(OptionTable& table) {
  const TimeOptions initial;
  table.add_spin(std::string(kNetworkDelay), initial.network_delay_ms, 0, 10'000,
                 {"milliseconds that a move takes to the server: whole seconds are cut by so much",
                  "指し手がサーバーに届くまでの平均の遅れ(ミリ秒)。秒の切れ目をこの分だけ早める"});
  table.add_spin(std::string(kNetworkDelay2), initial.network_delay2_ms, 0, 10'000,
                 {"milliseconds that it may take at worst: the flag is kept away by so much",
                  "遅れの最大値(ミリ秒)。時間切れまでにこの分だけ余裕をとる"});
  table.add_spin(
      std::string(kMinimumThinkingTime), initial.minimum_thinking_ms, 0, 100'000,
      {"milliseconds to think at least, where the clock allows it", "最小思考時間(ミリ秒)。残り時間が許す限り守る"});
  table.add_spin(std::string(kSlowMover), initial.slow_mover, 1, 1'000,
                 {"per cent of the time that would be spent on a move", "思考時間の割合(%)"});
  table.add_spin(std::string(kMaxMovesToDraw), initial.max_moves, 0, 100'000,
                 {"the game is a draw after so many moves; 0: no limit", "引き分けになる手数。0なら無制限"});
  table.add_check(std::string(kRoundUpToFullSecond), initial.whole_seconds,
                  {"the server charges whole seconds rounded down, so think to the end of each",
                   "秒未満を切り捨てるサーバーのため、秒の終わりまで考える"});
}

TimeOptions time_options(const OptionTable& table) {
  return {.network_delay_ms = table.spin(kNetworkDelay),
          .network_delay2_ms = table.spin(kNetworkDelay2),
          .minimum_thinking_ms = table.spin(kMinimumThinkingTime),
          .slow_mover = table.spin(kSlowMover),
          .max_moves = table.spin(kMaxMovesToDraw),
          .whole_seconds = table.check(kRoundUpToFullSecond),
          .ponder = is_on(table, "USI_Ponder") && !is_on(table, "Stochastic_Ponder")};
}

TimePlan TimePlan::unlimited() { return TimePlan(); }

TimePlan TimePlan::make(const GoLimits& limits, shogi::Color us, int ply, const TimeOptions& options) {
  TimePlan plan;
  if (limits.movetime_ms) {
    // An order, not a budget: neither rounded nor stretched.
    plan.limited_ = true;
    plan.optimum_ms_ = plan.maximum_ms_ = std::max<std::int64_t>(*limits.movetime_ms, 1);
    plan.minimum_ms_ = plan.maximum_ms_;
    return plan;
  }
  if (!limits.timed || limits.infinite) return plan;

  const std::int64_t main = limits.time_ms[us];
  const std::int64_t every_move = limits.byoyomi_ms + limits.inc_ms[us];
  const std::int64_t most = ceiling(main + every_move, options);
  // Every hit saves a move's time: it may be spent beforehand.
  const std::int64_t of_main = main / moves_to_go(limits, us, ply, options) * (options.ponder ? 125 : 100) / 100;
  const std::int64_t share = of_main + every_move;

  plan.limited_ = true;
  plan.whole_seconds_ = options.whole_seconds;
  plan.network_delay_ms_ = options.network_delay_ms;
  plan.optimum_ms_ = std::clamp<std::int64_t>(share * options.slow_mover / 100, 1, most);
  // A hard position may take several shares, but never so much of the main time that the rest of the game starves.
  plan.maximum_ms_ = std::min({most, plan.optimum_ms_ * most_shares_percent(limits, us) / 100,
                               std::max(plan.optimum_ms_, main * 3 / 10 + every_move)});
  // Byoyomi that is not used is lost: once the main time is nearly gone, every move takes all there is.
  if (limits.byoyomi_ms > 0 && main < limits.byoyomi_ms * 12 / 10) {
    plan.optimum_ms_ = std::clamp<std::int64_t>(most * options.slow_mover / 100, 1, most);
    plan.maximum_ms_ = most;
  }
  // A minimum that the clock cannot pay for would eat it up; a first second is free where seconds are rounded down.
  const std::int64_t affordable = std::max<std::int64_t>(plan.optimum_ms_, options.whole_seconds ? 1'000 : 1);
  plan.minimum_ms_ = std::min({options.minimum_thinking_ms, affordable, most});
  // The ceiling of thinking is rounded up as well: the seconds begun are charged anyway.
  plan.maximum_ms_ = std::max(plan.maximum_ms_, plan.minimum_ms_);
  if (plan.whole_seconds_) {
    const std::int64_t rounded =
        (plan.maximum_ms_ + plan.network_delay_ms_ + 999) / 1000 * 1000 - plan.network_delay_ms_;
    plan.maximum_ms_ = std::min(most, std::max(rounded, plan.maximum_ms_));
  }
  return plan;
}

std::int64_t TimePlan::for_mates_ms(std::int64_t parts) const {
  const std::int64_t share = optimum_ms_ / parts;
  return std::max(share, std::min(2 * share, kEnoughForMatesMs));
}

std::int64_t TimePlan::stop_at_ms(std::int64_t elapsed_ms) const {
  std::int64_t at = std::max(elapsed_ms, minimum_ms_);
  // The end of the second in which the answer would arrive: at + delay is when the server stamps it.
  if (whole_seconds_) {
    // A minimum of exactly one second means "the first second", which ends one delay before it.
    const std::int64_t arrival = std::max(elapsed_ms + network_delay_ms_, minimum_ms_);
    at = (std::max<std::int64_t>(arrival, 1) + 999) / 1000 * 1000 - network_delay_ms_;
  }
  return std::min(at, maximum_ms_);
}

}  // namespace fuhyo::usi
