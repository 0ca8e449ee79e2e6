#include "server/store/shogi_server/buoy_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/buoys/start_position.h"
#include "server/csa/game_name.h"
#include "server/store/shogi_server/ruby_yaml.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kLongestIdentifier = 64;  // more than any server allows
constexpr std::int64_t kMostGames = 1'000'000'000;

// A buoy, or fail() with what is wrong with it.
core::BuoySet take_buoy(const std::string& name, const YAML::Node& node, core::Wall at) {
  const auto game = csa::parse_game_name(name, kLongestIdentifier);
  if (!game || !game->is_buoy()) fail(node, fmt::format("'{}' is no name of a buoy", name));
  const std::int64_t count = yaml_integer(yaml_required(node, "count"), "count");
  if (count < 1 || count > kMostGames) fail(node, fmt::format("{}: {} games are left", name, count));
  const YAML::Node moves = yaml_required(node, "moves");
  auto position = core::read_buoy_moves(moves.IsScalar() ? moves.Scalar() : std::string());
  if (!position) fail(moves, fmt::format("{}: {}", name, position.error()));
  const YAML::Node owner = yaml_member(node, "owner");
  return {.name = name,
          .owner = owner.IsDefined() && owner.IsScalar() ? owner.Scalar() : std::string(),
          .count = static_cast<std::int32_t>(count),
          .start_sfen = std::move(position->sfen),
          .moves = std::move(position->moves),
          .at = at};
}

}  // namespace

std::expected<std::vector<core::BuoySet>, FileFault> read_buoys(std::string_view text, const std::string& file,
                                                                core::Wall at, std::vector<FileFault>& faults) {
  return read_yaml<std::vector<core::BuoySet>>(text, file, [&](const YAML::Node& root) {
    std::vector<core::BuoySet> buoys;
    if (root.IsNull()) return buoys;
    if (!root.IsMap()) fail(root, "has no buoys");
    for (const auto& entry : root) {
      try {
        buoys.push_back(take_buoy(yaml_text(entry.first, "the name of a buoy"), entry.second, at));
      } catch (const YamlFault& fault) {
        faults.push_back({file, static_cast<std::size_t>(std::max(fault.mark.line, -1) + 1), fault.msg});
      }
    }
    return buoys;
  });
}

}  // namespace fuhyo::store
