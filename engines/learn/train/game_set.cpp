#include "engines/learn/train/game_set.h"

#include <fmt/format.h>
#include <memory>

#include "engines/learn/data/game_files.h"
#include "engines/shogi/number.h"

namespace fuhyo::learn {
namespace {

// "games=0.5"; without a number behind the last '=', all of it is the name.
std::expected<DataSet, std::string> parse(const std::string& text) {
  DataSet set{.name = text, .open = {}};
  const std::size_t mark = text.rfind('=');
  if (mark == std::string::npos) return set;
  const auto weight = shogi::number_of<double>(std::string_view(text).substr(mark + 1));
  if (!weight) return set;
  if (!(*weight >= 0 && *weight <= 1)) return std::unexpected(fmt::format("{}: a weight is from 0 to 1", text));
  set.name = text.substr(0, mark);
  set.weight = *weight;
  return set;
}

}  // namespace

std::expected<DataSet, std::string> game_set(const std::string& name) {
  auto set = parse(name);
  if (!set) return set;
  const std::vector names = {set->name};
  if (auto files = files_named(names, kGameFileEnd); !files) return std::unexpected(files.error());
  set->open = [names, checked = false]() mutable -> std::expected<GameStream, std::string> {
    auto files = GameFiles::open(names, checked ? record::MoveCheck::trusted : record::MoveCheck::legal);
    if (!files) return std::unexpected(files.error());
    checked = true;
    const auto shared = std::make_shared<GameFiles>(std::move(*files));
    return [shared] { return shared->next(); };
  };
  return set;
}

}  // namespace fuhyo::learn
