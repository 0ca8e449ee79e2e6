#include "engines/learn/data/line_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "engines/learn/data/text_file.h"
#include "engines/match/opening_line.h"

namespace fuhyo::learn {

std::expected<LineTree, std::string> LineTree::read(const std::filesystem::path& file, int first_ply, int last_ply) {
  const auto text = read_text_file(file);
  if (!text) return std::unexpected(text.error());
  return parse(*text, file.string(), first_ply, last_ply);
}

std::expected<LineTree, std::string> LineTree::parse(std::string_view text, const std::string& name, int first_ply,
                                                     int last_ply) {
  LineTree tree;
  std::map<std::string, std::uint32_t> known;  // roots
  std::vector<Line> lines;
  std::size_t number = 0, bad = 0;
  std::string first_bad;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto opening = match::parse_opening(rest.substr(0, end), last_ply);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (!opening) {
      if (++bad == 1) first_bad = fmt::format("{}:{}: {}", name, number, opening.error());
    } else if (*opening) {
      const usi::Game& game = (*opening)->game;
      const auto [root, is_new] = known.emplace(game.start.sfen(), static_cast<std::uint32_t>(tree.roots_.size()));
      if (is_new) tree.roots_.push_back(game.start);
      lines.push_back({root->second, game.moves});
    }
  }
  if (bad > number / 100) {
    return std::unexpected(bad == 1 ? first_bad : fmt::format("{} (and {} more lines)", first_bad, bad - 1));
  }
  if (bad > 0) tree.remark_ = fmt::format("{} of {} lines left out; the first, {}", bad, number, first_bad);
  tree.add(std::move(lines), first_ply, last_ply);
  if (tree.branches_.empty()) {
    return std::unexpected(
        fmt::format("{}: no line has a position between {} and {} plies", name, first_ply, last_ply));
  }
  return tree;
}

void LineTree::add(std::vector<Line> lines, int first_ply, int last_ply) {
  // In the order of their moves, lines share with the one before them what they share with any.
  std::ranges::sort(lines);
  std::uint64_t positions = 0;
  const Line* before = nullptr;
  for (Line& line : lines) {
    int from = 0;
    if (before != nullptr && before->root == line.root) {
      from = 1 + static_cast<int>(std::ranges::mismatch(before->moves, line.moves).in2 - line.moves.begin());
    }
    before = &line;
    from = std::max(from, first_ply);
    const int to = std::min(static_cast<int>(line.moves.size()), last_ply);
    if (from > to) continue;
    positions += static_cast<std::uint64_t>(to - from + 1);
    branches_.push_back({from, positions, line});
  }
}

LinePosition LineTree::operator[](std::uint64_t index) const {
  const auto branch = std::ranges::upper_bound(branches_, index, {}, &Branch::end);
  const std::uint64_t before = branch == branches_.begin() ? 0 : std::prev(branch)->end;
  const std::size_t plies = static_cast<std::size_t>(branch->from) + static_cast<std::size_t>(index - before);
  return {roots_[branch->line.root], std::span(branch->line.moves).first(plies)};
}

}  // namespace fuhyo::learn
