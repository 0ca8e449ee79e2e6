#include "engines/learn/generate/starts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "engines/learn/data/text_file.h"
#include "engines/match/opening_line.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::learn {
namespace {

// False: there is no legal move.
bool play_random_move(shogi::Position& position, Random& random) {
  const auto moves = shogi::legal_moves(position);
  if (moves.empty()) return false;
  position.do_move(moves[random.below(moves.size())]);
  return true;
}

}  // namespace

std::expected<Starts, std::string> Starts::read(const std::filesystem::path& file, const StartTerms& terms) {
  const auto text = read_text_file(file);
  if (!text) return std::unexpected(text.error());
  return parse(*text, file.string(), terms);
}

std::expected<Starts, std::string> Starts::parse(std::string_view text, const std::string& name,
                                                 const StartTerms& terms) {
  Starts starts(terms);
  std::map<std::string, std::uint32_t> known;  // roots
  std::vector<Line> lines;
  std::size_t number = 0, bad = 0;
  std::string first_bad;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto opening = match::parse_opening(rest.substr(0, end), terms.last_ply);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (!opening) {
      if (++bad == 1) first_bad = fmt::format("{}:{}: {}", name, number, opening.error());
    } else if (*opening) {
      const usi::Game& game = (*opening)->game;
      const auto [root, is_new] = known.emplace(game.start.sfen(), static_cast<std::uint32_t>(starts.roots_.size()));
      if (is_new) starts.roots_.push_back(game.start);
      lines.push_back({root->second, game.moves});
    }
  }
  if (bad > number / 100) {
    return std::unexpected(bad == 1 ? first_bad : fmt::format("{} (and {} more lines)", first_bad, bad - 1));
  }
  if (bad > 0) starts.remark_ = fmt::format("{} of {} lines left out; the first, {}", bad, number, first_bad);
  starts.add(std::move(lines));
  if (starts.branches_.empty()) {
    return std::unexpected(
        fmt::format("{}: no line has a position between {} and {} plies", name, terms.first_ply, terms.last_ply));
  }
  return starts;
}

void Starts::add(std::vector<Line> lines) {
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
    from = std::max(from, terms_.first_ply);
    const int to = std::min(static_cast<int>(line.moves.size()), terms_.last_ply);
    if (from > to) continue;
    positions += static_cast<std::uint64_t>(to - from + 1);
    branches_.push_back({from, positions, line});
  }
}

std::optional<shogi::Position> Starts::draw(Random& random) const {
  shogi::Position position;
  std::uint64_t moves = 0;
  if (branches_.empty()) {
    moves = static_cast<std::uint64_t>(terms_.first_ply) +
            random.below(static_cast<std::uint64_t>(terms_.last_ply - terms_.first_ply) + 1);
  } else {
    const std::uint64_t chosen = random.below(positions());
    const auto branch = std::ranges::upper_bound(branches_, chosen, {}, &Branch::end);
    const std::uint64_t before = branch == branches_.begin() ? 0 : std::prev(branch)->end;
    const int plies = branch->from + static_cast<int>(chosen - before);
    position = roots_[branch->line.root];
    for (int i = 0; i < plies; ++i) position.do_move(branch->line.moves[static_cast<std::size_t>(i)]);
  }
  moves += random.below(static_cast<std::uint64_t>(terms_.random_moves) + 1);
  for (; moves > 0; --moves) {
    if (!play_random_move(position, random)) return std::nullopt;
  }
  if (shogi::count_legal_moves(position) == 0) return std::nullopt;
  return position;
}

}  // namespace fuhyo::learn
