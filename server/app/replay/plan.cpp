#include "server/app/replay/plan.h"

#include <array>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

#include "engines/record/csa_format.h"
#include "engines/record/csa_move.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/position.h"

namespace fuhyo::app {
namespace {

using record::EndKind;
using Close = ReplayPlan::Close;

// Counts positions as shogi-server does: the start position does not count. Kept apart from the rules of the engines
// room on purpose, so that a replay checks them too.
class Repetitions {
 public:
  // The position after a move; true at its fourth occurrence.
  bool fourfold(const shogi::Position& position) {
    const std::string sfen = position.sfen();
    return ++seen_[sfen.substr(0, sfen.rfind(' '))] == 4;  // without the move number
  }

 private:
  std::unordered_map<std::string, int> seen_;
};

bool ends_illegally(EndKind kind) {
  return kind == EndKind::illegal_move || kind == EndKind::black_illegal || kind == EndKind::white_illegal;
}

std::string end_in_words(const record::End& end) {
  if (end.kind == EndKind::none) return "the record just stops";
  const std::string_view name = end.kind == EndKind::other ? end.text : record::csa_end_name(end.kind);
  return fmt::format("the record ends by %{}", name);
}

// The rules end the game after move number `ply`: does the record end there too, and for that reason?
void close_by_rule(ReplayPlan& plan, const record::Game& game, std::size_t ply, Close close, std::string_view why) {
  plan.close = close;
  if (ply < game.moves.size() || game.impossible) {
    plan.remark = fmt::format("{} at ply {}, where the record goes on", why, ply);
    return;
  }
  const bool agreed =
      ends_illegally(game.end.kind) || (close == Close::repetition && game.end.kind == EndKind::sennichite);
  if (!agreed) plan.remark = fmt::format("{} at ply {}, but {}", why, ply, end_in_words(game.end));
}

void declare(ReplayPlan& plan, const shogi::Position& position) {
  const auto verdict = shogi::judge_declaration(position, shogi::DeclarationRule::POINTS_27);
  plan.close = verdict.valid ? Close::declare : Close::misdeclare;
  if (!verdict.valid) plan.remark = fmt::format("the record ends by %KACHI, which does not win: {}", verdict.reason);
}

void close_after_last_move(ReplayPlan& plan, const record::Game& game, const shogi::Position& position) {
  if (game.impossible) {
    plan.moves.push_back(record::to_csa(game.impossible->move));
    plan.close = Close::illegal_move;
    return;
  }
  if (game.end.kind == EndKind::kachi) return declare(plan, position);
  if (game.end.kind == EndKind::toryo) return;
  plan.remark = end_in_words(game.end);
  if (ends_illegally(game.end.kind)) plan.remark += ", and no move of it is illegal";
  if (game.end.kind == EndKind::sennichite) plan.remark += ", and no position occurs four times";
}

// Written here, not by the records room, which writes what the server stores.
std::vector<std::string> board_lines(const shogi::Position& position) {
  constexpr std::array<std::string_view, 15> kNames = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                       "OU", "TO", "NY", "NK", "NG", "UM", "RY"};
  std::vector<std::string> lines;
  for (int rank = 1; rank <= 9; ++rank) {
    std::string line = fmt::format("P{}", rank);
    for (int file = 9; file >= 1; --file) {
      const shogi::Piece piece = position.piece_on(shogi::make_square(file, rank));
      line += piece == shogi::NO_PIECE ? " * "
                                       : fmt::format("{}{}", shogi::color_of(piece) == shogi::BLACK ? '+' : '-',
                                                     kNames.at(static_cast<std::size_t>(shogi::type_of(piece))));
    }
    lines.push_back(std::move(line));
  }
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    std::string line = side == shogi::BLACK ? "P+" : "P-";
    for (int type = shogi::PAWN; type <= shogi::GOLD; ++type) {
      const int count = position.hand(side).count(static_cast<shogi::PieceType>(type));
      for (int i = 0; i < count; ++i) line += fmt::format("00{}", kNames.at(static_cast<std::size_t>(type)));
    }
    if (line.size() > 2) lines.push_back(std::move(line));
  }
  lines.emplace_back(position.side_to_move() == shogi::BLACK ? "+" : "-");
  return lines;
}

}  // namespace

std::expected<ReplayPlan, std::string> plan_replay(const record::Game& game) {
  if (game.moves.empty() && !game.impossible) return std::unexpected("it has no moves");
  auto start = game.start.position();
  if (!start) return std::unexpected("its start position is refused: " + start.error().message);
  shogi::Position position = *start;
  ReplayPlan plan;
  if (game.start != record::Setup::standard()) {
    plan.start_sfen = position.sfen();
    plan.start_board = board_lines(position);
    plan.white_first = position.side_to_move() == shogi::WHITE;
  }
  Repetitions repetitions;
  for (const auto& [move, spent_ms] : game.moves) {
    plan.moves.push_back(record::to_csa(position, move));
    if (const shogi::Illegal why = position.why_illegal(move); why != shogi::Illegal::none) {
      close_by_rule(plan, game, plan.moves.size(), Close::illegal_move, shogi::to_string(why));
      return plan;
    }
    position.do_move(move);
    if (repetitions.fourfold(position)) {
      close_by_rule(plan, game, plan.moves.size(), Close::repetition, "fourfold repetition");
      return plan;
    }
  }
  close_after_last_move(plan, game, position);
  return plan;
}

}  // namespace fuhyo::app
