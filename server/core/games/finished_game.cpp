#include "server/core/games/finished_game.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include "engines/shogi/number.h"
#include "server/core/rooms/rules.h"
#include "server/core/text_parts.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kWhiteTime = "white-time=", kDeclaration = "declaration=", kComments = "comments=",
                           kRules = "rules=";

constexpr char kComment = '*', kNote = '\'';  // sorts of notes

std::vector<GameNote> notes_of(std::string_view lines) {
  std::vector<GameNote> notes;
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    GameNote note;
    const auto ply = shogi::take_number<decltype(note.ply)>(line);
    if (!ply || line.size() < 3) continue;
    note.ply = *ply;
    note.kind = line[1] == kComment ? GameNote::Kind::comment : GameNote::Kind::line;
    note.text = line.substr(3);
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace

std::vector<std::string_view> moves_of(std::string_view moves) { return parts_of(moves, ' '); }

FinishedGame finished_game(GameStory story) {
  FinishedGame game{.opened = std::move(story.opened), .started = story.started, .ended = *std::move(story.ended)};
  game.moves = fmt::format("{}", fmt::join(story.moves, " "));
  for (const GameNote& note : story.notes) {
    const char sort = note.kind == GameNote::Kind::line ? kNote : kComment;
    game.notes += fmt::format("{} {} {}\n", note.ply, sort, note.text);
  }
  return game;
}

GameStory story_of(const FinishedGame& game) {
  GameStory story{.opened = game.opened, .started = game.started, .notes = notes_of(game.notes), .ended = game.ended};
  const auto moves = moves_of(game.moves);
  story.moves.assign(moves.begin(), moves.end());
  story.phase.start();
  return story;
}

std::string special_terms(const GameOpened& opened) {
  std::string terms;
  if (opened.white_time) terms = fmt::format("{}{}", kWhiteTime, time_text(*opened.white_time));
  const auto add = [&](std::string_view key, std::string_view word) {
    terms += fmt::format("{}{}{}", terms.empty() ? "" : " ", key, word);
  };
  if (opened.declaration != shogi::DeclarationRule::POINTS_27) {
    add(kDeclaration, tournament::to_string(opened.declaration));
  }
  if (opened.comments) add(kComments, to_string(*opened.comments));
  if (opened.rulebook != Rulebook::shogi_server) add(kRules, tournament::to_string(opened.rulebook));
  return terms;
}

void take_special_terms(GameOpened& opened, std::string_view terms) {
  while (!terms.empty()) {
    std::string_view word = terms.substr(0, terms.find(' '));
    terms.remove_prefix(std::min(terms.size(), word.size() + 1));
    if (word.starts_with(kDeclaration)) {
      const auto rule = tournament::parse_declaration(word.substr(kDeclaration.size()));
      opened.declaration = rule.value_or(opened.declaration);
    }
    if (word.starts_with(kRules)) {
      opened.rulebook = tournament::parse_rulebook(word.substr(kRules.size())).value_or(opened.rulebook);
    }
    if (word.starts_with(kComments)) opened.comments = comments_of(word.substr(kComments.size()));
    if (!word.starts_with(kWhiteTime)) continue;
    opened.white_time = read_time(word.substr(kWhiteTime.size()));
    if (opened.white_time) opened.white_time->least_s = opened.time.least_s;
  }
}

}  // namespace fuhyo::core
