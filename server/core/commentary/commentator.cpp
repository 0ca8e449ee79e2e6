#include "server/core/commentary/commentator.h"

namespace fuhyo::core {

std::vector<Told> commentary_of(const GameStory& game, bool comments, Commentator& commentator, std::size_t ply) {
  std::vector<Told> told = commentary_of(game, comments, ply);
  say_instead(told, commentator.said(game.opened.game));
  return told;
}

}  // namespace fuhyo::core
