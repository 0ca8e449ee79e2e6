// The match: two members, DivisionSettings::rounds rounds.
#include <algorithm>
#include <cstdlib>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

// A match that one of the two can not lose any more.
bool cannot_be_caught(const Ledger& ledger) {
  const DivisionSettings& settings = *ledger.settings;
  if (!settings.stop_when_decided || ledger.rows.size() != 2) return false;
  const auto left = static_cast<std::int64_t>(settings.rounds - ledger.rounds) * settings.games;
  const std::int64_t swing =
      std::max(settings.scoring.win.milli, settings.scoring.forfeit_win.milli) - settings.scoring.loss.milli;
  const std::int64_t lead = ledger.rows[0].points.milli - ledger.rows[1].points.milli;
  return std::abs(lead) > left * swing;
}

std::expected<RoundPaired, NotYet> pair_two(const Field& field, floodgate::Draws&, Rematches) {
  RoundPaired paired = field.empty_round();
  const bool swapped = field.round % 2 == 0 && field.ledger.settings->games % 2 == 1;
  field.meet(paired, swapped ? 1 : 0, swapped ? 0 : 1);
  return paired;
}

}  // namespace

constinit const FormatRules formats::kMatch = {
    .word = "match",
    .name_en = "match",
    .name_ja = "番勝負",
    .keys = {"rounds", "stop-when-decided", "draws"},
    .tie_breaks = {TieBreak::points},
    .two_members = true,
    .boards = [](const DivisionSettings&, std::size_t) -> std::size_t { return 1; },
    .is_decided = cannot_be_caught,
    .pair = pair_two};

}  // namespace fuhyo::core::tournament
