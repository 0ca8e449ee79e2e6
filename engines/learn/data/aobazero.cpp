#include "engines/learn/data/aobazero.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "engines/learn/data/chance.h"
#include "engines/mate/mate_in_few.h"
#include "engines/record/csa_move.h"
#include "engines/record/csa_setup.h"
#include "engines/record/diagnostic.h"
#include "engines/shogi/number.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::learn {

// Where the game begins, line by line.
class AobaStart {
 public:
  std::optional<std::string> line(std::string_view text) {
    standard_ = text == "PI" && !reader_.any();
    return reader_.line(text);
  }
  std::expected<shogi::Position, std::string> position(shogi::Color turn) const {
    if (standard_ && turn == shogi::BLACK) return shogi::Position();
    const auto setup = reader_.finish(turn);
    if (!setup) return std::unexpected(setup.error());
    auto position = setup->position();
    if (!position) return std::unexpected(position.error().message);
    return *std::move(position);
  }

 private:
  record::CsaSetupReader reader_;
  bool standard_ = false;
};

namespace {

using record::ScoredEnd;
using record::Winner;
using shogi::Color;
using AobaFailure = std::unexpected<std::string>;

constexpr std::size_t kMoveText = 7;  // "+7776FU"
constexpr int kWon = 30'000;

Winner winner_of(Color color) { return color == shogi::BLACK ? Winner::black : Winner::white; }

std::string_view without_sign(std::string_view move) {
  if (move.starts_with('+') || move.starts_with('-')) move.remove_prefix(1);
  return move;
}

std::string_view take_field(std::string_view& text) {
  const std::size_t length = std::min(text.find(','), text.size());
  const std::string_view field = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return field;
}

// "v=0.512", if it is there; taken away.
std::optional<std::string_view> take_value(std::string_view& comment) {
  if (!comment.starts_with("v=")) return std::nullopt;
  return take_field(comment).substr(2);
}

// The moves of "800,7776FU,451,2726FU,200" with their visits, to `each`. False: it is no such text.
template <class Each>
bool for_candidates(std::string_view comment, Each each) {
  take_value(comment);
  if (take_field(comment).empty()) return false;
  while (!comment.empty()) {
    const std::string_view move = without_sign(take_field(comment)), visits = take_field(comment);
    const auto count = shogi::number_of<std::uint32_t>(visits);
    if (move.size() + 1 != kMoveText || !count || !each(move, *count)) return false;
  }
  return true;
}

// As dlshogi has it: a chance of 1 is a mate.
std::optional<std::int16_t> score_of(std::string_view value) {
  double chance = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), chance);
  if (error != std::errc{} || !(chance >= 0 && chance <= 1)) return std::nullopt;
  if (chance == 0 || chance == 1) return static_cast<std::int16_t>(chance == 1 ? kWon : -kWon);
  return static_cast<std::int16_t>(std::clamp(-std::log(1 / chance - 1) * kChanceScale, -1.0 * kWon, 1.0 * kWon));
}

}  // namespace

AobaReader::Done AobaReader::scan_line(std::string_view line, AobaStart& start) {
  const char head = line[0];
  if (head == '\'') {
    const std::string_view text = line.substr(1);
    const bool counts = text.starts_with("v=") || (!text.empty() && text[0] >= '0' && text[0] <= '9');
    if (counts && !plies_.empty() && plies_.back().comment.empty()) plies_.back().comment = text;
    return {};
  }
  if ((head == '+' || head == '-') && line.size() == 1) {
    auto position = start.position(head == '+' ? shogi::BLACK : shogi::WHITE);
    if (!position) return AobaFailure(std::move(position.error()));
    made_.game.start = *std::move(position);
    return {};
  }
  if (head == '+' || head == '-') {
    const std::size_t comment = line.find('\'');
    plies_.push_back({line.substr(0, kMoveText), comment < line.size() ? line.substr(comment + 1) : ""});
    return {};
  }
  if (head == 'P') {
    if (auto defect = start.line(line)) return AobaFailure(std::move(*defect));
  } else if (head == '%') {
    end_ = line.substr(1, line.find(',') - 1);
  } else if (std::string_view("NVT$").find(head) == std::string_view::npos) {
    return AobaFailure(fmt::format("not understood: {}", record::in_quotes(line)));
  }
  return {};
}

AobaReader::Done AobaReader::scan(std::string_view text) {
  AobaStart start;
  plies_.clear();
  end_ = {};
  while (!text.empty()) {
    const void* newline = std::memchr(text.data(), '\n', text.size());
    const std::size_t length =
        newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) : text.size();
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (auto done = scan_line(line, start); !done) return done;
  }
  if (end_.empty()) return AobaFailure("it has no end");
  return {};
}

