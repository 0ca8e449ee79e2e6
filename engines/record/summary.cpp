#include "engines/record/summary.h"

#include <utility>

#include "engines/record/lines.h"

namespace fuhyo::record {
namespace {

struct Side {
  std::string_view name, mark;
};

// "name win"
Side side_of(std::string_view text) {
  text = trim(text);
  const std::size_t blank = text.rfind(' ');
  if (blank == std::string_view::npos) return {"", text};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

SummaryResult result_of(std::string_view black, std::string_view white) {
  if (black == "win" && white == "lose") return SummaryResult::black_wins;
  if (black == "lose" && white == "win") return SummaryResult::white_wins;
  return black == "draw" && white == "draw" ? SummaryResult::draw : SummaryResult::unknown;
}

// "toryo:black win:white lose"; names hold no colons.
Summary parse_summary(const Game& game, std::string_view text) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) return {.kind = trim(text)};
  const std::string_view sides = text.substr(first + 1);
  Side black = side_of(sides.substr(0, sides.find(':'))), white = side_of(sides.substr(sides.rfind(':') + 1));
  const bool swapped = black.name == trim(game.white) && white.name == trim(game.black) && black.name != white.name;
  if (swapped) std::swap(black, white);
  return {.kind = trim(text.substr(0, first)), .result = result_of(black.mark, white.mark)};
}

}  // namespace

std::optional<Summary> summary_of(const Game& game) {
  constexpr std::string_view kStart = "summary:";
  for (std::size_t i = game.comments.size(); i-- > 0;) {
    const Comment& comment = game.comments[i];
    if (comment.kind != Comment::Kind::note || !comment.text.starts_with(kStart)) continue;
    return parse_summary(game, std::string_view(comment.text).substr(kStart.size()));
  }
  return std::nullopt;
}

EndKind judged_end(const Game& game) {
  if (game.end.kind != EndKind::kachi) return game.end.kind;
  const auto summary = summary_of(game);
  if (summary && summary->result == SummaryResult::draw) return EndKind::jishogi;
  if (!summary || summary->kind != "illegal kachi") return EndKind::kachi;
  return final_setup(game).turn == shogi::BLACK ? EndKind::black_illegal : EndKind::white_illegal;
}

}  // namespace fuhyo::record
