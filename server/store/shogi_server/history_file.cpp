#include "server/store/shogi_server/history_file.h"

#include "server/core/record_text.h"
#include "server/store/shogi_server/ruby_yaml.h"

namespace fuhyo::store {
namespace {

using core::Outcome;

core::PastGame take_game(const YAML::Node& node) {
  core::PastGame game;
  game.csa_id = yaml_text(yaml_required(node, "game_id"), "game_id");
  game.game_name = core::game_name_of(game.csa_id);
  game.black_id = yaml_text(yaml_required(node, "black"), "black");
  game.white_id = yaml_text(yaml_required(node, "white"), "white");
  const YAML::Node winner = yaml_member(node, "winner");
  if (!winner.IsDefined() || winner.IsNull()) {
    game.outcome = Outcome::draw;
    return game;
  }
  const std::string id = yaml_text(winner, "winner");
  if (id != game.black_id && id != game.white_id) fail(winner, "the winner is neither black nor white");
  game.outcome = id == game.black_id ? Outcome::black_wins : Outcome::white_wins;
  return game;
}

std::vector<core::PastGame> take(const YAML::Node& root) {
  std::vector<core::PastGame> games;
  if (root.IsNull()) return games;
  if (!root.IsSequence()) fail(root, "is no list of games");
  for (const auto& node : root) games.push_back(take_game(node));
  return games;
}

}  // namespace

std::expected<std::vector<core::PastGame>, FileFault> read_floodgate_history(std::string_view text,
                                                                             const std::string& file) {
  return read_yaml<std::vector<core::PastGame>>(text, file, take);
}

}  // namespace fuhyo::store
