#include "server/core/tournament/event.h"

#include <algorithm>
#include <bit>

#include "server/core/tournament/words.h"

namespace fuhyo::core::tournament {
namespace {

// Members of a gauntlet whom everybody else meets; at least one other is left.
std::size_t seeds_of(const Terms& terms, std::size_t members) {
  return std::min(static_cast<std::size_t>(terms.seeds), members - 1);
}

}  // namespace

std::string_view to_string(Format format) { return word_of(kFormats, format); }
std::string_view to_string(DrawRule rule) { return word_of(kDrawRules, rule); }
std::string_view to_string(Decider decider) { return word_of(kDeciders, decider); }
std::string_view to_string(WithdrawnGames rule) { return word_of(kWithdrawnGames, rule); }
std::string_view to_string(PositionsBy by) { return word_of(kPositionsBy, by); }
std::string_view to_string(TieBreak tie_break) { return word_of(kTieBreaks, tie_break); }
std::string_view to_string(shogi::DeclarationRule rule) { return word_of(kDeclarations, rule); }
std::optional<shogi::DeclarationRule> parse_declaration(std::string_view word) {
  return value_of<shogi::DeclarationRule>(kDeclarations, word);
}
std::string_view to_string(Rulebook rulebook) { return word_of(kRulebooks, rulebook); }
std::optional<Rulebook> parse_rulebook(std::string_view word) { return value_of<Rulebook>(kRulebooks, word); }

std::vector<TieBreak> usual_tie_breaks(Format format) {
  switch (format) {
    case Format::swiss:
      return {TieBreak::points, TieBreak::buchholz, TieBreak::sonneborn_berger, TieBreak::median, TieBreak::direct};
    case Format::round_robin:
    case Format::gauntlet:
      return {TieBreak::points, TieBreak::direct, TieBreak::sonneborn_berger, TieBreak::wins};
    case Format::knock_out:
      return {TieBreak::reached};
    case Format::match:
    case Format::open:
      break;
  }
  return {TieBreak::points};
}

int rounds_of(const Terms& terms, std::size_t members) {
  if (members < 2) return 0;
  const auto count = static_cast<int>(members);
  switch (terms.format) {
    case Format::round_robin:
      return (count % 2 == 0 ? count - 1 : count) * terms.cycles;
    case Format::knock_out:
      return static_cast<int>(std::bit_width(members - 1));
    case Format::gauntlet: {
      const auto seeds = static_cast<int>(seeds_of(terms, members));
      return std::max(seeds, count - seeds) * terms.cycles;
    }
    case Format::swiss:
    case Format::match:
    case Format::open:
      break;
  }
  return terms.rounds;
}

// An odd number of members has as many rounds as members, each of them resting once.
std::size_t least_members(const Terms& terms) {
  if (terms.format != Format::swiss || terms.rematches) return 0;
  const auto rounds = static_cast<std::size_t>(terms.rounds);
  return std::max<std::size_t>(2, rounds % 2 == 0 ? rounds + 1 : rounds);
}

bool keeps_apart(Format format) {
  return format == Format::swiss || format == Format::open || format == Format::knock_out;
}

std::size_t boards_of(const Terms& terms, std::size_t members) {
  if (members < 2) return 0;
  if (terms.format == Format::gauntlet) {
    const std::size_t seeds = seeds_of(terms, members);
    return std::min(seeds, members - seeds);
  }
  if (terms.format == Format::match) return 1;
  return members / 2;
}

}  // namespace fuhyo::core::tournament
