#include "engines/match/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engines/match/ladder.h"
#include "engines/match/statistics/estimate.h"
#include "engines/record/counted.h"

namespace fuhyo::match {
namespace {

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string counts_text(const GameCounts& counts) {
  return fmt::format("+{} ={} -{}", counts.wins, counts.draws, counts.losses);
}

double score_of(const GameCounts& counts) {
  if (counts.games() == 0) return 0;
  return (static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2) /
         static_cast<double>(counts.games());
}

// "+12.3 [-4, +29]", "> +120", "unknown".
std::string measured_text(const Measured& elo) {
  if (elo.value && elo.low && elo.high)
    return fmt::format("{:+.1f} [{:+.0f}, {:+.0f}]", *elo.value, *elo.low, *elo.high);
  if (elo.low) return fmt::format("> {:+.0f}", *elo.low);
  if (elo.high) return fmt::format("< {:+.0f}", *elo.high);
  return elo.value ? fmt::format("{:+.1f}", *elo.value) : "unknown";
}

bool by_pairs(const Meeting& meeting) { return meeting.pairs.pairs() > 0; }

Estimate estimate_of(const Meeting& meeting) {
  return by_pairs(meeting) ? estimate(meeting.pairs) : estimate(meeting.games);
}

std::string meeting_text(const Meeting& meeting) {
  const Estimate found = estimate_of(meeting);
  std::string out = fmt::format("{}  {:.1f}%  Elo {}  nElo {}  LOS {:.1f}%", counts_text(meeting.games),
                                100 * score_of(meeting.games), measured_text(found.elo),
                                measured_text(found.normalised_elo), 100 * found.superiority);
  if (by_pairs(meeting)) out += fmt::format("  pairs [{}]", fmt::join(meeting.pairs.of, " "));
  return out;
}

std::string test_text(const Match& match) {
  const Sprt& test = *match.plan().sprt;
  const double ratio = *match.log_likelihood_ratio();
  std::string out = fmt::format("LLR {:.2f} ({:.2f}, {:.2f}) of {} Elo [{:g}, {:g}]", ratio, test.lower(), test.upper(),
                                to_string(test.scale), test.elo0, test.elo1);
  const Verdict said = verdict(test, ratio);
  if (said != Verdict::undecided) out += fmt::format(": {} accepted", to_string(said));
  return out;
}

std::string pace_text(const Match& match, const Pace& pace) {
  const std::int64_t left = match.schedule().games() - match.standings().games();
  if (pace.played == 0 || pace.seconds <= 0) return {};
  const double rate = static_cast<double>(pace.played) / pace.seconds;
  const std::string eta = left > 0 ? fmt::format(", {} left", duration_text(static_cast<double>(left) / rate)) : "";
  return fmt::format("{:.2f} games/s{}", rate, eta);
}

const std::string& name_of(const Match& match, int engine) {
  return match.plan().engines[static_cast<std::size_t>(engine)].name;
}

std::string pool_table(const Match& match) {
  const auto& engines = match.standings().engines();
  std::vector<int> order(engines.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int a, int b) {
    const double first = score_of(engines[static_cast<std::size_t>(a)].counts);
    const double second = score_of(engines[static_cast<std::size_t>(b)].counts);
    return first != second ? first > second : a < b;
  });
  std::string out =
      fmt::format("{:<32} {:>7} {:>7} {:>6} {:>6} {:>6}\n", "engine", "games", "score", "win", "draw", "loss");
  for (const int engine : order) {
    const GameCounts& counts = engines[static_cast<std::size_t>(engine)].counts;
    out += fmt::format("{:<32} {:>7} {:>6.1f}% {:>6} {:>6} {:>6}\n", name_of(match, engine), counts.games(),
                       100 * score_of(counts), counts.wins, counts.draws, counts.losses);
  }
  return out;
}

// By ratings, or by scores as long as there are none.
std::string table(const Match& match) {
  const auto rated = rate_engines(match.plan().engines, match.standings());
  return rated ? to_table(*rated) : pool_table(match) + fmt::format("No ratings: {}\n", rated.error());
}

double ratio_of(std::int64_t sum, std::int64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

std::string engine_text(const EngineRecord& record) {
  std::string out = fmt::format("{}, {:.2f} ms each", record::counted(record.moves, "move"),
                                ratio_of(record.spent_us, record.moves) / 1000);
  if (record.told_depths > 0) out += fmt::format(", depth {:.1f}", ratio_of(record.depths, record.told_depths));
  if (record.told_nodes > 0) {
    out += fmt::format(", {:.0f} nodes, {:.0f} nodes/s", ratio_of(record.nodes, record.told_nodes),
                       1e6 * ratio_of(record.nodes, record.nodes_us));
  }
  if (record.worst_over_us != INT64_MIN) {
    const double left_ms = -static_cast<double>(record.worst_over_us) / 1000;
    out += left_ms < 0 ? fmt::format(", {:.1f} ms over the time at worst", -left_ms)
                       : fmt::format(", always {:.1f} ms or more left", left_ms);
  }
  out += fmt::format("; as Black {}, as White {}", counts_text(record.by_color[0]), counts_text(record.by_color[1]));
  if (record.faults() == 0) return out;
  return out + fmt::format("; FAULTS: {} crashes, {} hangs, {} illegal moves, {} false declarations, {} losses on time",
                           record.crashes, record.hangs, record.illegal_moves, record.false_declarations,
                           record.time_losses);
}

}  // namespace

std::string progress_line(const Match& match, const Pace& pace) {
  const Standings& standings = match.standings();
  std::string out = fmt::format("{}/{}", standings.games(), match.schedule().games());
  if (match.plan().engines.size() == 2 && !standings.meetings().empty()) {
    out += "  " + meeting_text(standings.meetings().begin()->second);
    if (match.plan().sprt) out += "  " + test_text(match);
  }
  std::int64_t faults = 0;
  for (const EngineRecord& record : standings.engines()) faults += record.faults();
  if (faults > 0) out += fmt::format("  {} FAULTS", faults);
  if (standings.repeats() > 0) out += fmt::format("  {} COPIES", standings.repeats());
  return out + "  " + pace_text(match, pace);
}

std::string copies_text(const std::string& those, std::int64_t count) {
  return those + (count == 1 ? " is a COPY of an earlier one, move by move, and does not count"
                             : " are COPIES of earlier ones, move by move, and do not count");
}

std::string final_report(const Match& match, const Pace& pace) {
  const Standings& standings = match.standings();
  std::string out;
  const auto& engines = match.plan().engines;
  const bool ladder = std::ranges::any_of(engines, [](const Contestant& engine) { return engine.rating.has_value(); });
  if (engines.size() > 2 || ladder) out += table(match) + "\n";
  for (const auto& [who, meeting] : standings.meetings()) {
    out += fmt::format("{} against {}: {}\n", name_of(match, who.first), name_of(match, who.second),
                       meeting_text(meeting));
  }
  if (match.plan().sprt) out += test_text(match) + "\n";
  for (std::size_t i = 0; i < standings.engines().size(); ++i) {
    out += fmt::format("{}: {}\n", name_of(match, static_cast<int>(i)), engine_text(standings.engines()[i]));
  }
  const std::int64_t games = standings.games(), counted = games - standings.repeats();
  out += fmt::format("{}: Black won {:.1f}%, {:.1f}% drawn, {:.1f} plies each", record::counted(games, "game"),
                     100 * ratio_of(standings.black_wins(), counted), 100 * ratio_of(standings.draws(), counted),
                     ratio_of(standings.plies(), games));
  if (standings.repeats() > 0) {
    out += "; " + copies_text(std::to_string(standings.repeats()), standings.repeats());
  }
  out += "\n";
  std::vector<std::string> ends;
  for (const auto& [ending, count] : standings.endings())
    ends.push_back(fmt::format("{} {}", to_string(ending), count));
  out += fmt::format("ended by {}\n", fmt::join(ends, ", "));
  if (pace.played > 0) {
    out += fmt::format("{} in {} ({:.2f} games/s)\n", record::counted(pace.played, "game"), duration_text(pace.seconds),
                       static_cast<double>(pace.played) / pace.seconds);
  }
  return out;
}

}  // namespace fuhyo::match
