// The gauntlet: the first DivisionSettings::seeds members meet all the others. A schedule that hangs on no result.
#include <algorithm>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

// How many meet how many. At least one other is left.
struct Sides {
  Sides(const DivisionSettings& settings, std::size_t members)
      : seeds(std::min(static_cast<std::size_t>(settings.seeds), members - 1)), others(members - seeds) {}
  std::size_t few() const { return std::min(seeds, others); }
  std::size_t many() const { return std::max(seeds, others); }

  std::size_t seeds, others;
};

int rounds_of_sides(const DivisionSettings& settings, std::size_t members) {
  return static_cast<int>(Sides(settings, members).many()) * settings.cycles;
}

// In each round every seed meets the next of the others, who rest where there are more of them; the other way round
// where there are more seeds. Colours change from round to round, and from one cycle to the next.
std::expected<RoundPaired, NotYet> pair_sides(const Field& field, floodgate::Draws&, Rematches) {
  const std::size_t members = field.ledger.rows.size();
  const Sides sides(*field.ledger.settings, members);
  const bool few_are_seeds = sides.seeds <= sides.others;
  const auto cell = static_cast<std::size_t>(field.round - 1);
  RoundPaired paired = field.empty_round();
  std::vector<bool> plays(members);
  for (std::size_t i = 0; i < sides.few(); ++i) {
    const std::size_t against = (i + cell) % sides.many();
    const std::size_t seed = few_are_seeds ? i : against, other = sides.seeds + (few_are_seeds ? against : i);
    const bool seed_is_black = (i + cell + cell / sides.many() * (sides.many() + 1)) % 2 == 0;
    plays[seed] = plays[other] = true;
    field.meet(paired, seed_is_black ? seed : other, seed_is_black ? other : seed);
  }
  for (std::size_t place = 0; place < members; ++place) {
    if (!plays[place]) field.rest(paired, place);
  }
  return paired;
}

}  // namespace

constinit const FormatRules formats::kGauntlet = {
    .word = "gauntlet",
    .name_en = "gauntlet",
    .name_ja = "ガントレット",
    .keys = {"cycles", "seeds", "draws", "withdrawn"},
    .tie_breaks = {TieBreak::points, TieBreak::direct, TieBreak::sonneborn_berger, TieBreak::wins},
    .scheduled = true,
    .least_there = 1,
    .rounds = rounds_of_sides,
    .boards = [](const DivisionSettings& settings, std::size_t members) { return Sides(settings, members).few(); },
    .pair = pair_sides};

}  // namespace fuhyo::core::tournament
