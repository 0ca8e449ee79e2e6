// Enumerations and the words for them, once for both directions. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "server/core/tournament/event.h"

namespace fuhyo::core::tournament {

template <class Enum>
using Words = std::span<const std::pair<Enum, std::string_view>>;

template <class Enum, std::size_t n>
constexpr std::string_view word_of(const std::pair<Enum, std::string_view> (&words)[n], Enum value) {
  for (const auto& [each, word] : words) {
    if (each == value) return word;
  }
  return "";
}

template <class Enum>
std::optional<Enum> value_of(Words<Enum> words, std::string_view text) {
  for (const auto& [each, word] : words) {
    if (word == text) return each;
  }
  return std::nullopt;
}

inline constexpr std::pair<DrawRule, std::string_view> kDrawRules[] = {{DrawRule::score, "score"},
                                                                       {DrawRule::replay, "replay"}};
inline constexpr std::pair<Decider, std::string_view> kDeciders[] = {{Decider::seed, "seed"}, {Decider::lot, "lot"}};
inline constexpr std::pair<WithdrawnGames, std::string_view> kWithdrawnGames[] = {{WithdrawnGames::forfeit, "forfeit"},
                                                                                  {WithdrawnGames::annul, "annul"}};
inline constexpr std::pair<PositionsBy, std::string_view> kPositionsBy[] = {
    {PositionsBy::round, "round"}, {PositionsBy::pairing, "pairing"}, {PositionsBy::lot, "lot"}};
inline constexpr std::pair<TieBreak, std::string_view> kTieBreaks[] = {{TieBreak::points, "points"},
                                                                       {TieBreak::direct, "direct"},
                                                                       {TieBreak::sonneborn_berger, "sonneborn-berger"},
                                                                       {TieBreak::buchholz, "buchholz"},
                                                                       {TieBreak::median, "median"},
                                                                       {TieBreak::beaten, "beaten"},
                                                                       {TieBreak::wins, "wins"},
                                                                       {TieBreak::wins_as_white, "wins-as-white"},
                                                                       {TieBreak::longest_run, "longest-run"},
                                                                       {TieBreak::faults, "faults"},
                                                                       {TieBreak::fewest_moves, "fewest-moves"},
                                                                       {TieBreak::lot, "lot"},
                                                                       {TieBreak::seed, "seed"},
                                                                       {TieBreak::reached, "reached"}};
inline constexpr std::pair<shogi::DeclarationRule, std::string_view> kDeclarations[] = {
    {shogi::DeclarationRule::POINTS_27, "27"}, {shogi::DeclarationRule::POINTS_27_H, "27-handicap"},
    {shogi::DeclarationRule::POINTS_24, "24"}, {shogi::DeclarationRule::POINTS_24_H, "24-handicap"},
    {shogi::DeclarationRule::TRY, "try"},      {shogi::DeclarationRule::NONE, "none"}};
inline constexpr std::pair<Rulebook, std::string_view> kRulebooks[] = {{Rulebook::official, "official"},
                                                                       {Rulebook::shogi_server, "shogi-server"}};

}  // namespace fuhyo::core::tournament