// Behind the last of the drawn plies whose move was not the most visited one: of equals the one that stands first.
std::expected<std::size_t, std::string> AobaReader::first_ply() const {
  std::size_t first = 0;
  for (std::size_t i = 0; i < std::min(options_.drawn_plies, plies_.size()); ++i) {
    std::string_view best;
    std::uint32_t most = 0;
    const bool read = for_candidates(plies_[i].comment, [&](std::string_view move, std::uint32_t visits) {
      if (best.empty() || visits > most) {
        best = move;
        most = visits;
      }
      return true;
    });
    if (!read || best.empty()) {
      return AobaFailure(fmt::format("move {} has no visits: {}", i + 1, record::in_quotes(plies_[i].comment)));
    }
    if (best != without_sign(plies_[i].move)) first = i + 1;
  }
  return first;
}

AobaReader::Done AobaReader::add(const shogi::Position& position, const Ply& ply, shogi::Move move) {
  std::string_view comment = ply.comment;
  const auto value = take_value(comment);
  const auto score = value ? score_of(*value) : std::optional<std::int16_t>(0);
  if (!score) return AobaFailure(fmt::format("not a chance to win: {}", record::in_quotes(*value)));
  made_.game.moves.push_back({.move = move, .score = score});
  if (!options_.candidates) return {};
  auto& candidates = made_.candidates.emplace_back();
  const bool read = for_candidates(comment, [&](std::string_view text, std::uint32_t visits) {
    const auto csa = record::parse_csa_move(record::csa_sign(position.side_to_move()) + std::string(text));
    const auto candidate = csa ? record::resolve(position, *csa) : std::nullopt;
    if (!candidate || !position.is_legal(*candidate)) return false;
    candidates.push_back({.move = *candidate, .visits = static_cast<std::uint16_t>(std::min(visits, 65'535U))});
    return true;
  });
  if (!read) return AobaFailure(fmt::format("not moves with visits: {}", record::in_quotes(comment)));
  return {};
}

bool AobaReader::cut(shogi::Position& position) {
  if (options_.mate_plies == 0) return false;
  int moves = options_.mate_moves;
  const bool mate = static_cast<bool>(mate::mate_in_few(position, options_.mate_plies, moves));
  if (!mate && moves == 0) ++counts_.undecided;
  return mate;
}

AobaReader::Done AobaReader::play(std::size_t first) {
  auto& game = made_.game;
  game.moves.clear();
  made_.candidates.clear();
  shogi::Position position = game.start;
  cut_ = false;
  for (std::size_t i = 0; i < plies_.size(); ++i) {
    if (i >= first && cut(position)) {
      cut_ = true;
      break;
    }
    const auto csa = record::parse_csa_move(plies_[i].move);
    const auto move = csa ? record::resolve(position, *csa) : std::nullopt;
    if (!move || !position.is_legal(*move)) {
      return AobaFailure(fmt::format("move {} is illegal: {}", i + 1, record::in_quotes(plies_[i].move)));
    }
    if (i < first) {
      game.moves.push_back({.move = *move, .score = {}});
      if (options_.candidates) made_.candidates.emplace_back();
    } else if (auto added = add(position, plies_[i], *move); !added) {
      return AobaFailure(fmt::format("move {}: {}", i + 1, added.error()));
    }
    position.do_move(*move);
  }
  conclude(position.side_to_move());
  return {};
}

// The result by the record, or that of a mate.
void AobaReader::conclude(Color to_move) {
  auto& game = made_.game;
  const Color at_end = (plies_.size() - game.moves.size()) % 2 == 0 ? to_move : ~to_move;
  game.winner = Winner::nobody;
  if (end_ == "TORYO") game.winner = winner_of(~at_end);
  if (end_ == "KACHI") game.winner = winner_of(at_end);
  if (cut_) {
    ++counts_.mates;
    if (std::exchange(game.winner, winner_of(to_move)) != winner_of(to_move)) ++counts_.turned;
    game.end = ScoredEnd::adjudicated;
  } else if (end_ == "TORYO") {
    game.end = ScoredEnd::no_move;
  } else if (end_ == "KACHI") {
    game.end = ScoredEnd::declaration;
    ++counts_.declared;
  } else if (end_ == "SENNICHITE") {
    game.end = ScoredEnd::repetition;
    ++counts_.repeated;
  } else {
    game.end = ScoredEnd::move_limit;
    ++counts_.broken_off;
  }
}

std::expected<const AobaGame*, std::string> AobaReader::read(std::string_view text) {
  if (auto scanned = scan(text); !scanned) return AobaFailure(std::move(scanned.error()));
  constexpr std::string_view kEnds[] = {"TORYO", "KACHI", "SENNICHITE", "CHUDAN", "HIKIWAKE"};
  ++counts_.games;
  if (std::ranges::find(kEnds, end_) == std::end(kEnds)) return ++counts_.illegal, nullptr;
  if (plies_.size() < options_.least_plies) return ++counts_.too_short, nullptr;
  const auto first = first_ply();
  auto played = first ? play(*first) : AobaFailure(first.error());
  if (!played) return --counts_.games, AobaFailure(std::move(played.error()));
  const std::size_t moves = made_.game.moves.size();
  if (moves == *first) return ++counts_.nothing, nullptr;
  counts_.drawn += *first;
  counts_.positions += moves - *first;
  return &made_;
}

}  // namespace fuhyo::learn
