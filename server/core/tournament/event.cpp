#include "server/core/tournament/event.h"

#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/words.h"

namespace fuhyo::core::tournament {

std::string_view to_string(Format format) { return rules_of(format).word; }
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

std::vector<TieBreak> usual_tie_breaks(Format format) { return rules_of(format).tie_breaks; }

int rounds_of(const DivisionSettings& settings, std::size_t members) {
  return members < 2 ? 0 : rules_of(settings).rounds(settings, members);
}

std::size_t least_members(const DivisionSettings& settings) { return rules_of(settings).least_members(settings); }

std::size_t boards_of(const DivisionSettings& settings, std::size_t members) {
  return members < 2 ? 0 : rules_of(settings).boards(settings, members);
}

}  // namespace fuhyo::core::tournament
