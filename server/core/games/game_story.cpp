#include "server/core/games/game_story.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include "server/core/record_text.h"

namespace fuhyo::core {
namespace {

bool is_shown(const GameNote& note, NotesShown shown) {
  if (note.kind == GameNote::Kind::comment) return shown.comments;
  return shown.others && (shown.comments || note.kind == GameNote::Kind::server || !is_deferred(note.text));
}

}  // namespace

void GameStory::add(const MoveMade& made) {
  moves.push_back(made.csa + ",T" + std::to_string(made.spent_s));
  if (made.comment.empty()) return;
  notes.push_back(
      {.ply = static_cast<std::int32_t>(moves.size()), .kind = GameNote::Kind::comment, .text = made.comment});
}

void GameStory::apply(const Fact& fact) {
  const auto add_note = [this](GameNote::Kind kind, std::string text) {
    notes.push_back({.ply = static_cast<std::int32_t>(moves.size()), .kind = kind, .text = std::move(text)});
  };
  if (const auto* fact_started = std::get_if<GameStarted>(&fact)) {
    started = fact_started->at;
    phase.start();
  }
  if (const auto* made = std::get_if<MoveMade>(&fact)) add(*made);
  if (const auto* said = std::get_if<CommentAdded>(&fact)) {
    notes.insert(std::ranges::upper_bound(notes, said->ply, {}, &GameNote::ply),
                 {.ply = said->ply, .kind = GameNote::Kind::comment, .text = said->comment});
  }
  if (std::holds_alternative<GamePaused>(fact)) phase.pause();
  if (std::holds_alternative<GameResumed>(fact)) phase.resume();
  if (std::holds_alternative<GameSuspended>(fact)) phase.suspend();
  if (std::holds_alternative<GameContinued>(fact)) phase.go_on();
  if (const auto* note = std::get_if<RecordNote>(&fact)) add_note(GameNote::Kind::line, note->text);
  if (auto said = server_note(fact)) add_note(GameNote::Kind::server, std::move(*said));
  if (const auto* fact_ended = std::get_if<GameEnded>(&fact)) ended = *fact_ended;
}

std::string GameStory::comments_on(std::int32_t ply) const {
  std::string all;
  for (const GameNote& note : std::ranges::equal_range(notes, ply, {}, &GameNote::ply)) {
    if (note.kind != GameNote::Kind::comment) continue;
    if (!all.empty()) all += '\n';
    all += note.text;
  }
  return all;
}

MoveMade move_made(GameId game, std::string_view text) {
  const std::size_t comma = std::min(text.find(",T"), text.size());
  MoveMade move{.game = game, .csa = std::string(text.substr(0, comma))};
  if (comma < text.size()) std::from_chars(text.data() + comma + 2, text.data() + text.size(), move.spent_s);
  return move;
}

std::string record_text(const GameStory& game, NotesShown shown) {
  std::string text = record_head(game.opened);
  auto note = game.notes.begin();
  const auto add_notes_upto = [&](std::size_t ply) {
    for (; note != game.notes.end() && static_cast<std::size_t>(note->ply) <= ply; ++note) {
      if (!is_shown(*note, shown)) continue;
      text +=
          note->kind == GameNote::Kind::line ? record_note({game.opened.game, note->text}) : record_comment(note->text);
    }
  };
  add_notes_upto(game.opened.preset_moves.size());
  for (std::size_t i = game.opened.preset_moves.size(); i < game.moves.size(); ++i) {
    text += record_move(move_made(game.opened.game, game.moves[i]));
    add_notes_upto(i + 1);
  }
  add_notes_upto(SIZE_MAX);
  if (game.ended) text += record_end(game.opened, *game.ended);
  return text;
}

}  // namespace fuhyo::core
