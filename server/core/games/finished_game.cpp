#include "server/core/games/finished_game.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "server/core/games/clock.h"
#include "server/core/games/game.h"
#include "server/core/record_text.h"
#include "server/core/rooms/rules.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kWhiteTime = "white-time=", kDeclaration = "declaration=", kComments = "comments=",
                           kRules = "rules=";

struct StoredNote {
  std::int32_t ply = 0;
  char sort = '\'';
  std::string_view text;
};

std::vector<StoredNote> notes_of(std::string_view lines) {
  std::vector<StoredNote> notes;
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    StoredNote note;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), note.ply);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (error != std::errc{} || line.size() < 3) continue;
    note.sort = line[1];
    note.text = line.substr(3);
    notes.push_back(note);
  }
  return notes;
}

MoveMade made(GameId game, std::size_t index, std::string_view text) {
  MoveMade move{.game = game, .ply = static_cast<std::int32_t>(index) + 1};
  const std::size_t comma = text.find(",T");
  move.csa = text.substr(0, comma);
  if (comma != std::string_view::npos) {
    std::from_chars(text.data() + comma + 2, text.data() + text.size(), move.spent_s);
  }
  return move;
}

}  // namespace

std::vector<std::string_view> moves_of(std::string_view moves) {
  std::vector<std::string_view> result;
  while (!moves.empty()) {
    const std::string_view move = moves.substr(0, moves.find(' '));
    moves.remove_prefix(std::min(moves.size(), move.size() + 1));
    if (!move.empty()) result.push_back(move);
  }
  return result;
}

LiveGame live_game(const FinishedGame& game) {
  const auto moves = moves_of(game.moves);
  const GameOpened& opened = game.opened;
  LiveView view(1);
  std::uint64_t seq = 0;
  view.apply({Seq{++seq}, opened});
  view.apply({Seq{++seq}, GameStarted{opened.game, game.started}});
  Clock clock = first_clock(opened);
  const auto notes = notes_of(game.notes);
  for (std::size_t i = opened.preset_moves.size(); i < moves.size(); ++i) {
    MoveMade move = made(opened.game, i, moves[i]);
    const shogi::Color side = move.csa.starts_with('-') ? shogi::WHITE : shogi::BLACK;
    clock.spend(side, move.spent_s);
    move.remaining_s = std::max(clock.remaining_s(side), 0);
    for (const StoredNote& note : notes) {
      if (note.ply != move.ply || note.sort != '*') continue;
      if (!move.comment.empty()) move.comment += '\n';
      move.comment += note.text;
    }
    view.apply({Seq{++seq}, std::move(move)});
  }
  view.apply({Seq{++seq}, game.ended});
  return view.games().at(opened.game);
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

std::string record_text(const FinishedGame& game) {
  const auto moves = moves_of(game.moves);
  const GameOpened& opened = game.opened;
  const auto notes = notes_of(game.notes);
  auto note = notes.begin();
  std::string text = record_head(opened);
  const auto write_notes_upto = [&](std::size_t ply) {
    for (; note != notes.end() && static_cast<std::size_t>(note->ply) <= ply; ++note) {
      text += record_note({opened.game, (note->sort == '*' ? "*" : "") + std::string(note->text)});
    }
  };
  write_notes_upto(opened.preset_moves.size());
  for (std::size_t i = opened.preset_moves.size(); i < moves.size(); ++i) {
    text += record_move(made(opened.game, i, moves[i]));
    write_notes_upto(i + 1);
  }
  write_notes_upto(SIZE_MAX);
  return text + record_end(opened, game.ended);
}

std::string record_text(const LiveGame& game, bool comments) {
  std::string text = record_head(game.opened);
  for (std::size_t i = game.opened.preset_moves.size(); i < game.moves.size(); ++i) {
    const LiveMove& move = game.moves[i];
    text += record_move(
        {.game = game.opened.game, .csa = move.csa, .spent_s = move.spent_s, .comment = comments ? move.comment : ""});
  }
  if (game.ended) text += record_end(game.opened, *game.ended);
  return text;
}

}  // namespace fuhyo::core
